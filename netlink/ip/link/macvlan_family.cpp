#include "netlink/ip/link/macvlan_family.hpp"

#include "netlink/address.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Macvlan {
    u32 mode = 0;
    u16 flags = 0;
    bool flags_given = false;
};

constexpr NamedValue modes[] = {{"private", MACVLAN_MODE_PRIVATE}, {"vepa", MACVLAN_MODE_VEPA}, {"bridge", MACVLAN_MODE_BRIDGE},
                                {"passthru", MACVLAN_MODE_PASSTHRU}, {"source", MACVLAN_MODE_SOURCE}};
constexpr NamedValue flags[] = {{"nopromisc", MACVLAN_FLAG_NOPROMISC}, {"nodst", MACVLAN_FLAG_NODST}, {"null", 0}};
constexpr NamedValue changes_of_list[] = {{"add", MACVLAN_MACADDR_ADD}, {"del", MACVLAN_MACADDR_DEL}, {"set", MACVLAN_MACADDR_SET}, {"flush", MACVLAN_MACADDR_FLUSH}};

void add_flag(Macvlan& m, u64 flag) {
    m.flags = static_cast<u16>(m.flags | flag);
    m.flags_given = true;
}
void read_named_flag(Line& line, Macvlan& m) { add_flag(m, read_choice(line.take("FLAG"), flags, "flag")); }
template <u16 Flag>
void read_flag(Line&, Macvlan& m) { add_flag(m, Flag); }

/// "add MAC", "del MAC", "set [MAC...]" or "flush".
void read_macaddr(Line& line, Macvlan&) {
    auto const change = static_cast<u32>(read_choice(line.take("CHANGE"), changes_of_list, "macaddr"));
    line.out.put(IFLA_MACVLAN_MACADDR_MODE, change);
    if (change == MACVLAN_MACADDR_ADD || change == MACVLAN_MACADDR_DEL) line.out.put(IFLA_MACVLAN_MACADDR, read_mac(line.take("MAC")));
    if (change != MACVLAN_MACADDR_SET) return;
    line.out.nest(IFLA_MACVLAN_MACADDR_DATA, [&] {
        while (!line.done()) {
            auto const address = parse_address(line.peek().text, AF_PACKET);
            if (!address || address->length != 6) return;
            line.out.put(IFLA_MACVLAN_MACADDR, read_mac(line.take("MAC")));
        }
    });
}

constexpr Row rows[] = {
    {"mode*",       "MODE",   one_of(modes, {kept, 4, false, keep<&Macvlan::mode>}), "How links on the same one reach each other: private, vepa (default), bridge, passthru or source."},
    {"flag*",       "FLAG",   custom<read_named_flag>,                               "nopromisc, nodst, or null for none."},
    {"macaddr*",    "CHANGE", custom<read_macaddr>,                                  "Mode source, who may send: add MAC, del MAC, set MAC..., or flush."},
    {"nopromisc*",  "",       custom<read_flag<MACVLAN_FLAG_NOPROMISC>>,             "Mode passthru: the link below stays out of promiscuous mode."},
    {"nodst*",      "",       custom<read_flag<MACVLAN_FLAG_NODST>>,                 "Mode source: do not look at destinations."},
    {"bcqueuelen*", "COUNT",  U32(IFLA_MACVLAN_BC_QUEUE_LEN),                        "Length of the queue for broadcasts."},
    {"bclim",       "COUNT",  S32(uapi::IFLA_MACVLAN_BC_CUTOFF),                     "Links from which on a broadcast is queued (-1: never)."},
};
constexpr auto table = keywords<Macvlan>(rows);

}  // namespace

Table macvlan_table() { return table; }

void read_macvlan(Line& line) {
    Macvlan m;
    Reader(table, m).read_all(line);
    line.source_keyword("mode");
    if (m.mode) line.out.put(IFLA_MACVLAN_MODE, m.mode);
    if (!m.flags_given) return;
    if (m.flags & MACVLAN_FLAG_NOPROMISC && m.mode != MACVLAN_MODE_PASSTHRU) fail_use(line.last(), "nopromisc needs mode passthru");
    line.out.put(IFLA_MACVLAN_FLAGS, m.flags);
}

}  // namespace nlstream::ip
