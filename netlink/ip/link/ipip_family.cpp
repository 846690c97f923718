#include "netlink/ip/link/ipip_family.hpp"

#include <linux/if_tunnel.h>

namespace nlstream::ip {
namespace {

void read_present(PresentOptions const& present, Tunnel& t) {
    present.read(IFLA_IPTUN_LOCAL, t.local);
    present.read(IFLA_IPTUN_REMOTE, t.remote);
    present.read(IFLA_IPTUN_6RD_PREFIX, t.site_prefix);
    present.read(IFLA_IPTUN_6RD_PREFIXLEN, t.site_prefix.bits);
    present.read(IFLA_IPTUN_6RD_RELAY_PREFIX, t.relay_prefix);
    present.read(IFLA_IPTUN_6RD_RELAY_PREFIXLEN, t.relay_prefix.bits);
    present.read(IFLA_IPTUN_TTL, t.ttl);
    present.read(IFLA_IPTUN_PMTUDISC, t.pmtudisc);
    present.read(IFLA_IPTUN_TOS, t.tos);
    present.read(IFLA_IPTUN_FLAGS, t.sit_flags);
    present.read(IFLA_IPTUN_LINK, t.link);
    present.read(IFLA_IPTUN_PROTO, t.protocol);
    present.read(IFLA_IPTUN_ENCAP_TYPE, t.encap_type);
    present.read(IFLA_IPTUN_ENCAP_FLAGS, t.encap_flags);
    present.read_port(IFLA_IPTUN_ENCAP_SPORT, t.encap_source);
    present.read_port(IFLA_IPTUN_ENCAP_DPORT, t.encap_port);
    present.read(IFLA_IPTUN_FWMARK, t.mark);
    t.external = present.has(IFLA_IPTUN_COLLECT_METADATA);
}

}  // namespace

void read_6rd_prefix(Line& line, Tunnel& t) { t.site_prefix = read_prefix(line.take("PREFIX"), AF_INET6); }
void read_6rd_relay_prefix(Line& line, Tunnel& t) { t.relay_prefix = read_prefix(line.take("PREFIX"), AF_INET); }
void read_6rd_reset(Line&, Tunnel& t) {
    t.site_prefix = {.family = AF_INET6, .length = 16, .bits = 16, .has_bits = true, .is_default = false, .bytes = {0x20, 0x02}};
    t.relay_prefix = {};
}

bool read_ipip_options(Line& line, Table const& table, Tunnel& t) {
    read_present(PresentOptions(line), t);
    Reader(table, t).read_all(line);
    if (t.ttl && !t.pmtudisc) fail_use(line.last(), "nopmtudisc needs ttl inherit");

    line.source_keyword("mode");
    line.out.put(IFLA_IPTUN_PROTO, t.protocol);
    if (t.external) {
        line.out.put_flag(IFLA_IPTUN_COLLECT_METADATA);
        return false;
    }
    put_tunnel_ends(line, t, IFLA_IPTUN_LOCAL, IFLA_IPTUN_REMOTE);
    line.source_keyword("pmtudisc");
    line.out.put(IFLA_IPTUN_PMTUDISC, u8{t.pmtudisc});
    line.source_keyword("tos");
    line.out.put(IFLA_IPTUN_TOS, t.tos);
    line.source_keyword("ttl");
    line.out.put(IFLA_IPTUN_TTL, t.ttl);
    line.source_keyword("dev");
    line.out.put(IFLA_IPTUN_LINK, t.link);
    line.source_keyword("fwmark");
    line.out.put(IFLA_IPTUN_FWMARK, t.mark);
    put_tunnel_encap(line, t, {IFLA_IPTUN_ENCAP_TYPE, IFLA_IPTUN_ENCAP_FLAGS, IFLA_IPTUN_ENCAP_SPORT, IFLA_IPTUN_ENCAP_DPORT});
    return true;
}

}  // namespace nlstream::ip
