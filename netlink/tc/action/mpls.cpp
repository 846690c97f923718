// tc ... action mpls: push, pop and change MPLS labels.
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_mpls.h>

#include "netlink/ether_protocol.hpp"
#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Mpls {
    int action = 0;       // TCA_MPLS_ACT_*; 0: not given
    u16 protocol = 0;     // host byte order; 0: not given
    u32 label = ~0u;      // ~0: not given; likewise below
    u8 traffic_class = 0xff;
    u8 ttl = 0;           // 0: not given
    u8 bottom = 0xff;
};

bool adds_label(Mpls const& m) { return m.action == TCA_MPLS_ACT_PUSH || m.action == TCA_MPLS_ACT_MAC_PUSH; }

std::string_view second_action(Mpls const& m) { return m.action ? "what to do was given before" : ""; }
std::string_view without_label(Mpls const& m) { return adds_label(m) || m.action == TCA_MPLS_ACT_MODIFY ? "" : "it needs push, mac_push or modify before it"; }
std::string_view without_type(Mpls const& m) { return adds_label(m) || m.action == TCA_MPLS_ACT_POP ? "" : "it needs push, mac_push or pop before it"; }

void read_protocol(Line& line, Mpls& m) {
    auto const& word = line.take("PROTOCOL");
    m.protocol = read_ether_protocol(word);
    if (adds_label(m) && m.protocol && m.protocol != ETH_P_MPLS_UC && m.protocol != ETH_P_MPLS_MC) fail_value(word, "a protocol", "mpls_uc or mpls_mc");
}

constexpr Row rows[] = {
    {"pop*",      "",         set(keep<&Mpls::action>, TCA_MPLS_ACT_POP),      "Remove the outer label.", unless<second_action>},
    {"push*",     "",         set(keep<&Mpls::action>, TCA_MPLS_ACT_PUSH),     "Add a label before the network header.", unless<second_action>},
    {"modify*",   "",         set(keep<&Mpls::action>, TCA_MPLS_ACT_MODIFY),   "Change the outer label.", unless<second_action>},
    {"mac_push*", "",         set(keep<&Mpls::action>, TCA_MPLS_ACT_MAC_PUSH), "Add a label before the Ethernet header.", unless<second_action>},
    {"dec_ttl*",  "",         set(keep<&Mpls::action>, TCA_MPLS_ACT_DEC_TTL),  "Take one from the outer label's TTL.", unless<second_action>},
    {"label*",    "LABEL",    U32(keep<&Mpls::label>).in(0, 0xfffff),          "The label.", unless<without_label>},
    {"tc*",       "CLASS",    U8(keep<&Mpls::traffic_class>).in(0, 7),         "The label's traffic class.", unless<without_label>},
    {"ttl*",      "TTL",      U8(keep<&Mpls::ttl>).in(1, 255),                 "The label's time to live.", unless<without_label>},
    {"bos*",      "0|1",      U8(keep<&Mpls::bottom>).in(0, 1),                "Whether it is the bottom of the stack.", unless<without_label>},
    {"protocol*", "PROTOCOL", custom<read_protocol>,                           "pop: what follows, such as ip; push: mpls_uc (default) or mpls_mc.", unless<without_type>},
};
constexpr auto table = keywords<Mpls>(rows);

void read(Line& line) {
    Mpls m;
    tc_mpls parms = tc_mpls();
    if (line.at("index")) {
        // An action that exists.
        ActionEnd end;
        Reader(action_end_table, end).read_one(line);
        parms.index = end.index;
    } else {
        Reader reader(table, m);
        reader.read_some(line);
        if (!m.action && line.done()) fail_missing(line, "pop, push, mac_push, modify or dec_ttl");
        if (!m.action) reader.fail_unknown(line);
        read_action_end(line, parms, TC_ACT_PIPE);
        if (m.action == TCA_MPLS_ACT_PUSH && m.label == ~0u) fail_missing(line, "label LABEL");
        if (m.action == TCA_MPLS_ACT_POP && !m.protocol) fail_missing(line, "protocol PROTOCOL");
    }
    parms.m_action = m.action;
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_MPLS_PARMS, parms);
        line.source_keyword("label");
        if (m.label != ~0u) line.out.put(TCA_MPLS_LABEL, m.label);
        line.source_keyword("protocol");
        if (m.protocol) line.out.put(TCA_MPLS_PROTO, big16(m.protocol));
        line.source_keyword("tc");
        if (m.traffic_class != 0xff) line.out.put(TCA_MPLS_TC, m.traffic_class);
        line.source_keyword("ttl");
        if (m.ttl) line.out.put(TCA_MPLS_TTL, m.ttl);
        line.source_keyword("bos");
        if (m.bottom != 0xff) line.out.put(TCA_MPLS_BOS, m.bottom);
    });
}

}  // namespace

extern constinit ActionKind const mpls_action = {{"action", "mpls", "Pushes, pops and changes MPLS labels.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
