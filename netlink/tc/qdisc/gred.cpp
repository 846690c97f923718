// tc qdisc ... gred: random early detection with a threshold set for each of up to 16 virtual queues.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"
#include "netlink/tc/red.hpp"

namespace nlstream::tc {
namespace {

struct Setup {
    u32 queues = 0;
    u32 default_queue = MAX_DPs;
    bool grio = false;
    u32 limit = 0;  // bytes
    u8 flags = 0;
};

void read_default(Line& line, Setup& s) { s.default_queue = static_cast<u32>(read_number(line.take("VQ"), 0, s.queues - 1, 10)); }
std::string_view no_queues(Setup const& s) { return s.queues ? "" : "it needs vqs before it"; }

constexpr Row setup_rows[] = {
    {"vqs|DPs",  "N",     U32(keep<&Setup::queues>).in(0, MAX_DPs).dec(),      "The number of virtual queues. Required."},
    {"default",  "VQ",    custom<read_default>,                                "The virtual queue of packets that have no other. Required.", unless<no_queues>},
    {"grio",     "",      set(keep<&Setup::grio>),                             "A queue counts the lengths of those with a lower prio too."},
    {"limit",    "BYTES", Size{{kept, 4, false, keep<&Setup::limit>}},         "Bytes that may wait."},
    {"ecn",      "",      set(add_bits<&Setup::flags>, TC_RED_ECN),            "Mark packets instead of dropping them."},
    {"harddrop", "",      set(add_bits<&Setup::flags>, TC_RED_HARDDROP),       "Drop above max even with ecn."},
};
constexpr auto setup_table = keywords<Setup>(setup_rows);

struct Queue {
    bool is_setup = false;
    bool any = false;  // some option besides ecn and harddrop was given
    u32 limit = 0;     // bytes
    u32 min = 0;       // bytes
    u32 max = 0;       // bytes
    u32 number = MAX_DPs;
    u32 burst = 0;     // packets
    u32 avpkt = 0;     // bytes
    double probability = 0.02;
    u8 prio = 0;
    u32 bandwidth = red_default_rate;
    u32 flags = 0;
};

void read_setup(Line& line, Queue& q) {
    q.is_setup = true;
    Setup s;
    Reader(setup_table, s).read_all(line);
    if (!s.queues) fail_missing(line, "vqs N");
    if (s.default_queue == MAX_DPs) fail_missing(line, "default VQ");
    line.out.head().nlmsg_flags |= NLM_F_CREATE;
    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("vqs");
        line.out.put(TCA_GRED_DPS, tc_gred_sopt{.DPs = s.queues, .def_DP = s.default_queue, .grio = s.grio, .flags = s.flags, .pad1 = 0});
        put_given(line, "limit", TCA_GRED_LIMIT, s.limit);
    });
}

template <auto Member>
void read_bytes(Line& line, Queue& q) {
    q.*Member = static_cast<u32>(read_size(line.take("BYTES")));
    q.any = true;
}
void read_number_of_queue(Line& line, Queue& q) {
    q.number = static_cast<u32>(read_number(line.take("VQ"), 0, MAX_DPs - 1, 10));
    q.any = true;
}
void read_burst(Line& line, Queue& q) {
    q.burst = static_cast<u32>(read_number(line.take("PACKETS")));
    q.any = true;
}
void read_queue_probability(Line& line, Queue& q) {
    q.probability = read_probability(line);
    q.any = true;
}
void read_prio(Line& line, Queue& q) {
    q.prio = static_cast<u8>(read_number(line.take("N"), 0, 0xff, 10));
    q.any = true;
}
void read_bandwidth(Line& line, Queue& q) {
    q.bandwidth = read_rate32_or_share(line, line.take("RATE"));
    if (!q.bandwidth) q.bandwidth = red_default_rate;
    q.any = true;
}
std::string_view not_alone(Queue const& q) { return q.any ? "it must come first" : ""; }

constexpr Row queue_rows[] = {
    {"limit",       "BYTES",       custom<read_bytes<&Queue::limit>>,                  "Bytes that may wait in the virtual queue. Required."},
    {"setup",       "...",         custom<read_setup>,                                 "Set the qdisc up; options of its own follow.", unless<not_alone>},
    {"min",         "BYTES",       custom<read_bytes<&Queue::min>>,                    "Drop none while the average queue is shorter. Required."},
    {"max",         "BYTES",       custom<read_bytes<&Queue::max>>,                    "Drop all while the average queue is longer. Required."},
    {"vq|DP",       "VQ",          custom<read_number_of_queue>,                       "The virtual queue that is configured, 0 to 15. Required."},
    {"burst",       "PACKETS",     custom<read_burst>,                                 "A burst that passes an empty queue (default (2 min + max) / (3 avpkt))."},
    {"avpkt",       "BYTES",       custom<read_bytes<&Queue::avpkt>>,                  "The average packet. Required."},
    {"probability", "PROBABILITY", custom<read_queue_probability>,                     "Of a drop when the average queue reaches max (default 0.02)."},
    {"prio",        "N",           custom<read_prio>,                                  "The queue's priority, for grio: less is more important."},
    {"bandwidth",   "RATE",        custom<read_bandwidth>,                             "The link's rate (default 10mbit)."},
    {"ecn",         "",            set(add_bits<&Queue::flags>, TC_RED_ECN),           "Mark packets instead of dropping them."},
    {"harddrop",    "",            set(add_bits<&Queue::flags>, TC_RED_HARDDROP),      "Drop above max even with ecn."},
};
constexpr auto queue_table = keywords<Queue>(queue_rows);

void read(Line& line) {
    Queue q;
    Reader(queue_table, q).read_all(line);
    if (q.is_setup) return;
    if (q.number == MAX_DPs) fail_missing(line, "vq VQ");
    if (!q.limit) fail_missing(line, "limit BYTES");
    if (!q.min) fail_missing(line, "min BYTES");
    if (!q.max) fail_missing(line, "max BYTES");
    if (!q.avpkt) fail_missing(line, "avpkt BYTES");
    if (!q.burst) q.burst = (2 * q.min + q.max) / (3 * q.avpkt);

    tc_gred_qopt parms{};
    parms.limit = q.limit;
    parms.qth_min = q.min;
    parms.qth_max = q.max;
    parms.DP = q.number;
    parms.prio = q.prio;
    RedTable damping;
    parms.Wlog = red_ewma_log(line, q.min, q.burst, q.avpkt);
    parms.Plog = red_probability_log(line, q.min, q.max, q.probability);
    parms.Scell_log = fill_red_table(line, damping, parms.Wlog, q.avpkt, q.bandwidth);
    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("limit");
        line.out.put(TCA_GRED_PARMS, parms);
        line.source_keyword("bandwidth");
        line.out.put(TCA_GRED_STAB, damping);
        line.source_keyword("probability");
        line.out.put(TCA_GRED_MAX_P, red_max_probability(q.probability));
        line.source_keyword("vq");
        line.out.nest(TCA_GRED_VQ_LIST, [&] {
            line.out.nest(TCA_GRED_VQ_ENTRY, [&] {
                line.out.put(TCA_GRED_VQ_DP, q.number);
                line.out.put(TCA_GRED_VQ_FLAGS, q.flags);
            });
        });
    });
}

}  // namespace

extern constinit QdiscKind const gred_qdisc = {
    .info = {"qdisc", "gred", "Random early detection with thresholds for each of up to 16 virtual queues.", {{{"a virtual queue", queue_table}, {"setup", setup_table}}}},
    .read_qdisc = read,
};

}  // namespace nlstream::tc
