// ip address flush ...: which addresses go.
#include <fnmatch.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include <unordered_set>

#include "netlink/ip/flush.hpp"
#include "netlink/quantity.hpp"
#include "netlink/received.hpp"

namespace nlstream::ip {
namespace {

struct Selection {
    u8 family = AF_UNSPEC;
    u32 index = 0;
    bool device_given = false;
    Address within;
    std::optional<u32> scope;
    u32 flags = 0;
    u32 flags_mask = 0;
    Word const* label = nullptr;
    std::optional<u8> protocol;
    // Of the link:
    bool up = false;
    bool down = false;
    std::optional<u32> group;
    std::optional<u32> master;  // an index; 0: none
    std::string_view type;
    std::string_view port_type;

    bool by_link() const { return up || down || group || master || !type.empty() || !port_type.empty(); }
};

std::string_view second_device(Selection const& s) { return s.device_given ? "a device was given before" : ""; }

void read_to(Line& line, Selection& s) {
    s.within = read_prefix(line.take("PREFIX"), s.family);
    if (s.family == AF_UNSPEC) s.family = s.within.family;
}
void read_scope(Line& line, Selection& s) { s.scope = take_name_or_all(line, Names::Of::scope); }
void read_label(Line& line, Selection& s) { s.label = &line.take("PATTERN"); }
void read_device(Line& line, Selection& s) {
    s.index = line.take_main_device();
    s.device_given = true;
}

/// The word itself has the sign: "-dynamic".
template <u32 Flag, bool On>
void select_flag(Line& line, Selection& s) {
    bool const on = On != line.last().text.starts_with('-');
    s.flags = on ? s.flags | Flag : s.flags & ~Flag;
    s.flags_mask |= Flag;
}
void read_novf(Line&, Selection&) {}

void read_group(Line& line, Selection& s) { s.group = read_name(line, line.take("GROUP"), Names::Of::group); }
void read_vrf(Line& line, Selection& s) { s.master = take_vrf(line); }
void read_type(Line& line, Selection& s) {
    constexpr std::string_view of_port = "_slave";
    auto const type = line.take("TYPE").text;
    if (type.ends_with(of_port)) s.port_type = type.substr(0, type.size() - of_port.size());
    else s.type = type;
}

constexpr Row rows[] = {
    {"to",                            "PREFIX",   custom<read_to>,                                     "Addresses within PREFIX."},
    {"scope",                         "SCOPE",    custom<read_scope>,                                  "Addresses of this scope: global, link, host or a number; all: of any."},
    {"secondary|-secondary|temporary|-temporary", "", custom<select_flag<IFA_F_SECONDARY, true>>,      "Secondary (IPv6: temporary) addresses, or, with a minus sign as with all that follow, the others."},
    {"primary|-primary",              "",         custom<select_flag<IFA_F_SECONDARY, false>>,         "Primary addresses."},
    {"nodad|-nodad",                  "",         custom<select_flag<IFA_F_NODAD, true>>,              "Addresses that are not checked for duplicates."},
    {"optimistic|-optimistic",        "",         custom<select_flag<IFA_F_OPTIMISTIC, true>>,         "Addresses that are used while being checked."},
    {"dadfailed|-dadfailed",          "",         custom<select_flag<IFA_F_DADFAILED, true>>,          "Addresses that are duplicates."},
    {"home|-home",                    "",         custom<select_flag<IFA_F_HOMEADDRESS, true>>,        "Home addresses."},
    {"deprecated|-deprecated",        "",         custom<select_flag<IFA_F_DEPRECATED, true>>,         "Addresses that are no longer preferred."},
    {"tentative|-tentative",          "",         custom<select_flag<IFA_F_TENTATIVE, true>>,          "Addresses that are being checked for duplicates."},
    {"permanent|-permanent",          "",         custom<select_flag<IFA_F_PERMANENT, true>>,          "Addresses without a lifetime."},
    {"dynamic|-dynamic",              "",         custom<select_flag<IFA_F_PERMANENT, false>>,         "Addresses with a lifetime."},
    {"mngtmpaddr|-mngtmpaddr",        "",         custom<select_flag<IFA_F_MANAGETEMPADDR, true>>,     "Addresses that temporary ones are derived from."},
    {"noprefixroute|-noprefixroute",  "",         custom<select_flag<IFA_F_NOPREFIXROUTE, true>>,      "Addresses without a route to their prefix."},
    {"autojoin|-autojoin",            "",         custom<select_flag<IFA_F_MCAUTOJOIN, true>>,         "Multicast addresses that the kernel joins."},
    {"stable-privacy|-stable-privacy", "",        custom<select_flag<IFA_F_STABLE_PRIVACY, true>>,     "Addresses derived from a secret."},
    {"label",                         "PATTERN",  custom<read_label>,                                  "Addresses whose label (or link) fits the pattern, with *, ? and [...]."},
    {"proto",                         "N",        U8(keep<&Selection::protocol>),                      "Addresses made by the protocol N, and those made by none."},
    {"up",                            "",         set(keep<&Selection::up>),                           "Addresses of links that are up."},
    {"down",                          "",         set(keep<&Selection::down>),                         "Addresses of links that are down."},
    {"group",                         "GROUP",    custom<read_group>,                                  "Addresses of the links in GROUP."},
    {"master",                        "DEVICE",   device(keep<&Selection::master>),                    "Addresses of the ports of this link."},
    {"vrf",                           "VRF",      custom<read_vrf>,                                    "Addresses of the links of this VRF."},
    {"nomaster",                      "",         set(keep<&Selection::master>, 0),                    "Addresses of links that are no ports."},
    {"type",                          "TYPE",     custom<read_type>,                                   "Addresses of links of this type; TYPE_slave: of ports of a link of this type."},
    {"novf",                          "",         custom<read_novf>,                                   "Nothing: kept for lines that have it."},
    {"dev",                           "DEVICE",   custom<read_device>,                                 "Addresses of this link, with or without \"dev\".", unless<second_device>},
};
constexpr auto table = keywords<Selection>(rows);

bool fits_label(Line& line, Word const& pattern, std::span<u8 const> label, u32 index) {
    std::string name;
    if (!label.empty()) name.assign(reinterpret_cast<char const*>(label.data()), ::strnlen(reinterpret_cast<char const*>(label.data()), label.size()));
    else if (auto const link = line.kernel.link(index)) name = link->name;
    return ::fnmatch(std::string(pattern.text).c_str(), name.c_str(), 0) == 0;
}

bool selects_link(Selection const& s, nlmsghdr const& entry) {
    auto const& head = *body_of<ifinfomsg>(entry);
    Attributes<IFLA_GROUP> const link(entry, sizeof head);
    bool const up = head.ifi_flags & IFF_UP;
    if ((s.up && !up) || (s.down && up)) return false;
    if (s.group && *s.group != link.value<u32>(IFLA_GROUP)) return false;
    if (s.master && *s.master != link.value<u32>(IFLA_MASTER)) return false;
    std::string_view type, port_type;
    if (auto const* info = link[IFLA_LINKINFO])
        for_each_attribute(*info, [&](nlattr const& detail) {
            if (type_of(detail) == IFLA_INFO_KIND) type = text_of(detail);
            if (type_of(detail) == IFLA_INFO_SLAVE_KIND) port_type = text_of(detail);
        });
    return (s.type.empty() || s.type == type) && (s.port_type.empty() || s.port_type == port_type);
}

using Indices = std::unordered_set<u32>;

/// The links that the line selects by what they are.
Indices list_links(Line& line, Selection const& s) {
    line.require_settled();
    MessageBuffer request;
    request.begin(RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP);
    request.fixed_header<ifinfomsg>().ifi_family = AF_UNSPEC;
    request.put(IFLA_EXT_MASK, u32{RTEXT_FILTER_SKIP_STATS});
    request.end();
    Indices found;
    line.kernel.dump(request.bytes(), [&](nlmsghdr const& entry) {
        auto const* link = body_of<ifinfomsg>(entry);
        if (entry.nlmsg_type == RTM_NEWLINK && link && selects_link(s, entry)) found.insert(static_cast<u32>(link->ifi_index));
    });
    return found;
}

bool selects(Line& line, Selection const& s, Indices const& links, nlmsghdr const& entry) {
    auto const& head = *body_of<ifaddrmsg>(entry);
    Attributes<IFA_PROTO> const address(entry, sizeof head);
    if (s.index && s.index != head.ifa_index) return false;
    if (s.by_link() && !links.contains(head.ifa_index)) return false;
    if (s.scope && *s.scope != head.ifa_scope) return false;
    if ((s.flags ^ address.value<u32>(IFA_FLAGS, head.ifa_flags)) & s.flags_mask) return false;
    if (s.family && s.family != head.ifa_family) return false;
    if (s.protocol && address[IFA_PROTO] && *s.protocol != address.value<u8>(IFA_PROTO)) return false;
    if (s.label && !fits_label(line, *s.label, address.payload(IFA_LABEL), head.ifa_index)) return false;
    auto const local = address.payload(IFA_LOCAL);
    return within(s.within, local.empty() ? address.payload(IFA_ADDRESS) : local);
}

}  // namespace

Table flush_addresses_table() { return table; }

void flush_addresses(Line& line) {
    if (line.done()) fail_missing(line, "what to flush, such as dev DEVICE,");
    if (line.family == AF_PACKET) fail_use(line.last(), "link-layer addresses cannot be flushed");
    Selection s{.family = line.family};
    Reader reader(table, s);
    while (!line.done()) {
        if (reader.read_one(line)) continue;
        if (s.device_given) reader.fail_unknown(line);
        read_device(line, s);
    }
    auto const links = s.by_link() ? list_links(line, s) : Indices();
    // Another round would delete the secondary addresses that took the places of the primary ones.
    bool const only_primary = s.flags_mask & IFA_F_SECONDARY && !(s.flags & IFA_F_SECONDARY);
    flush(line, {.what = "addresses",
                 .entry = RTM_NEWADDR,
                 .deletion = RTM_DELADDR,
                 .header = sizeof(ifaddrmsg),
                 .ask =
                     [&](MessageBuffer& request, u32) {
                         auto& head = request.fixed_header<ifaddrmsg>();
                         head.ifa_family = s.family;
                         head.ifa_index = s.index;
                     },
                 .question = RTM_GETADDR,
                 .selects = [&](nlmsghdr const& entry, u32) { return selects(line, s, links, entry); },
                 .most_rounds = only_primary ? 1u : 10u,
                 .may_leave_some = only_primary});
}

}  // namespace nlstream::ip
