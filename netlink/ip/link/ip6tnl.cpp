// ip link ... type ip6tnl: a tunnel for IPv4 and IPv6 packets over IPv6.
#include <linux/if_tunnel.h>

#include "netlink/ip/link/kinds.hpp"
#include "netlink/ip/link/tunnel.hpp"

namespace nlstream::ip {
namespace {

constexpr NamedValue modes[] = {{"ipv6/ipv6", ipv6_inside}, {"ip6ip6", ipv6_inside}, {"ip/ipv6", ipv4_inside}, {"ipv4/ipv6", ipv4_inside},
                                {"ipip6", ipv4_inside}, {"ip4ip6", ipv4_inside}, {"any/ipv6", 0}, {"any", 0}};

// clang-format off
constexpr Row own_rows[] = {
    {"mode",                  "MODE",    one_of(modes, {kept, 1, false, keep<&Tunnel::protocol>}), "What is inside: ip6ip6, ipip6 or any (default)."},
    {"remote",                "ADDRESS", custom<read_tunnel_remote<AF_INET6>>,  "The other end."},
    {"local",                 "ADDRESS", custom<read_tunnel_local<AF_INET6>>,   "This end."},
    {"dev*",                  "DEVICE",  custom<read_tunnel_dev>,               "The link that packets leave by."},
    {"ttl|hoplimit|hlim",     "LIMIT",   custom<read_tunnel_ttl>,               "Hop limit of packets: 1 to 255 (default 64), or inherit from the inner packet."},
    {"encaplimit",            "LIMIT",   custom<read_encap_limit>,              "How many tunnels deep packets may go (default 4), or none."},
    {"tos|tclass|tc|dsfield*", "CLASS",  custom<read_traffic_class>,            "Traffic class of packets, hexadecimal, or inherit from the inner packet."},
    {"flowlabel|fl",          "LABEL",   custom<read_tunnel_flow_label>,        "Flow label of packets, hexadecimal, or inherit from the inner packet."},
    {"dscp",                  "inherit", custom<read_dscp>,                     "Inner packets get the outer one's DSCP."},
    {"fwmark",                "MARK",    custom<read_ipv6_mark>,                "The firewall mark that packets are routed by, or inherit."},
    {"allow-localremote",     "",        custom<read_local_remote<true>>,       "The other end may be on this host."},
    {"noallow-localremote",   "",        custom<read_local_remote<false>>,      "The other end may not be on this host (default)."},
};
// clang-format on
constexpr auto rows = join(own_rows, encap_rows);
constexpr auto table = keywords<Tunnel>(rows.rows);

void read_present(PresentOptions const& present, Tunnel& t) {
    present.read(IFLA_IPTUN_LOCAL, t.local);
    present.read(IFLA_IPTUN_REMOTE, t.remote);
    present.read(IFLA_IPTUN_TTL, t.ttl);
    present.read(IFLA_IPTUN_ENCAP_LIMIT, t.encap_limit);
    present.read(IFLA_IPTUN_FLOWINFO, t.flow);
    present.read(IFLA_IPTUN_FLAGS, t.flags);
    present.read(IFLA_IPTUN_LINK, t.link);
    present.read(IFLA_IPTUN_PROTO, t.protocol);
    present.read(IFLA_IPTUN_FWMARK, t.mark);
    present.read(IFLA_IPTUN_ENCAP_TYPE, t.encap_type);
    present.read(IFLA_IPTUN_ENCAP_FLAGS, t.encap_flags);
    present.read_port(IFLA_IPTUN_ENCAP_SPORT, t.encap_source);
    present.read_port(IFLA_IPTUN_ENCAP_DPORT, t.encap_port);
    t.external = present.has(IFLA_IPTUN_COLLECT_METADATA);
}

void read(Line& line) {
    auto t = ipv6_tunnel();
    read_present(PresentOptions(line), t);
    Reader(table, t).read_all(line);

    line.source_keyword("mode");
    line.out.put(IFLA_IPTUN_PROTO, t.protocol);
    if (t.external) return line.out.put_flag(IFLA_IPTUN_COLLECT_METADATA);
    put_tunnel_ends(line, t, IFLA_IPTUN_LOCAL, IFLA_IPTUN_REMOTE);
    line.source_keyword("ttl");
    line.out.put(IFLA_IPTUN_TTL, t.ttl);
    line.source_keyword("encaplimit");
    line.out.put(IFLA_IPTUN_ENCAP_LIMIT, t.encap_limit);
    line.source_keyword("tclass");
    line.out.put(IFLA_IPTUN_FLOWINFO, t.flow);
    line.out.put(IFLA_IPTUN_FLAGS, t.flags);
    line.source_keyword("dev");
    line.out.put(IFLA_IPTUN_LINK, t.link);
    line.source_keyword("fwmark");
    line.out.put(IFLA_IPTUN_FWMARK, t.mark);
    put_tunnel_encap(line, t, {IFLA_IPTUN_ENCAP_TYPE, IFLA_IPTUN_ENCAP_FLAGS, IFLA_IPTUN_ENCAP_SPORT, IFLA_IPTUN_ENCAP_DPORT});
}

}  // namespace

extern constinit LinkKind const ip6tnl_link = {{"link", "ip6tnl", "IPv4 and IPv6 packets over IPv6.", {{{"", table}}}}, read, true};

}  // namespace nlstream::ip
