#include "netlink/ip/link/gre_family.hpp"

#include <linux/if_tunnel.h>

#include "netlink/ip/link/tunnel.hpp"

namespace nlstream::ip {
namespace {

// linux/if_tunnel.h, GRE_*, in network order
constexpr u16 with_checksum = big16(0x8000);
constexpr u16 with_key = big16(0x2000);
constexpr u16 with_sequence = big16(0x1000);

template <u16 Flag, bool On, bool In, bool Out>
void read_flag(Line&, Tunnel& t) {
    if (In) t.in_flags = static_cast<u16>(On ? t.in_flags | Flag : t.in_flags & ~Flag);
    if (Out) t.out_flags = static_cast<u16>(On ? t.out_flags | Flag : t.out_flags & ~Flag);
}

template <bool On, bool In, bool Out>
void read_key(Line& line, Tunnel& t) {
    u32 const key = On ? read_tunnel_key(line) : 0;
    if (In) t.in_key = key;
    if (Out) t.out_key = key;
    read_flag<with_key, On, In, Out>(line, t);
}

constexpr NamedValue directions[] = {{"ingress*", 0}, {"egress*", 1}};

// clang-format off
constexpr Row flag_rows[] = {
    {"key*",     "KEY", custom<read_key<true, true, true>>,                    "Number of both directions, or four bytes as an IPv4 address."},
    {"nokey*",   "",    custom<read_key<false, true, true>>,                   "No keys (default)."},
    {"ikey*",    "KEY", custom<read_key<true, true, false>>,                   "The key of packets that come in."},
    {"noikey*",  "",    custom<read_key<false, true, false>>,                  "No key of packets that come in."},
    {"okey*",    "KEY", custom<read_key<true, false, true>>,                   "The key of packets that go out."},
    {"nookey*",  "",    custom<read_key<false, false, true>>,                  "No key of packets that go out."},
    {"seq*",     "",    custom<read_flag<with_sequence, true, true, true>>,    "Number packets, and drop those out of order."},
    {"noseq*",   "",    custom<read_flag<with_sequence, false, true, true>>,   "No packet numbers (default)."},
    {"iseq*",    "",    custom<read_flag<with_sequence, true, true, false>>,   "Drop packets that come in out of order."},
    {"noiseq*",  "",    custom<read_flag<with_sequence, false, true, false>>,  "Take packets in any order."},
    {"oseq*",    "",    custom<read_flag<with_sequence, true, false, true>>,   "Number packets that go out."},
    {"nooseq*",  "",    custom<read_flag<with_sequence, false, false, true>>,  "Do not number packets that go out."},
    {"csum*",    "",    custom<read_flag<with_checksum, true, true, true>>,    "Checksums, required and sent."},
    {"nocsum*",  "",    custom<read_flag<with_checksum, false, true, true>>,   "No checksums (default)."},
    {"icsum*",   "",    custom<read_flag<with_checksum, true, true, false>>,   "Require checksums."},
    {"noicsum*", "",    custom<read_flag<with_checksum, false, true, false>>,  "Require no checksums."},
    {"ocsum*",   "",    custom<read_flag<with_checksum, true, false, true>>,   "Send checksums."},
    {"noocsum*", "",    custom<read_flag<with_checksum, false, false, true>>,  "Send no checksums."},
};

constexpr Row ipv4_rows[] = {
    {"nopmtudisc*",          "",        set(keep<&Tunnel::pmtudisc>, 0),       "Packets may be fragmented."},
    {"pmtudisc*",            "",        set(keep<&Tunnel::pmtudisc>, 1),       "Packets may not be fragmented (default)."},
    {"remote*",              "ADDRESS", custom<read_tunnel_remote<AF_INET>>,   "The other end."},
    {"local*",               "ADDRESS", custom<read_tunnel_local<AF_INET>>,    "This end."},
    {"dev*",                 "DEVICE",  custom<read_tunnel_dev>,               "The link that packets leave by."},
    {"ttl*|hoplimit*|hlim*", "TTL",     custom<read_tunnel_ttl>,               "TTL of packets: 1 to 255, or inherit from the inner packet (default)."},
    {"tos*|tclass*|dsfield*", "TOS",    custom<read_tunnel_tos>,               "TOS of packets, hexadecimal, or inherit from the inner packet."},
    {"ignore-df",            "",        set(keep<&Tunnel::ignore_df>, 1),      "Fragment packets although they forbid it."},
    {"noignore-df",          "",        set(keep<&Tunnel::ignore_df>, 2),      "Do not fragment packets that forbid it (default)."},
    {"fwmark",               "MARK",    U32(keep<&Tunnel::mark>),              "The firewall mark that packets are routed by."},
};

constexpr Row ipv6_rows[] = {
    {"remote*",              "ADDRESS", custom<read_tunnel_remote<AF_INET6>>,  "The other end."},
    {"local*",               "ADDRESS", custom<read_tunnel_local<AF_INET6>>,   "This end."},
    {"dev*",                 "DEVICE",  custom<read_tunnel_dev>,               "The link that packets leave by."},
    {"ttl*|hoplimit*|hlim*", "LIMIT",   custom<read_tunnel_ttl>,               "Hop limit of packets: 1 to 255 (default 64), or inherit from the inner packet."},
    {"tos*|tclass*|dsfield*", "CLASS",  custom<read_traffic_class>,            "Traffic class of packets, hexadecimal, or inherit from the inner packet."},
    {"flowlabel|fl",         "LABEL",   custom<read_tunnel_flow_label>,        "Flow label of packets, hexadecimal, or inherit from the inner packet."},
    {"dscp",                 "inherit", custom<read_dscp>,                     "Inner packets get the outer one's DSCP."},
    {"fwmark",               "MARK",    custom<read_ipv6_mark>,                "The firewall mark that packets are routed by, or inherit."},
    {"allow-localremote",    "",        custom<read_local_remote<true>>,       "The other end may be on this host."},
    {"noallow-localremote",  "",        custom<read_local_remote<false>>,      "The other end may not be on this host (default)."},
    {"encaplimit",           "LIMIT",   custom<read_encap_limit>,              "How many tunnels deep packets may go (default 4), or none."},
};

constexpr Row erspan_rows[] = {
    {"erspan",      "INDEX",          U32(keep<&Tunnel::erspan_index>).in(1, 0xfffff),                     "Version 1: the port that frames come from."},
    {"erspan_ver",  "VERSION",        U8(keep<&Tunnel::erspan_version>).in(0, 2),                          "The version, 0 to 2 (default 1)."},
    {"erspan_dir",  "ingress|egress", one_of(directions, {kept, 1, false, keep<&Tunnel::erspan_direction>}), "Version 2: which direction is mirrored."},
    {"erspan_hwid", "ID",             U16(keep<&Tunnel::erspan_hardware>),                                 "Version 2: number of the sending device."},
};
// clang-format on

constexpr auto all_gre_rows = join(flag_rows, ipv4_rows, encap_rows);
constexpr auto all_erspan_rows = join(flag_rows, ipv4_rows, encap_rows, erspan_rows);
constexpr auto all_ip6gre_rows = join(flag_rows, ipv6_rows, encap_rows, erspan_rows);
constexpr auto gre = keywords<Tunnel>(all_gre_rows.rows);
constexpr auto erspan = keywords<Tunnel>(all_erspan_rows.rows);
constexpr auto ip6gre = keywords<Tunnel>(all_ip6gre_rows.rows);

void read_present(PresentOptions const& present, Tunnel& t) {
    present.read(IFLA_GRE_LOCAL, t.local);
    present.read(IFLA_GRE_REMOTE, t.remote);
    present.read(IFLA_GRE_IKEY, t.in_key);
    present.read(IFLA_GRE_OKEY, t.out_key);
    present.read(IFLA_GRE_IFLAGS, t.in_flags);
    present.read(IFLA_GRE_OFLAGS, t.out_flags);
    present.read(IFLA_GRE_PMTUDISC, t.pmtudisc);
    present.read(IFLA_GRE_IGNORE_DF, t.ignore_df);
    present.read(IFLA_GRE_TOS, t.tos);
    present.read(IFLA_GRE_TTL, t.ttl);
    present.read(IFLA_GRE_LINK, t.link);
    present.read(IFLA_GRE_ENCAP_LIMIT, t.encap_limit);
    present.read(IFLA_GRE_FLOWINFO, t.flow);
    present.read(IFLA_GRE_FLAGS, t.flags);
    present.read(IFLA_GRE_ENCAP_TYPE, t.encap_type);
    present.read(IFLA_GRE_ENCAP_FLAGS, t.encap_flags);
    present.read_port(IFLA_GRE_ENCAP_SPORT, t.encap_source);
    present.read_port(IFLA_GRE_ENCAP_DPORT, t.encap_port);
    present.read(IFLA_GRE_FWMARK, t.mark);
    present.read(IFLA_GRE_ERSPAN_INDEX, t.erspan_index);
    present.read(IFLA_GRE_ERSPAN_VER, t.erspan_version);
    present.read(IFLA_GRE_ERSPAN_DIR, t.erspan_direction);
    present.read(IFLA_GRE_ERSPAN_HWID, t.erspan_hardware);
    t.external = present.has(IFLA_GRE_COLLECT_METADATA);
}

/// A tunnel to many has the group for its key where none is given.
void complete_group(Line& line, Tunnel& t) {
    if (!is_multicast(t.remote)) return;
    u32 group;
    std::memcpy(&group, t.remote.bytes.data(), sizeof group);
    if (!t.in_key) {
        t.in_key = group;
        t.in_flags |= with_key;
    }
    if (!t.out_key) {
        t.out_key = group;
        t.out_flags |= with_key;
    }
    if (is_unspecified(t.local)) fail_missing(line, "local ADDRESS, which a multicast remote needs,");
}

void put_keys(Line& line, Tunnel const& t) {
    line.source_keyword("ikey");
    line.out.put(IFLA_GRE_IKEY, t.in_key);
    line.source_keyword("okey");
    line.out.put(IFLA_GRE_OKEY, t.out_key);
    line.out.put(IFLA_GRE_IFLAGS, t.in_flags);
    line.out.put(IFLA_GRE_OFLAGS, t.out_flags);
    put_tunnel_ends(line, t, IFLA_GRE_LOCAL, IFLA_GRE_REMOTE);
}

void put_erspan(Line& line, Tunnel const& t) {
    line.source_keyword("erspan_ver");
    line.out.put(IFLA_GRE_ERSPAN_VER, t.erspan_version);
    if (t.erspan_version == 1 && t.erspan_index) line.out.put(IFLA_GRE_ERSPAN_INDEX, t.erspan_index);
    if (t.erspan_version != 2) return;
    line.out.put(IFLA_GRE_ERSPAN_DIR, t.erspan_direction);
    line.out.put(IFLA_GRE_ERSPAN_HWID, t.erspan_hardware);
}

void put_encap(Line& line, Tunnel const& t) {
    put_tunnel_encap(line, t, {IFLA_GRE_ENCAP_TYPE, IFLA_GRE_ENCAP_FLAGS, IFLA_GRE_ENCAP_SPORT, IFLA_GRE_ENCAP_DPORT});
}

void read_ipv4(Line& line, Table const& table, bool is_erspan) {
    Tunnel t;
    read_present(PresentOptions(line), t);
    if (t.ignore_df) t.ignore_df = 1;
    Reader(table, t).read_all(line);
    complete_group(line, t);
    if (t.external) return line.out.put_flag(IFLA_GRE_COLLECT_METADATA);
    put_keys(line, t);
    line.source_keyword("pmtudisc");
    line.out.put(IFLA_GRE_PMTUDISC, u8{t.pmtudisc});
    if (t.ignore_df) line.out.put(IFLA_GRE_IGNORE_DF, static_cast<u8>(t.ignore_df & 1));
    line.source_keyword("tos");
    line.out.put(IFLA_GRE_TOS, t.tos);
    line.source_keyword("dev");
    if (t.link) line.out.put(IFLA_GRE_LINK, t.link);
    line.source_keyword("ttl");
    line.out.put(IFLA_GRE_TTL, t.ttl);
    line.source_keyword("fwmark");
    line.out.put(IFLA_GRE_FWMARK, t.mark);
    if (is_erspan) put_erspan(line, t);
    put_encap(line, t);
}

}  // namespace

Table gre_table() { return gre; }
Table erspan_table() { return erspan; }
Table ip6gre_table() { return ip6gre; }

void read_gre(Line& line) { read_ipv4(line, gre, false); }
void read_erspan(Line& line) { read_ipv4(line, erspan, true); }

void read_ip6gre(Line& line) {
    auto t = ipv6_tunnel();
    read_present(PresentOptions(line), t);
    Reader(ip6gre, t).read_all(line);
    if (t.external) return line.out.put_flag(IFLA_GRE_COLLECT_METADATA);
    put_keys(line, t);
    line.source_keyword("dev");
    if (t.link) line.out.put(IFLA_GRE_LINK, t.link);
    line.source_keyword("ttl");
    line.out.put(IFLA_GRE_TTL, t.ttl);
    line.source_keyword("encaplimit");
    line.out.put(IFLA_GRE_ENCAP_LIMIT, t.encap_limit);
    line.source_keyword("tclass");
    line.out.put(IFLA_GRE_FLOWINFO, t.flow);
    line.out.put(IFLA_GRE_FLAGS, t.flags);
    line.source_keyword("fwmark");
    line.out.put(IFLA_GRE_FWMARK, t.mark);
    put_erspan(line, t);
    put_encap(line, t);
}

}  // namespace nlstream::ip
