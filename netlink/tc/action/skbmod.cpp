// tc ... action skbmod: change the Ethernet header, mark congestion.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_skbmod.h>

#include <array>
#include <cstring>

#include "netlink/address.hpp"
#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Skbmod {
    u64 flags = 0;
    u16 ether_type = 0;
    std::array<u8, 6> destination{};
    std::array<u8, 6> source{};
};

/// "set" and "swap" only announce the keyword that follows.
void read_verb(Line& line, Skbmod&) {
    if (line.done()) fail_missing(line, "what to change: mac, dmac MAC, smac MAC or etype TYPE");
}
void read_etype(Line& line, Skbmod& s) {
    s.ether_type = static_cast<u16>(read_number(line.take("TYPE"), 0, 0xffff));
    s.flags |= SKBMOD_F_ETYPE;
}
void read_dmac(Line& line, Skbmod& s) {
    s.destination = read_mac(line.take("MAC"));
    s.flags |= SKBMOD_F_DMAC;
}
void read_smac(Line& line, Skbmod& s) {
    s.source = read_mac(line.take("MAC"));
    s.flags |= SKBMOD_F_SMAC;
}

constexpr Row rows[] = {
    {"swap*",  "",     custom<read_verb>,                                      "Comes before mac."},
    {"mac*",   "",     set(add_bits<&Skbmod::flags>, SKBMOD_F_SWAPMAC),        "Exchange the two MAC addresses."},
    {"set*",   "",     custom<read_verb>,                                      "Comes before dmac, smac and etype."},
    {"etype*", "TYPE", custom<read_etype>,                                     "The EtherType becomes TYPE, a number."},
    {"dmac*",  "MAC",  custom<read_dmac>,                                      "The destination address becomes MAC."},
    {"smac*",  "MAC",  custom<read_smac>,                                      "The source address becomes MAC."},
    {"ecn*",   "",     set(add_bits<&Skbmod::flags>, SKBMOD_F_ECN),            "Mark congestion in the IP header."},
};
constexpr auto table = keywords<Skbmod>(rows);

void read(Line& line) {
    Skbmod s;
    Reader reader(table, s);
    do skip_name(line, "skbmod", "what to do: set, swap or ecn");
    while (reader.read_one(line));
    tc_skbmod parms;
    std::memset(&parms, 0, sizeof parms);  // its padding is sent too
    bool const indexed = read_action_end(line, parms, TC_ACT_PIPE, action_end_any_base_table);
    if (!s.flags && !indexed) fail_missing(line, "what to do: set, swap or ecn");
    parms.flags = s.flags;
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_SKBMOD_PARMS, parms);
        line.source_keyword("dmac");
        if (s.flags & SKBMOD_F_DMAC) line.out.put(TCA_SKBMOD_DMAC, s.destination);
        line.source_keyword("etype");
        if (s.ether_type) line.out.put(TCA_SKBMOD_ETYPE, s.ether_type);
        line.source_keyword("smac");
        if (s.flags & SKBMOD_F_SMAC) line.out.put(TCA_SKBMOD_SMAC, s.source);
    });
}

}  // namespace

extern constinit ActionKind const skbmod_action = {
    {"action", "skbmod", "Changes the Ethernet header, marks congestion.", {{{"", table}, {"end", action_end_any_base_table}}}}, read};

}  // namespace nlstream::tc
