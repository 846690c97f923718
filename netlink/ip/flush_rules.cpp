// ip rule flush ...: which rules go.
#include <linux/rtnetlink.h>

#include <cstring>

#include "netlink/ip/flush.hpp"
#include "netlink/ip/route.hpp"
#include "netlink/ip/rule_values.hpp"
#include "netlink/ip_protocol.hpp"
#include "netlink/quantity.hpp"
#include "netlink/received.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Selection {
    u8 family = AF_INET;  // of prefixes
    std::optional<u32> preference, mark, mark_mask, table, protocol;
    bool inverted = false;
    bool l3mdev = false;
    std::optional<u8> tos, ip_protocol;
    Word const* in_link = nullptr;
    Word const* out_link = nullptr;
    std::optional<u64> tunnel;
    Address source, destination;
    std::optional<fib_rule_uid_range> users;
    std::optional<Ports> source_ports, destination_ports;
    std::optional<Dscp> dscp;
    std::optional<FlowLabel> flow_label;
};

void read_tos(Line& line, Selection& s) { s.tos = static_cast<u8>(read_name(line, line.take("DSFIELD"), Names::Of::dsfield)); }
void read_mark(Line& line, Selection& s) {
    auto const parts = split_mask(line.take("MARK[/MASK]"));
    s.mark = static_cast<u32>(read_number(parts.value));
    if (parts.mask) s.mark_mask = static_cast<u32>(read_number(*parts.mask));
}
template <Word const* Selection::*Member>
void read_link_name(Line& line, Selection& s) {
    auto const& word = line.take("DEVICE");
    check_link_name(word);
    s.*Member = &word;
}
void read_users(Line& line, Selection& s) { s.users = read_uid_range(line); }
void read_table(Line& line, Selection& s) { s.table = read_name(line, line.take("TABLE"), Names::Of::route_table); }
void read_from(Line& line, Selection& s) { s.source = read_prefix(line.take("PREFIX"), s.family); }
void read_to(Line& line, Selection& s) { s.destination = read_prefix(line.take("PREFIX"), s.family); }
void read_protocol(Line& line, Selection& s) { s.protocol = take_name_or_all(line, Names::Of::route_protocol); }
void read_upper_protocol(Line& line, Selection& s) { s.ip_protocol = read_ip_protocol(line, line.take("PROTOCOL")); }
void read_source_ports(Line& line, Selection& s) { s.source_ports = read_ports(line); }
void read_destination_ports(Line& line, Selection& s) { s.destination_ports = read_ports(line); }
void read_dscp_wanted(Line& line, Selection& s) { s.dscp = read_dscp(line); }
void read_flow_label_wanted(Line& line, Selection& s) { s.flow_label = read_flow_label(line); }

constexpr Row rows[] = {
    {"preference*|order*|priority*", "N",          U32(keep<&Selection::preference>),               "The rules at N."},
    {"not",                          "",           set(keep<&Selection::inverted>),                 "Rules for packets that do not match."},
    {"tos|dsfield",                  "DSFIELD",    custom<read_tos>,                                "Rules for this TOS byte."},
    {"fwmark",                       "MARK[/MASK]", custom<read_mark>,                              "Rules for this firewall mark."},
    {"dev|iif",                      "DEVICE",     custom<read_link_name<&Selection::in_link>>,     "Rules for packets that came in here."},
    {"oif",                          "DEVICE",     custom<read_link_name<&Selection::out_link>>,    "Rules for sockets bound to this link."},
    {"l3mdev",                       "",           set(keep<&Selection::l3mdev>),                   "Rules that look the table up by the VRF."},
    {"uidrange",                     "FIRST-LAST", custom<read_users>,                              "Rules for exactly these users."},
    {"tun_id*",                      "ID",         U64(keep<&Selection::tunnel>),                   "Rules for the tunnel with this key."},
    {"lookup*|table*",               "TABLE",      custom<read_table>,                              "Rules that lead to this table."},
    {"from*|src*",                   "PREFIX",     custom<read_from>,                               "Rules for sources within PREFIX."},
    {"protocol*",                    "PROTOCOL",   custom<read_protocol>,                           "Rules made by PROTOCOL; all: by any."},
    {"ipproto",                      "PROTOCOL",   custom<read_upper_protocol>,                     "Rules for this protocol above IP."},
    {"sport",                        "PORT|FIRST-LAST|PORT/MASK", custom<read_source_ports>,        "Rules for exactly these source ports."},
    {"dport",                        "PORT|FIRST-LAST|PORT/MASK", custom<read_destination_ports>,   "Rules for exactly these destination ports."},
    {"dscp",                         "DSCP[/MASK]", custom<read_dscp_wanted>,                       "Rules for this DSCP."},
    {"flowlabel",                    "LABEL[/MASK]", custom<read_flow_label_wanted>,                "Rules for this IPv6 flow label."},
    {"dst*|to*",                     "PREFIX",     custom<read_to>,                                 "Rules for destinations within PREFIX, with or without \"to\"."},
};
constexpr auto table = keywords<Selection>(rows);

using RuleAttributes = Attributes<uapi::FRA_DSCP_MASK>;

template <class T>
bool is(std::optional<T> const& wanted, T value) {
    return !wanted || *wanted == value;
}

bool fits_prefix(Address const& wanted, fib_rule_hdr const& head, std::span<u8 const> address, u8 length) {
    if (wanted.family == AF_UNSPEC) return true;
    return wanted.family == head.family && wanted.bits <= length && within(wanted, address);
}

bool fits_link(Word const* wanted, std::span<u8 const> name) {
    if (!wanted) return true;
    auto const* text = reinterpret_cast<char const*>(name.data());
    return !name.empty() && wanted->text == std::string_view(text, ::strnlen(text, name.size()));
}

bool fits_ports(std::optional<Ports> const& wanted, RuleAttributes const& rule, u16 range, u16 mask) {
    if (!wanted) return true;
    if (!rule[range] || rule.value<u16>(mask, 0xffff) != wanted->mask) return false;
    auto const ports = rule.value<fib_rule_port_range>(range);
    return ports.start == wanted->range.start && ports.end == wanted->range.end;
}

bool fits_users(std::optional<fib_rule_uid_range> const& wanted, RuleAttributes const& rule) {
    if (!wanted) return true;
    auto const users = rule.value<fib_rule_uid_range>(FRA_UID_RANGE);
    return rule[FRA_UID_RANGE] && users.start == wanted->start && users.end == wanted->end;
}

bool fits_labels(Selection const& s, RuleAttributes const& rule) {
    if (s.dscp && (!rule[uapi::FRA_DSCP] || rule.value<u8>(uapi::FRA_DSCP) != s.dscp->value || rule.value<u8>(uapi::FRA_DSCP_MASK, Dscp::all) != s.dscp->mask))
        return false;
    if (!s.flow_label) return true;
    return rule[uapi::FRA_FLOWLABEL] && rule[uapi::FRA_FLOWLABEL_MASK] && big32(rule.value<u32>(uapi::FRA_FLOWLABEL)) == s.flow_label->value &&
           big32(rule.value<u32>(uapi::FRA_FLOWLABEL_MASK)) == s.flow_label->mask;
}

bool selects(Selection const& s, nlmsghdr const& entry, u8 line_family) {
    auto const& head = *body_of<fib_rule_hdr>(entry);
    RuleAttributes const rule(entry, sizeof head);
    // The rule at 0, which looks up the local table, stays: the kernel lists it without a preference.
    if (!rule[FRA_PRIORITY]) return false;
    if (line_family != AF_UNSPEC && head.family != line_family) return false;
    if (!is(s.preference, rule.value<u32>(FRA_PRIORITY))) return false;
    if (s.inverted && !(head.flags & FIB_RULE_INVERT)) return false;
    if (!fits_prefix(s.source, head, rule.payload(FRA_SRC), head.src_len) || !fits_prefix(s.destination, head, rule.payload(FRA_DST), head.dst_len)) return false;
    if (!is(s.tos, head.tos) || !is(s.mark, rule.value<u32>(FRA_FWMARK)) || !is(s.mark_mask, rule.value<u32>(FRA_FWMASK))) return false;
    if (!fits_link(s.in_link, rule.payload(FRA_IFNAME)) || !fits_link(s.out_link, rule.payload(FRA_OIFNAME))) return false;
    if (s.l3mdev && !rule.value<u8>(FRA_L3MDEV)) return false;
    if (!fits_users(s.users, rule) || !is(s.ip_protocol, rule.value<u8>(FRA_IP_PROTO))) return false;
    if (!fits_ports(s.source_ports, rule, FRA_SPORT_RANGE, uapi::FRA_SPORT_MASK) || !fits_ports(s.destination_ports, rule, FRA_DPORT_RANGE, uapi::FRA_DPORT_MASK))
        return false;
    if (s.tunnel && (!rule[FRA_TUN_ID] || big64(rule.value<u64>(FRA_TUN_ID)) != *s.tunnel)) return false;
    if (!fits_labels(s, rule) || !is(s.table, rule.value<u32>(FRA_TABLE, head.table))) return false;
    return !rule[FRA_PROTOCOL] || is(s.protocol, u32{rule.value<u8>(FRA_PROTOCOL)});
}

}  // namespace

Table flush_rules_table() { return table; }

void flush_rules(Line& line, u8 family) {
    u8 const listed = family == AF_UNSPEC ? u8{AF_INET} : family;
    Selection s{.family = listed};
    Reader reader(table, s);
    while (!line.done())
        if (!reader.read_one(line)) read_to(line, s);

    flush(line, {.what = "rules",
                 .entry = RTM_NEWRULE,
                 .deletion = RTM_DELRULE,
                 .header = sizeof(fib_rule_hdr),
                 .ask = [&](MessageBuffer& request, u32) { request.fixed_header<fib_rule_hdr>().family = listed; },
                 .question = RTM_GETRULE,
                 .selects = [&](nlmsghdr const& entry, u32) { return selects(s, entry, family); }});
}

}  // namespace nlstream::ip
