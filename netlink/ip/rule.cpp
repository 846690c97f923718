// ip rule ...: which packets are looked up in which routing table. ip mrule: the same for multicast routing.
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include "netlink/address.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/ip/kinds.hpp"
#include "netlink/ip/route.hpp"
#include "netlink/ip/rule_values.hpp"
#include "netlink/ip_protocol.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {
    {"list*|lst*|show*"}, {"save*"}, {"restore*"}, {"add*", RTM_NEWRULE, NLM_F_CREATE | NLM_F_EXCL}, {"delete*", RTM_DELRULE, 0}, {"flush*", RTM_DELRULE, 0},
};

struct Rule {
    u32 table = 0;
    bool table_or_action = false;
    bool l3mdev = false;
};

fib_rule_hdr& header(Line& line) { return line.out.value_at<fib_rule_hdr>(sizeof(nlmsghdr)); }

void read_not(Line& line, Rule&) { header(line).flags |= FIB_RULE_INVERT; }
u8 put_prefix(Line& line, u16 attribute) {
    auto const prefix = read_prefix(line.take("PREFIX"), header(line).family);
    line.out.put(attribute, prefix.bytes.data(), prefix.length);
    return static_cast<u8>(prefix.bits);
}
void read_from(Line& line, Rule&) { header(line).src_len = put_prefix(line, FRA_SRC); }
void read_to(Line& line, Rule&) { header(line).dst_len = put_prefix(line, FRA_DST); }
void read_tos(Line& line, Rule&) { header(line).tos = static_cast<u8>(read_name(line, line.take("DSFIELD"), Names::Of::dsfield)); }
void read_mark(Line& line, Rule&) {
    auto const parts = split_mask(line.take("MARK[/MASK]"));
    line.out.put(FRA_FWMARK, static_cast<u32>(read_number(parts.value)));
    if (parts.mask) line.out.put(FRA_FWMASK, static_cast<u32>(read_number(*parts.mask)));
}
void read_rule_realms(Line& line, Rule&) { line.out.put(FRA_FLOW, read_realms(line, line.take("[FROM/]TO"))); }
void read_table(Line& line, Rule& r) {
    r.table = read_name(line, line.take("TABLE"), Names::Of::route_table);
    r.table_or_action = true;
    // The header has 8 bits for it.
    header(line).table = static_cast<u8>(r.table < 256 ? r.table : RT_TABLE_UNSPEC);
    if (r.table >= 256) line.out.put(FRA_TABLE, r.table);
}
template <u16 Attribute>
void read_link_name(Line& line, Rule&) {
    auto const& word = line.take("DEVICE");
    check_link_name(word);
    line.out.put_string(Attribute, word.text);
}
void read_l3mdev(Line& line, Rule& r) {
    line.out.put(FRA_L3MDEV, u8{1});
    r.l3mdev = r.table_or_action = true;
}

void put_uid_range(Line& line, Rule&) { line.out.put(FRA_UID_RANGE, read_uid_range(line)); }
template <u16 Attribute, u16 MaskAttribute>
void put_ports(Line& line, Rule&) {
    auto const ports = read_ports(line);
    line.out.put(Attribute, ports.range);
    if (ports.mask != 0xffff) line.out.put(MaskAttribute, ports.mask);
}
void read_nat(Line& line, Rule&) {
    auto const address = read_address(line.take("ADDRESS"), AF_INET);
    line.out.put(RTA_GATEWAY, address.bytes.data(), sizeof(u32));
    header(line).action = RTN_NAT;
}
void read_ip_proto(Line& line, Rule&) { line.out.put(FRA_IP_PROTO, read_ip_protocol(line, line.take("PROTOCOL"))); }
void put_dscp(Line& line, Rule&) {
    auto const dscp = read_dscp(line);
    line.out.put(uapi::FRA_DSCP, dscp.value);
    if (dscp.mask != Dscp::all) line.out.put(uapi::FRA_DSCP_MASK, dscp.mask);
}
void put_flow_label(Line& line, Rule&) {
    auto const label = read_flow_label(line);
    line.out.put(uapi::FRA_FLOWLABEL, big32(label.value));
    line.out.put(uapi::FRA_FLOWLABEL_MASK, big32(label.mask));
}
void set_action(Line& line, Rule& r, u8 action) {
    header(line).action = action;
    r.table_or_action = true;
}
void read_goto(Line& line, Rule& r) {
    line.out.put(FRA_GOTO, static_cast<u32>(read_number(line.take("PREFERENCE"))));
    set_action(line, r, FR_ACT_GOTO);
}
void read_nop(Line& line, Rule& r) { set_action(line, r, FR_ACT_NOP); }
void read_type(Line& line, Rule& r);

constexpr Row rows[] = {
    {"not",                            "",                   custom<read_not>,           "Packets that do not match."},
    {"from",                           "PREFIX",             custom<read_from>,          "Packets from PREFIX; all: any."},
    {"to",                             "PREFIX",             custom<read_to>,            "Packets to PREFIX; all: any."},
    {"preference*|order*|priority*",   "N",                  U32(FRA_PRIORITY),          "Rules are tried by rising N."},
    {"tos|dsfield*",                   "DSFIELD",            custom<read_tos>,           "Packets with this TOS byte, hexadecimal or a name."},
    {"fwmark",                         "MARK[/MASK]",        custom<read_mark>,          "Packets with this firewall mark."},
    {"realms*",                        "[FROM/]TO",          custom<read_rule_realms>,   "The realms to give them."},
    {"protocol*",                      "PROTOCOL",           Name{{FRA_PROTOCOL, 1}, Names::Of::route_protocol}, "Who made the rule."},
    {"tun_id*",                        "ID",                 U64(FRA_TUN_ID).network_order(), "Packets from the tunnel with this key."},
    {"table*|lookup",                  "TABLE",              custom<read_table>,         "Look them up in this routing table (default: main)."},
    {"suppress_prefixlength*|sup_pl",  "BITS",               U32(FRA_SUPPRESS_PREFIXLEN).in(0, 0x7fffffff), "Go on when the route found has a prefix of at most BITS."},
    {"suppress_ifgroup*|sup_group",    "GROUP",              Name{{FRA_SUPPRESS_IFGROUP, 4}, Names::Of::group}, "Go on when the route found leaves by a link of this group."},
    {"dev|iif",                        "DEVICE",             custom<read_link_name<FRA_IFNAME>>,  "Packets that came in here; lo: packets of this host."},
    {"oif",                            "DEVICE",             custom<read_link_name<FRA_OIFNAME>>, "Packets of sockets bound to this link."},
    {"l3mdev",                         "",                   custom<read_l3mdev>,        "Look them up in the table of the VRF that they belong to."},
    {"uidrange",                       "FIRST-LAST",         custom<put_uid_range>,     "Packets of these users."},
    {"nat|map-to*",                    "ADDRESS",            custom<read_nat>,           "Translate addresses (of old kernels)."},
    {"ipproto",                        "PROTOCOL",           custom<read_ip_proto>,      "Packets of this protocol above IP."},
    {"sport",                          "PORT|FIRST-LAST|PORT/MASK", custom<put_ports<FRA_SPORT_RANGE, uapi::FRA_SPORT_MASK>>, "Packets from these ports."},
    {"dport",                          "PORT|FIRST-LAST|PORT/MASK", custom<put_ports<FRA_DPORT_RANGE, uapi::FRA_DPORT_MASK>>, "Packets to these ports."},
    {"dscp",                           "DSCP[/MASK]",        custom<put_dscp>,          "Packets with this DSCP, 0 to 63 or a name."},
    {"flowlabel",                      "LABEL[/MASK]",       custom<put_flow_label>,    "Packets with this flow label (IPv6)."},
    {"goto*",                          "N",                  custom<read_goto>,          "Go on with the rule N."},
    {"nop*",                           "",                   custom<read_nop>,           "Go on with the next rule."},
    {"type",                           "ACTION",             custom<read_type>,          "What else is done, with or without \"type\": unreachable, prohibit, blackhole, goto N, nop, ..."},
};
constexpr auto table = keywords<Rule>(rows);

/// Takes an action; false, and nothing taken, if the next word is none.
bool read_action_if(Line& line, Rule& r) {
    if (line.take_if_abbreviates("goto")) return read_goto(line, r), true;
    if (line.take_if_abbreviates("nop")) return read_nop(line, r), true;
    auto type = read_route_type_if(line);
    if (!type)
        if (auto const number = parse_number(line.peek().text, 255)) {
            line.take("ACTION");
            type = static_cast<u8>(*number);
        }
    if (type) set_action(line, r, *type);
    return type.has_value();
}
void read_type(Line& line, Rule& r) {
    if (line.done() || !read_action_if(line, r)) fail_value(line.take("ACTION"), "an action", "unreachable, prohibit, blackhole, goto N, nop or another type of route");
}

void read_rule_of(Line& line, u8 family, std::string_view object) {
    auto const& verb = read_verb(line, verbs, object);
    if (verb.words == "flush*") return flush_rules(line, family);
    bool const add = verb.type == RTM_NEWRULE;
    if (line.done()) fail_missing(line, "a selector or an action");
    auto& head = begin_request<fib_rule_hdr>(line, verb.type, verb.flags);
    head.family = family;
    head.action = add ? FR_ACT_TO_TBL : FR_ACT_UNSPEC;

    Rule r;
    Reader reader(table, r);
    while (!line.done())
        if (!reader.read_one(line) && !read_action_if(line, r)) reader.fail_unknown(line);
    if (r.l3mdev && r.table) fail_use(line.last(), "l3mdev finds the table itself: the line may name none");
    if (header(line).family == AF_UNSPEC) header(line).family = AF_INET;
    if (!r.table_or_action && add) header(line).table = RT_TABLE_MAIN;
    end_request(line);
}

}  // namespace

extern constinit KindInfo const rule_info = {"ip", "rule", "A rule that chooses the routing table of a packet.", {{{"", table}, {"flush", flush_rules_table}}}};

void read_rule(Line& line) { read_rule_of(line, line.family, "ip rule"); }

void read_multicast_rule(Line& line) {
    switch (line.family) {
        case AF_UNSPEC: case AF_INET: return read_rule_of(line, RTNL_FAMILY_IPMR, "ip mrule");
        case AF_INET6: return read_rule_of(line, RTNL_FAMILY_IP6MR, "ip mrule");
        default: fail_use(line.last(), "multicast rules are of IPv4 or IPv6");
    }
}

}  // namespace nlstream::ip
