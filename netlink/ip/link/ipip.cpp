// ip link ... type ipip: a tunnel for IPv4 packets over IPv4.
#include "netlink/ip/link/ipip_family.hpp"

namespace nlstream::ip {
namespace {

constexpr NamedValue modes[] = {{"ipv4/ipv4", ipv4_inside}, {"ipip", ipv4_inside}, {"ip4ip4", ipv4_inside}, {"mpls/ipv4", mpls_inside},
                                {"mplsip", mpls_inside}, {"any/ipv4", 0}, {"any", 0}};

constexpr Row own_rows[] = {
    {"mode", "MODE", one_of(modes, {kept, 1, false, keep<&Tunnel::protocol>}), "What is inside: ipip, mplsip or any (default)."},
};
constexpr auto rows = join(own_rows, ipip_rows, encap_rows, rapid_deployment_rows);
constexpr auto table = keywords<Tunnel>(rows.rows);

void read(Line& line) {
    Tunnel t;
    read_ipip_options(line, table, t);
}

}  // namespace

extern constinit LinkKind const ipip_link = {{"link", "ipip", "IPv4 packets over IPv4.", {{{"", table}}}}, read, true};

}  // namespace nlstream::ip
