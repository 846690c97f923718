// tc ... action ctinfo: the connection's mark becomes the packet's DSCP or mark.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_ctinfo.h>

#include <bit>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Ctinfo {
    u32 dscp_mask = 0;
    u32 dscp_state_mask = 0;
    u32 mark_mask = 0;
    u16 zone = 0;
};

/// Takes a mask if the next word is a number.
std::optional<u32> take_mask(Line& line) {
    if (line.done()) return {};
    auto const mask = parse_number(line.peek().text);
    if (!mask) return {};
    line.take("MASK");
    return static_cast<u32>(*mask);
}

void read_dscp(Line& line, Ctinfo& c) {
    auto const& word = line.take("MASK");
    c.dscp_mask = static_cast<u32>(read_number(word));
    if (c.dscp_mask && c.dscp_mask >> std::countr_zero(c.dscp_mask) != 0x3f) fail_value(word, "a DSCP mask", "six bits side by side, such as 0xfc000000");
    c.dscp_state_mask = take_mask(line).value_or(0);
    if (c.dscp_mask & c.dscp_state_mask) fail_use(line.last(), "it overlaps the mask before it");
}
void read_cpmark(Line& line, Ctinfo& c) { c.mark_mask = take_mask(line).value_or(~0u); }

// In the order in which they have to stand.
constexpr Row rows[] = {
    {"dscp*",   "MASK [STATEMASK]", custom<read_dscp>,                  "The DSCP is in the six bits MASK of the mark, valid if a bit of STATEMASK is set."},
    {"cpmark*", "[MASK]",           custom<read_cpmark>,                "The packet's mark becomes the connection's, in the bits MASK (default all)."},
    {"zone*",   "ZONE",             U16(keep<&Ctinfo::zone>).dec(),     "The conntrack zone (default 0)."},
};
constexpr auto table = keywords<Ctinfo>(rows);

void read(Line& line) {
    skip_name(line, "ctinfo");
    Ctinfo c;
    Reader reader(table, c);
    for (auto const& row : rows) reader.read_if(line, name_of(row));
    tc_ctinfo parms = tc_ctinfo();
    read_action_end(line, parms, TC_ACT_PIPE);
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_CTINFO_ACT, parms);
        line.source_keyword("zone");
        line.out.put(TCA_CTINFO_ZONE, c.zone);
        line.source_keyword("dscp");
        if (c.dscp_mask) line.out.put(TCA_CTINFO_PARMS_DSCP_MASK, c.dscp_mask);
        if (c.dscp_state_mask) line.out.put(TCA_CTINFO_PARMS_DSCP_STATEMASK, c.dscp_state_mask);
        line.source_keyword("cpmark");
        if (c.mark_mask) line.out.put(TCA_CTINFO_PARMS_CPMARK_MASK, c.mark_mask);
    });
}

}  // namespace

extern constinit ActionKind const ctinfo_action = {
    {"action", "ctinfo", "The connection's mark becomes the packet's DSCP or mark.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
