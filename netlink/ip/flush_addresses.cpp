// ip address flush ...: which addresses go.
#include <fnmatch.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>

#include "netlink/attributes.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/quantity.hpp"

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

/// iproute2 reads these words and deletes the addresses of all links nevertheless.
void refuse_what_is_the_links(Word const& word) {
    for (auto const* of_link : {"up", "down", "group", "master", "nomaster", "vrf", "type"})
        if (word.text == of_link) fail_use(word, "addresses cannot be flushed by what their link is: name the link");
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

bool selects(Line& line, Selection const& s, nlmsghdr const& entry) {
    auto const& head = *static_cast<ifaddrmsg const*>(mnl_nlmsg_get_payload(&entry));
    Attributes<IFA_PROTO> const address(entry, sizeof head);
    if (s.index && s.index != head.ifa_index) return false;
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
        refuse_what_is_the_links(line.peek());
        if (reader.read_one(line)) continue;
        if (s.device_given) reader.fail_unknown(line);
        read_device(line, s);
    }
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
                 .selects = [&](nlmsghdr const& entry, u32) { return selects(line, s, entry); },
                 .most_rounds = only_primary ? 1u : 10u,
                 .may_leave_some = only_primary});
}

}  // namespace nlstream::ip
