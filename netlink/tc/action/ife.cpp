// tc ... action ife: put metadata into an Ethernet frame around the packet, and take it out again.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_ife.h>

#include <array>
#include <cstring>
#include <optional>

#include "netlink/address.hpp"
#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Ife {
    std::optional<u16> direction;  // IFE_ENCODE or IFE_DECODE
    u32 allowed = 0;               // bit IFE_META_*: send what the packet has
    u32 mark = 0;                  // not 0: send this instead
    u32 prio = 0;
    u16 tcindex = 0;
    std::optional<std::array<u8, 6>> destination;
    std::optional<std::array<u8, 6>> source;
    std::optional<u16> type;
};

constexpr NamedValue metadata[] = {{"mark*", IFE_META_SKBMARK}, {"prio*", IFE_META_PRIO}, {"tcindex*", IFE_META_TCINDEX}};

void read_encode(Line&, Ife& i) { i.direction = u16{IFE_ENCODE}; }
void read_decode(Line&, Ife& i) { i.direction = u16{IFE_DECODE}; }
void read_allow(Line& line, Ife& i) { i.allowed |= 1u << read_choice(line.take("DATA"), metadata, "allow"); }
void read_use(Line& line, Ife& i) {
    auto const what = read_choice(line.take("DATA"), metadata, "use");
    auto const value = static_cast<u32>(read_number(line.take("VALUE"), 0, what == IFE_META_TCINDEX ? 0xffff : 0xffffffff));
    if (what == IFE_META_SKBMARK) i.mark = value;
    if (what == IFE_META_PRIO) i.prio = value;
    if (what == IFE_META_TCINDEX) i.tcindex = static_cast<u16>(value);
}
void read_type(Line& line, Ife& i) { i.type = static_cast<u16>(read_number(line.take("TYPE"), 0, 0xffff)); }
void read_dst(Line& line, Ife& i) { i.destination = read_mac(line.take("MAC")); }
void read_src(Line& line, Ife& i) { i.source = read_mac(line.take("MAC")); }

constexpr Row rows[] = {
    {"decode*", "",           custom<read_decode>, "Take the metadata out."},
    {"encode*", "",           custom<read_encode>, "Put the metadata in."},
    {"allow*",  "DATA",       custom<read_allow>,  "Send the packet's own mark, prio or tcindex."},
    {"use*",    "DATA VALUE", custom<read_use>,    "Send VALUE as mark, prio or tcindex."},
    {"type*",   "TYPE",       custom<read_type>,   "The frame's EtherType, a number (default 0xed3e)."},
    {"dst*",    "MAC",        custom<read_dst>,    "The frame's destination address."},
    {"src*",    "MAC",        custom<read_src>,    "The frame's source address."},
};
constexpr auto table = keywords<Ife>(rows);

template <class T>
void put_metadata(Line& line, Ife const& i, u16 attribute, T value) {
    if (value) line.out.put(attribute, value);
    else if (i.allowed >> attribute & 1) line.out.put_flag(attribute);
}

void read(Line& line) {
    Ife i;
    Reader reader(table, i);
    do skip_name(line, "ife", "encode or decode");
    while (reader.read_one(line));
    tc_ife parms;
    std::memset(&parms, 0, sizeof parms);  // its padding is sent too
    bool const indexed = read_action_end(line, parms, TC_ACT_PIPE, action_end_any_base_table);
    if (!i.direction && !indexed) fail_missing(line, "encode or decode");
    parms.flags = i.direction.value_or(0);
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_IFE_PARMS, parms);
        if (parms.flags != IFE_ENCODE) return;
        line.source_keyword("dst");
        if (i.destination) line.out.put(TCA_IFE_DMAC, *i.destination);
        line.source_keyword("type");
        if (i.type) line.out.put(TCA_IFE_TYPE, *i.type);
        line.source_keyword("src");
        if (i.source) line.out.put(TCA_IFE_SMAC, *i.source);
        line.source_keyword("encode");
        line.out.nest(TCA_IFE_METALST, [&] {
            put_metadata(line, i, IFE_META_SKBMARK, i.mark);
            put_metadata(line, i, IFE_META_PRIO, i.prio);
            put_metadata(line, i, IFE_META_TCINDEX, i.tcindex);
        });
    });
}

}  // namespace

extern constinit ActionKind const ife_action = {
    {"action", "ife", "Puts metadata into an Ethernet frame around the packet, or takes it out.", {{{"", table}, {"end", action_end_any_base_table}}}}, read};

}  // namespace nlstream::tc
