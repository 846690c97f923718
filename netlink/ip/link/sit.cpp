// ip link ... type sit: a tunnel for IPv6 packets over IPv4.
#include <linux/if_tunnel.h>

#include "netlink/ip/link/ipip_family.hpp"

namespace nlstream::ip {
namespace {

constexpr NamedValue modes[] = {{"ipv6/ipv4", ipv6_inside}, {"ip6ip", ipv6_inside}, {"ipv4/ipv4", ipv4_inside}, {"ipip", ipv4_inside}, {"ip4ip4", ipv4_inside},
                                {"mpls/ipv4", mpls_inside}, {"mplsip", mpls_inside}, {"any/ipv4", 0}, {"any", 0}};

constexpr Row own_rows[] = {
    {"mode",   "MODE", one_of(modes, {kept, 1, false, keep<&Tunnel::protocol>}), "What is inside: ip6ip, ipip, mplsip or any (default)."},
    {"isatap", "",     set(add_bits<&Tunnel::sit_flags>, SIT_ISATAP),            "Reach sites as ISATAP does (RFC 5214)."},
};
constexpr auto rows = join(own_rows, ipip_rows, encap_rows, rapid_deployment_rows);
constexpr auto table = keywords<Tunnel>(rows.rows);

void read(Line& line) {
    Tunnel t;
    if (!read_ipip_options(line, table, t)) return;
    line.source_keyword("isatap");
    line.out.put(IFLA_IPTUN_FLAGS, t.sit_flags);
    line.source_keyword("6rd-prefix");
    if (t.site_prefix.family) {
        line.out.put(IFLA_IPTUN_6RD_PREFIX, t.site_prefix.bytes.data(), t.site_prefix.length);
        line.out.put(IFLA_IPTUN_6RD_PREFIXLEN, t.site_prefix.bits);
    }
    line.source_keyword("6rd-relay_prefix");
    if (t.relay_prefix.family) {
        line.out.put(IFLA_IPTUN_6RD_RELAY_PREFIX, t.relay_prefix.bytes.data(), 4);
        line.out.put(IFLA_IPTUN_6RD_RELAY_PREFIXLEN, t.relay_prefix.bits);
    }
}

}  // namespace

extern constinit LinkKind const sit_link = {{"link", "sit", "IPv6 packets over IPv4: configured tunnels, 6to4, 6rd, ISATAP.", {{{"", table}}}}, read, true};

}  // namespace nlstream::ip
