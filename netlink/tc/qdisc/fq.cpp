// tc qdisc ... fq: a queue for each flow, with pacing.
#include <linux/pkt_sched.h>

#include <algorithm>
#include <bit>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

constexpr std::size_t bands = 3;

struct Fq {
    std::optional<u32> limit, flow_limit, quantum, initial_quantum, maxrate, low_rate_threshold, defrate, refill_delay;
    std::optional<u32> orphan_mask, ce_threshold, timer_slack, horizon, offload_horizon, pacing;
    u32 buckets = 0;
    std::optional<u8> horizon_drop;
    std::optional<tc_prio_qopt> priomap;
    std::optional<std::array<s32, bands>> weights;
};

void read_maxrate(Line& line, Fq& f) { f.maxrate = read_rate32_or_share(line, line.take("RATE")); }
void read_defrate(Line& line, Fq& f) { f.defrate = read_rate32_or_share(line, line.take("RATE")); }
void read_low_rate(Line& line, Fq& f) { f.low_rate_threshold = read_rate32(line.take("RATE")); }
void read_slack(Line& line, Fq& f) {
    auto const& word = line.take("TIME");
    auto const slack = read_time_ns(word);
    if (slack > 0xffffffff) fail_range(word, "at most 4294967295ns");
    f.timer_slack = static_cast<u32>(slack);
}

void read_bands(Line& line, Fq& f) {
    tc_prio_qopt map{};
    map.bands = static_cast<int>(read_number(line.take("3"), bands, bands, 10));
    if (!line.take_if("priomap")) fail_use(line.done() ? line.last() : line.peek(), "priomap must follow the number of bands");
    for (auto& band : map.priomap) band = static_cast<u8>(read_number(line.take("BAND, one for each of 16 priorities"), 0, bands - 1, 10));
    f.priomap = map;
}

void read_weights(Line& line, Fq& f) {
    constexpr u64 least = 16 << 10;
    std::array<s32, bands> weights;
    for (auto& weight : weights) weight = static_cast<s32>(read_number(line.take("WEIGHT, one for each of 3 bands"), least, 0x7fffffff, 10));
    f.weights = weights;
}

std::string_view second_bands(Fq const& f) { return f.priomap ? "it was given before" : ""; }
std::string_view second_weights(Fq const& f) { return f.weights ? "it was given before" : ""; }

constexpr Row rows[] = {
    {"limit",              "PACKETS",                U32(keep<&Fq::limit>),                              "Packets that may wait in all queues (default 10000)."},
    {"flow_limit",         "PACKETS",                U32(keep<&Fq::flow_limit>),                         "Packets that may wait in one queue (default 100)."},
    {"buckets",            "N",                      U32(keep<&Fq::buckets>),                            "Size of the table of flows, rounded up to a power of two (default 1024)."},
    {"maxrate",            "RATE",                   custom<read_maxrate>,                               "No flow is sent faster."},
    {"low_rate_threshold", "RATE",                   custom<read_low_rate>,                              "Pacing of slower flows ignores their bursts (default 550kbit)."},
    {"ce_threshold",       "TIME",                   Time{{kept, 4, false, keep<&Fq::ce_threshold>}},    "Mark every packet that waited longer (default: none)."},
    {"timer_slack",        "TIME",                   custom<read_slack>,                                 "Wake up at most so late, bare: nanoseconds (default 10us)."},
    {"horizon_drop",       "",                       set(keep<&Fq::horizon_drop>, 1),                    "Drop packets that should leave later than the horizon (default)."},
    {"horizon_cap",        "",                       set(keep<&Fq::horizon_drop>, 0),                    "Send packets that should leave later than the horizon at the horizon."},
    {"horizon",            "TIME",                   Time{{kept, 4, false, keep<&Fq::horizon>}},         "The latest time, from now, at which a packet may ask to leave (default 10s)."},
    {"offload_horizon",    "TIME",                   Time{{kept, 4, false, keep<&Fq::offload_horizon>}}, "Leave packets that are due so soon to the hardware's timing (default 0)."},
    {"defrate",            "RATE",                   custom<read_defrate>,                               "The rate of flows at first."},
    {"quantum",            "BYTES",                  U32(keep<&Fq::quantum>),                            "Bytes that a queue sends before the next one's turn (default: two packets)."},
    {"initial_quantum",    "BYTES",                  U32(keep<&Fq::initial_quantum>),                    "Bytes that a new flow may send at once (default: ten packets)."},
    {"orphan_mask",        "MASK",                   U32(keep<&Fq::orphan_mask>),                        "Packets without a socket are spread over MASK + 1 queues (default 1023)."},
    {"refill_delay",       "TIME",                   Time{{kept, 4, false, keep<&Fq::refill_delay>}},    "A flow that was idle so long is new again (default 40ms)."},
    {"pacing",             "",                       set(keep<&Fq::pacing>, 1),                          "Send each flow at the rate that its socket asks for (default)."},
    {"nopacing",           "",                       set(keep<&Fq::pacing>, 0),                          "Send as fast as turns allow."},
    {"bands",              "3 priomap BAND...",      custom<read_bands>,                                 "The band, 0 to 2, of packets of each of 16 priorities.", unless<second_bands>},
    {"weights",            "WEIGHT WEIGHT WEIGHT",   custom<read_weights>,                               "The shares of the 3 bands, each at least 16384.", unless<second_weights>},
};
constexpr auto table = keywords<Fq>(rows);

void read(Line& line) {
    Fq f;
    Reader(table, f).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("buckets");
        if (f.buckets) line.out.put(TCA_FQ_BUCKETS_LOG, static_cast<u32>(std::bit_width(f.buckets - 1)));
        put_given(line, "limit", TCA_FQ_PLIMIT, f.limit);
        put_given(line, "flow_limit", TCA_FQ_FLOW_PLIMIT, f.flow_limit);
        put_given(line, "quantum", TCA_FQ_QUANTUM, f.quantum);
        put_given(line, "initial_quantum", TCA_FQ_INITIAL_QUANTUM, f.initial_quantum);
        put_given(line, "pacing", TCA_FQ_RATE_ENABLE, f.pacing);
        put_given(line, "maxrate", TCA_FQ_FLOW_MAX_RATE, f.maxrate);
        put_given(line, "low_rate_threshold", TCA_FQ_LOW_RATE_THRESHOLD, f.low_rate_threshold);
        put_given(line, "defrate", TCA_FQ_FLOW_DEFAULT_RATE, f.defrate);
        put_given(line, "refill_delay", TCA_FQ_FLOW_REFILL_DELAY, f.refill_delay);
        put_given(line, "orphan_mask", TCA_FQ_ORPHAN_MASK, f.orphan_mask);
        put_given(line, "ce_threshold", TCA_FQ_CE_THRESHOLD, f.ce_threshold);
        put_given(line, "timer_slack", TCA_FQ_TIMER_SLACK, f.timer_slack);
        put_given(line, "horizon", TCA_FQ_HORIZON, f.horizon);
        put_given(line, "horizon_drop", TCA_FQ_HORIZON_DROP, f.horizon_drop);
        put_given(line, "bands", uapi::TCA_FQ_PRIOMAP, f.priomap);
        put_given(line, "weights", uapi::TCA_FQ_WEIGHTS, f.weights);
        put_given(line, "offload_horizon", uapi::TCA_FQ_OFFLOAD_HORIZON, f.offload_horizon);
    });
}

}  // namespace

extern constinit QdiscKind const fq_qdisc = {.info = {"qdisc", "fq", "A queue for each flow, sent at the rate that its socket asks for.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
