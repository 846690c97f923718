// ip route ... encap seg6local: what is done with packets whose segment is this node's.
#include <linux/seg6_local.h>

#include "netlink/address.hpp"
#include "netlink/bpf.hpp"
#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/encap/segments.hpp"

namespace nlstream::ip {
namespace {

struct Seg6Local {
    u32 action = SEG6_LOCAL_ACTION_UNSPEC;
    Word const* segments = nullptr;
    u32 hmac = 0;
};

constexpr NamedValue actions[] = {
    {"End", SEG6_LOCAL_ACTION_END},           {"End.X", SEG6_LOCAL_ACTION_END_X},     {"End.T", SEG6_LOCAL_ACTION_END_T},       {"End.DX2", SEG6_LOCAL_ACTION_END_DX2},
    {"End.DX6", SEG6_LOCAL_ACTION_END_DX6},   {"End.DX4", SEG6_LOCAL_ACTION_END_DX4}, {"End.DT6", SEG6_LOCAL_ACTION_END_DT6},   {"End.DT4", SEG6_LOCAL_ACTION_END_DT4},
    {"End.B6", SEG6_LOCAL_ACTION_END_B6},     {"End.B6.Encaps", SEG6_LOCAL_ACTION_END_B6_ENCAP}, {"End.BM", SEG6_LOCAL_ACTION_END_BM}, {"End.S", SEG6_LOCAL_ACTION_END_S},
    {"End.AS", SEG6_LOCAL_ACTION_END_AS},     {"End.AM", SEG6_LOCAL_ACTION_END_AM},   {"End.BPF", SEG6_LOCAL_ACTION_END_BPF},   {"End.DT46", SEG6_LOCAL_ACTION_END_DT46},
};
constexpr std::string_view flavors[] = {"", "psp", "usp", "usd", "next-csid"};  // by SEG6_LOCAL_FLV_OP_*

/// FLAVOR[,FLAVOR...], letters of either case -> one bit each.
u32 read_flavor_bits(Word const& word) {
    u32 bits = 0;
    for (auto rest = word.text; !rest.empty();) {
        auto const comma = rest.find(',');
        auto const name = rest.substr(0, comma);
        rest.remove_prefix(comma == rest.npos ? rest.size() : comma + 1);
        if (name.empty()) continue;
        u32 flavor = SEG6_LOCAL_FLV_OP_PSP;
        while (flavor < std::size(flavors) && !equal_ignoring_case(flavors[flavor], name)) ++flavor;
        if (flavor == std::size(flavors)) fail_value(word, "a list of flavors", "psp, usp, usd or next-csid, with commas between");
        if (bits >> flavor & 1) fail_use(word, "a flavor is given twice");
        bits |= 1u << flavor;
    }
    if (!bits) fail_value(word, "a list of flavors", "psp, usp, usd or next-csid, with commas between");
    return bits;
}

void read_flavors(Line& line, Seg6Local&) {
    auto const bits = read_flavor_bits(line.take("FLAVORS"));
    line.out.nest(SEG6_LOCAL_FLAVORS | NLA_F_NESTED, [&] {
        line.out.put(SEG6_LOCAL_FLV_OPERATION, bits);
        if (!(bits & 1u << SEG6_LOCAL_FLV_OP_NEXT_CSID)) return;
        if (line.take_if("lblen")) line.out.put(SEG6_LOCAL_FLV_LCBLOCK_BITS, static_cast<u8>(read_number(line.take("BITS"), 0, 0xff)));
        if (line.take_if("nflen")) line.out.put(SEG6_LOCAL_FLV_LCNODE_FN_BITS, static_cast<u8>(read_number(line.take("BITS"), 0, 0xff)));
    });
}
void put_counters(Line& line, Seg6Local&) {
    line.out.nest(SEG6_LOCAL_COUNTERS | NLA_F_NESTED, [&] {
        for (u16 const counter : {SEG6_LOCAL_CNT_PACKETS, SEG6_LOCAL_CNT_BYTES, SEG6_LOCAL_CNT_ERRORS}) line.out.put(counter, u64{0});
    });
}
void read_header(Line& line, Seg6Local& s) {
    auto const& word = line.take("segs");
    if (word.text != "segs") fail_value(word, "\"segs\"", "segs ADDRESS[,ADDRESS...]");
    s.segments = &line.take("ADDRESS[,ADDRESS...]");
    if (line.take_if("hmac")) s.hmac = static_cast<u32>(read_number(line.take("KEY")));
}
void read_endpoint(Line& line, Seg6Local&) {
    line.out.nest(SEG6_LOCAL_BPF | NLA_F_NESTED, [&] { put_program(line, program_for::seg6local, SEG6_LOCAL_BPF_PROG, SEG6_LOCAL_BPF_PROG_NAME); });
}

constexpr Row rows[] = {
    {"action",   "ACTION",  one_of(actions, {SEG6_LOCAL_ACTION, 4, false, keep<&Seg6Local::action>}), "What is done. Required.", {}, true},
    {"table",    "TABLE",   Name{{SEG6_LOCAL_TABLE, 4}, Names::Of::route_table},    "The routing table to look the next hop up in.", {}, true},
    {"vrftable", "TABLE",   Name{{SEG6_LOCAL_VRFTABLE, 4}, Names::Of::route_table}, "The routing table of a VRF to look the next hop up in.", {}, true},
    {"nh4",      "ADDRESS", AddressOf{SEG6_LOCAL_NH4, kept},                        "The next hop, IPv4.", {}, true},
    {"nh6",      "ADDRESS", AddressOf{kept, SEG6_LOCAL_NH6},                        "The next hop, IPv6.", {}, true},
    {"iif",      "DEVICE",  device(SEG6_LOCAL_IIF),                                 "As if it had come in here.", {}, true},
    {"oif",      "DEVICE",  device(SEG6_LOCAL_OIF),                                 "Send it out here.", {}, true},
    {"count",    "",        custom<put_counters>,                                   "Count packets.", {}, true},
    {"flavors",  "FLAVORS [lblen BITS] [nflen BITS]", custom<read_flavors>,         "Variants of the action: psp, usp, usd, next-csid; for next-csid the lengths of the locator's block and of its function.", {}, true},
    {"srh",      "segs ADDRESS[,ADDRESS...] [hmac KEY]", custom<read_header>,       "A new segment list.", {}, true},
    {"endpoint", "object FILE|pinned FILE", custom<read_endpoint>,                              "The BPF program of End.BPF.", {}, true},
};
constexpr auto table = keywords<Seg6Local>(rows);

void read(Line& line) {
    Seg6Local s;
    Reader(table, s).read_some(line);
    if (!s.action) fail_use(line.done() ? line.last() : line.peek(), "action ACTION is missing");
    if (!s.segments) return;
    auto const header = read_segment_routing(*s.segments, s.hmac, s.action != SEG6_LOCAL_ACTION_END_B6_ENCAP);
    line.out.source(s.segments->span);
    line.out.put(SEG6_LOCAL_SRH, header.bytes.data(), header.length);
}

}  // namespace

extern constinit EncapKind const seg6local_encap = {{"encap", "seg6local", "What is done with packets whose SRv6 segment is this node's.", {{{"", table}}}}, LWTUNNEL_ENCAP_SEG6_LOCAL, read};

}  // namespace nlstream::ip
