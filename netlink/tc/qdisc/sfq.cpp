// tc qdisc ... sfq: flows spread over queues that take turns.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/red.hpp"

namespace nlstream::tc {
namespace {

struct Sfq {
    u32 quantum = 0;  // bytes
    s32 perturb = 0;  // s
    u32 limit = 0;    // packets
    u32 divisor = 0;
    u32 flows = 0;
    u32 depth = 0;    // packets
    bool headdrop = false;
    u32 red_limit = 0;  // bytes
    u32 min = 0;        // bytes
    u32 max = 0;        // bytes
    u32 burst = 0;      // packets
    u32 avpkt = 1000;   // bytes
    double probability = 0.02;
    u8 flags = 0;
    bool red = false;   // some option of random early detection was given
};

/// Reads one of random early detection's options.
template <auto Member>
void read_red(Line& line, Sfq& s) {
    s.*Member = static_cast<u32>(read_number(line.take("N")));
    s.red = true;
}
void read_average(Line& line, Sfq& s) {
    s.avpkt = static_cast<u32>(read_size(line.take("BYTES")));
    s.red = true;
}
void read_sfq_probability(Line& line, Sfq& s) {
    s.probability = read_probability(line);
    s.red = true;
}
template <u8 Bits>
void read_flag(Line&, Sfq& s) {
    s.flags = static_cast<u8>(s.flags | Bits);
    s.red = true;
}

constexpr Row rows[] = {
    {"quantum",      "BYTES",       Size{{kept, 4, false, keep<&Sfq::quantum>}}, "Bytes that a queue sends before the next one's turn (default: the link's MTU)."},
    {"perturb",      "SECONDS",     S32(keep<&Sfq::perturb>),                    "Hash the flows anew so often (default 0: never)."},
    {"limit",        "PACKETS",     U32(keep<&Sfq::limit>).in(2, 0xffffffff),    "Packets that may wait in all queues (default 127)."},
    {"divisor",      "N",           U32(keep<&Sfq::divisor>),                    "Size of the hash table (default 1024)."},
    {"flows",        "N",           U32(keep<&Sfq::flows>),                      "Flows that can wait at once (default 127)."},
    {"depth",        "PACKETS",     U32(keep<&Sfq::depth>),                      "Packets that may wait of one flow (default 127)."},
    {"headdrop",     "",            set(keep<&Sfq::headdrop>),                   "Drop the oldest packet of a flow, not the newest."},
    {"redflowlimit", "BYTES",       custom<read_red<&Sfq::red_limit>>,           "Random early detection in each flow: bytes that may wait of one."},
    {"min",          "BYTES",       custom<read_red<&Sfq::min>>,                 "Drop none while the average queue is shorter (default max / 3)."},
    {"max",          "BYTES",       custom<read_red<&Sfq::max>>,                 "Drop all while the average queue is longer (default redflowlimit / 4)."},
    {"burst",        "PACKETS",     custom<read_red<&Sfq::burst>>,               "A burst that passes an empty queue (default (2 min + max) / (3 avpkt))."},
    {"avpkt",        "BYTES",       custom<read_average>,                        "The average packet (default 1000)."},
    {"probability",  "PROBABILITY", custom<read_sfq_probability>,                "Of a drop when the average queue reaches max (default 0.02)."},
    {"ecn",          "",            custom<read_flag<TC_RED_ECN>>,               "Mark packets instead of dropping them."},
    {"harddrop",     "",            custom<read_flag<TC_RED_HARDDROP>>,          "Drop above max even with ecn."},
};
constexpr auto table = keywords<Sfq>(rows);

void fill_red(Line& line, Sfq& s, tc_sfq_qopt_v1& options) {
    if (!s.red_limit) fail_missing(line, "redflowlimit BYTES");
    if (!s.avpkt) fail_use(given_word(line, {"avpkt"}), "it must be more than 0");
    if (!s.max) s.max = s.red_limit / 4;
    if (!s.min) s.min = s.max / 3;
    if (!s.burst) s.burst = (2 * s.min + s.max) / (3 * s.avpkt);
    if (s.max > s.red_limit) fail_use(given_word(line, {"max"}), "max is greater than redflowlimit");
    if (s.min >= s.max) fail_use(given_word(line, {"min", "max", "redflowlimit"}), "min must be less than max");
    options.limit = s.red_limit;
    options.qth_min = s.min;
    options.qth_max = s.max;
    options.flags = s.flags;
    options.Wlog = red_ewma_log(line, s.min, s.burst, s.avpkt);
    options.Plog = red_probability_log(line, s.min, s.max, s.probability);
    options.max_P = red_max_probability(s.probability);
}

void read(Line& line) {
    Sfq s;
    auto const nothing = line.done();
    Reader(table, s).read_all(line);
    if (nothing) return;
    tc_sfq_qopt_v1 options{};
    options.v0 = {.quantum = s.quantum, .perturb_period = s.perturb, .limit = s.limit, .divisor = s.divisor, .flows = s.flows};
    options.depth = s.depth;
    options.headdrop = s.headdrop;
    if (s.red) fill_red(line, s, options);
    line.out.put(TCA_OPTIONS, options);
}

}  // namespace

extern constinit QdiscKind const sfq_qdisc = {.info = {"qdisc", "sfq", "Stochastic fairness: flows spread over queues that take turns.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
