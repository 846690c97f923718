// tc qdisc ... red: random early detection.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"
#include "netlink/tc/red.hpp"

namespace nlstream::tc {
namespace {

struct Red {
    u32 limit = 0;  // bytes
    u32 min = 0;    // bytes
    u32 max = 0;    // bytes
    u32 burst = 0;  // packets
    u32 avpkt = 0;  // bytes
    u32 bandwidth = red_default_rate;
    double probability = 0.02;
    u32 flags = 0;
    u32 early_drop_block = 0;
    u32 mark_block = 0;
};

void read_bandwidth(Line& line, Red& r) {
    r.bandwidth = read_rate32_or_share(line, line.take("RATE"));
    if (!r.bandwidth) r.bandwidth = red_default_rate;
}
void read_red_probability(Line& line, Red& r) { r.probability = read_probability(line); }

constexpr NamedValue events[] = {{"early_drop", 0}, {"mark", 1}};

void read_event(Line& line, Red& r) {
    auto const& word = line.take("EVENT");
    auto& block = read_choice(word, events, "qevent") ? r.mark_block : r.early_drop_block;
    if (block) fail_use(word, "it was given before");
    if (!line.take_if("block")) fail_missing(line, "block INDEX");
    block = static_cast<u32>(read_number(line.take("INDEX"), 1, 0xffffffff, 10));
}

constexpr Row rows[] = {
    {"limit",               "BYTES",             Size{{kept, 4, false, keep<&Red::limit>}},      "Bytes that may wait. Required."},
    {"min",                 "BYTES",             Size{{kept, 4, false, keep<&Red::min>}},        "Drop none while the average queue is shorter (default max / 3)."},
    {"max",                 "BYTES",             Size{{kept, 4, false, keep<&Red::max>}},        "Drop all while the average queue is longer (default 3 min, or limit / 4)."},
    {"burst",               "PACKETS",           U32(keep<&Red::burst>),                         "A burst that passes an empty queue (default (2 min + max) / (3 avpkt))."},
    {"avpkt",               "BYTES",             Size{{kept, 4, false, keep<&Red::avpkt>}},      "The average packet. Required."},
    {"probability",         "PROBABILITY",       custom<read_red_probability>,                   "Of a drop when the average queue reaches max (default 0.02)."},
    {"bandwidth",           "RATE",              custom<read_bandwidth>,                         "The link's rate (default 10mbit)."},
    {"ecn",                 "",                  set(add_bits<&Red::flags>, TC_RED_ECN),         "Mark packets instead of dropping them."},
    {"harddrop",            "",                  set(add_bits<&Red::flags>, TC_RED_HARDDROP),    "Drop above max even with ecn."},
    {"nodrop",              "",                  set(add_bits<&Red::flags>, TC_RED_NODROP),      "Do not drop packets that cannot be marked."},
    {"adaptive|adaptative", "",                  set(add_bits<&Red::flags>, TC_RED_ADAPTATIVE),  "Adapt the probability to keep the average queue between min and max."},
    {"qevent*",             "EVENT block INDEX", custom<read_event>,                             "Run the filters of block INDEX on packets at early_drop or mark."},
};
constexpr auto table = keywords<Red>(rows);

void read(Line& line) {
    Red r;
    Reader(table, r).read_all(line);
    if (!r.limit) fail_missing(line, "limit BYTES");
    if (!r.avpkt) fail_missing(line, "avpkt BYTES");
    if (!r.max) r.max = r.min ? r.min * 3 : r.limit / 4;
    if (!r.min) r.min = r.max / 3;
    if (!r.burst) r.burst = (2 * r.min + r.max) / (3 * r.avpkt);

    tc_red_qopt parms{.limit = r.limit, .qth_min = r.min, .qth_max = r.max, .Wlog = 0, .Plog = 0, .Scell_log = 0, .flags = 0};
    RedTable damping;
    parms.Wlog = red_ewma_log(line, r.min, r.burst, r.avpkt);
    parms.Plog = red_probability_log(line, r.min, r.max, r.probability);
    parms.Scell_log = fill_red_table(line, damping, parms.Wlog, r.avpkt, r.bandwidth);
    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("limit");
        line.out.put(TCA_RED_PARMS, parms);
        line.source_keyword("bandwidth");
        line.out.put(TCA_RED_STAB, damping);
        line.source_keyword("probability");
        line.out.put(TCA_RED_MAX_P, red_max_probability(r.probability));
        line.out.put(TCA_RED_FLAGS, nla_bitfield32{.value = r.flags, .selector = TC_RED_HISTORIC_FLAGS | TC_RED_NODROP});
        put_given(line, "early_drop", TCA_RED_EARLY_DROP_BLOCK, r.early_drop_block);
        put_given(line, "mark", TCA_RED_MARK_BLOCK, r.mark_block);
    });
}

}  // namespace

extern constinit QdiscKind const red_qdisc = {.info = {"qdisc", "red", "Random early detection: drops more as the average queue grows.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
