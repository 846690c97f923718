// tc qdisc ... choke: random early detection that drops the flow that fills the queue.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"
#include "netlink/tc/red.hpp"

namespace nlstream::tc {
namespace {

struct Choke {
    u32 limit = 0;      // packets
    u32 min = 0;        // packets
    u32 max = 0;        // packets
    u32 burst = 0;      // packets
    u32 avpkt = 1000;   // bytes
    u32 bandwidth = 0;  // bytes a second
    double probability = 0.02;
    u8 flags = 0;
};

void read_bandwidth(Line& line, Choke& c) { c.bandwidth = read_rate32_or_share(line, line.take("RATE")); }
void read_choke_probability(Line& line, Choke& c) { c.probability = read_probability(line); }

constexpr Row rows[] = {
    {"limit",       "PACKETS",     U32(keep<&Choke::limit>),                    "Packets that may wait. Required."},
    {"bandwidth",   "RATE",        custom<read_bandwidth>,                      "The link's rate. Required."},
    {"ecn",         "",            set(add_bits<&Choke::flags>, TC_RED_ECN),    "Mark packets instead of dropping them."},
    {"min",         "PACKETS",     U32(keep<&Choke::min>),                      "Drop none while the average queue is shorter (default max / 3)."},
    {"max",         "PACKETS",     U32(keep<&Choke::max>),                      "Drop all while the average queue is longer (default limit / 4)."},
    {"burst",       "PACKETS",     U32(keep<&Choke::burst>),                    "A burst that passes an empty queue (default (2 min + max) / 3)."},
    {"avpkt",       "BYTES",       Size{{kept, 4, false, keep<&Choke::avpkt>}}, "The average packet (default 1000)."},
    {"probability", "PROBABILITY", custom<read_choke_probability>,              "Of a drop when the average queue reaches max (default 0.02)."},
};
constexpr auto table = keywords<Choke>(rows);

void read(Line& line) {
    Choke c;
    Reader(table, c).read_all(line);
    if (!c.bandwidth) fail_missing(line, "bandwidth RATE");
    if (!c.limit) fail_missing(line, "limit PACKETS");
    if (!c.max) c.max = c.limit / 4;
    if (!c.min) c.min = c.max / 3;
    if (!c.burst) c.burst = (2 * c.min + c.max) / 3;
    if (c.max > c.limit) fail_use(given_word(line, {"max"}), "max is greater than limit");
    if (c.min >= c.max) fail_use(given_word(line, {"min", "max", "limit"}), "min must be less than max");

    tc_red_qopt parms{.limit = c.limit, .qth_min = c.min, .qth_max = c.max, .Wlog = 0, .Plog = 0, .Scell_log = 0, .flags = c.flags};
    RedTable damping;
    parms.Wlog = red_ewma_log(line, c.min * c.avpkt, c.burst, c.avpkt);
    parms.Plog = red_probability_log(line, c.min * c.avpkt, c.max * c.avpkt, c.probability);
    parms.Scell_log = fill_red_table(line, damping, parms.Wlog, c.avpkt, c.bandwidth);
    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("limit");
        line.out.put(TCA_CHOKE_PARMS, parms);
        line.source_keyword("bandwidth");
        line.out.put(TCA_CHOKE_STAB, damping);
        line.source_keyword("probability");
        line.out.put(TCA_CHOKE_MAX_P, red_max_probability(c.probability));
    });
}

}  // namespace

extern constinit QdiscKind const choke_qdisc = {.info = {"qdisc", "choke", "Random early detection that punishes the flows that fill the queue.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
