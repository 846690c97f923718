// tc ... action sample: copies of some packets go to a psample group.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_sample.h>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Sample {
    u32 rate = 0;
    u32 group = 0;
    u32 truncate = 0;
};

constexpr Row rows[] = {
    {"rate*",  "N",     U32(keep<&Sample::rate>).dec(),     "One packet in N, on average."},
    {"group*", "GROUP", U32(keep<&Sample::group>).dec(),    "The psample group that copies go to."},
    {"trunc*", "BYTES", U32(keep<&Sample::truncate>).dec(), "Copy only the first BYTES."},
};
constexpr auto table = keywords<Sample>(rows);

void read(Line& line) {
    Sample s;
    Reader reader(table, s);
    reader.read_some(line);
    tc_sample parms = tc_sample();
    read_action_end(line, parms, TC_ACT_PIPE);
    if (!parms.index && !reader.seen("group")) fail_missing(line, "group GROUP");
    if (!parms.index && !reader.seen("rate")) fail_missing(line, "rate N");
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_SAMPLE_PARMS, parms);
        line.source_keyword("rate");
        if (reader.seen("rate")) line.out.put(TCA_SAMPLE_RATE, s.rate);
        line.source_keyword("group");
        if (reader.seen("group")) line.out.put(TCA_SAMPLE_PSAMPLE_GROUP, s.group);
        line.source_keyword("trunc");
        if (reader.seen("trunc")) line.out.put(TCA_SAMPLE_TRUNC_SIZE, s.truncate);
    });
}

}  // namespace

extern constinit ActionKind const sample_action = {
    {"action", "sample", "Copies of some packets go to a psample group.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
