// ip neighbour flush ...: which neighbours go.
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "netlink/ip/flush.hpp"
#include "netlink/ip/neighbour.hpp"
#include "netlink/received.hpp"

namespace nlstream::ip {
namespace {

/// Deletions of a part. A neighbour is some cache lines of the kernel's, which it has just read to list it: a fourth of the
/// time is saved when it deletes it soon. Few are left out of a list of neighbours, which are in short buckets; proxies are in long ones.
constexpr u32 small_part = 1024;

/// Among the states: entries without any.
constexpr u32 no_state = 0x100;

struct Selection {
    u8 family = AF_UNSPEC;
    std::optional<u32> index;
    u32 master = 0;  // an index; ~0: none
    Address within;
    u32 states = ~u32{NUD_PERMANENT | NUD_NOARP};
    bool states_given = false;
    bool unused = false;
    u8 flags = 0;
    u32 protocol = 0;  // 0: any
};

std::string_view second_device(Selection const& s) { return s.index ? "a device was given before" : ""; }

void read_device(Line& line, Selection& s) { s.index = line.take_main_device(); }
void read_vrf(Line& line, Selection& s) { s.master = take_vrf(line); }
void read_states(Line& line, Selection& s) {
    auto const& word = line.take("STATE");
    u32 const state = word.text == "all" ? ~u32{NUD_NOARP} : read_neighbour_state(word);
    s.states = (s.states_given ? s.states : 0) | (state ? state : no_state);
    s.states_given = true;
}
void read_protocol(Line& line, Selection& s) { s.protocol = take_name_or_all(line, Names::Of::route_protocol).value_or(0); }
void read_to(Line& line, Selection& s) {
    s.within = read_prefix(line.take("PREFIX"), s.family);
    if (s.family == AF_UNSPEC) s.family = s.within.family;
}

constexpr Row rows[] = {
    {"dev",       "DEVICE",   custom<read_device>,                   "Neighbours on this link.", unless<second_device>},
    {"master",    "DEVICE",   device(keep<&Selection::master>),      "Neighbours on the ports of this link."},
    {"vrf",       "VRF",      custom<read_vrf>,                      "Neighbours on the links of this VRF."},
    {"nomaster",  "",         set(keep<&Selection::master>, 0xffffffff), "Neighbours on links that are no ports."},
    {"unused",    "",         set(keep<&Selection::unused>),         "Neighbours that nothing refers to."},
    {"nud",       "STATE",    custom<read_states>,                   "Neighbours in this state; several times: in any of these; all: all but noarp (default: all but permanent and noarp)."},
    {"proxy",     "",         set(keep<&Selection::flags>, NTF_PROXY), "Addresses that the host answers for."},
    {"protocol*", "PROTOCOL", custom<read_protocol>,                 "Neighbours made by PROTOCOL; all: by any."},
    {"to",        "PREFIX",   custom<read_to>,                       "Neighbours within PREFIX, with or without \"to\"."},
};
constexpr auto table = keywords<Selection>(rows);

bool selects(Selection const& s, nlmsghdr const& entry, u32 round) {
    auto const& head = *body_of<ndmsg>(entry);
    // What was deleted and is still in use stays for a while, as failed.
    auto const states = round == 0 ? s.states : s.states & ~u32{NUD_FAILED};
    if (s.family && s.family != head.ndm_family) return false;
    if (s.index && static_cast<int>(*s.index) != head.ndm_ifindex) return false;
    bool const state_fits = head.ndm_state ? (states & head.ndm_state) != 0 : (states & no_state) != 0;
    if (!state_fits && !(head.ndm_flags & (NTF_PROXY | NTF_EXT_LEARNED))) return false;
    Attributes<NDA_PROTOCOL> const neighbour(entry, sizeof head);
    if (s.protocol && s.protocol != neighbour.value<u8>(NDA_PROTOCOL)) return false;
    if (s.unused && neighbour[NDA_CACHEINFO] && neighbour.value<nda_cacheinfo>(NDA_CACHEINFO).ndm_refcnt) return false;
    return within(s.within, neighbour.payload(NDA_DST));
}

}  // namespace

Table flush_neighbours_table() { return table; }

void flush_neighbours(Line& line) {
    if (line.done()) fail_missing(line, "what to flush, such as dev DEVICE,");
    Selection s{.family = line.family};
    Reader reader(table, s);
    while (!line.done())
        if (!reader.read_one(line)) read_to(line, s);

    flush(line, {.what = "neighbours",
                 .entry = RTM_NEWNEIGH,
                 .deletion = RTM_DELNEIGH,
                 .header = sizeof(ndmsg),
                 .ask =
                     [&](MessageBuffer& request, u32) {
                         auto& head = request.fixed_header<ndmsg>();
                         head.ndm_family = s.family;
                         head.ndm_flags = s.flags;
                         if (s.index) request.put(NDA_IFINDEX, *s.index);
                         if (s.master) request.put(NDA_MASTER, s.master);
                     },
                 .question = RTM_GETNEIGH,
                 .selects = [&](nlmsghdr const& entry, u32 round) { return selects(s, entry, round); },
                 .part = s.flags & NTF_PROXY ? Flush::large_part : small_part});
}

}  // namespace nlstream::ip
