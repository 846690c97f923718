// tc qdisc ... hhf: heavy hitters go into a queue of their own.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

struct Hhf {
    u32 limit = 0;
    u32 quantum = 0;
    u32 hh_limit = 0;
    u32 reset_timeout = 0;  // us
    u32 admit_bytes = 0;
    u32 evict_timeout = 0;  // us
    u32 non_hh_weight = 0;
};

constexpr Row rows[] = {
    {"limit",         "PACKETS", U32(keep<&Hhf::limit>),                            "Packets that may wait (default 1000)."},
    {"quantum",       "BYTES",   U32(keep<&Hhf::quantum>),                          "Bytes that a queue sends before the other's turn (default: the link's MTU)."},
    {"hh_limit",      "N",       U32(keep<&Hhf::hh_limit>),                         "Heavy hitters that are tracked (default 2048)."},
    {"reset_timeout", "TIME",    Time{{kept, 4, false, keep<&Hhf::reset_timeout>}}, "Forget the counts so often (default 40ms)."},
    {"admit_bytes",   "BYTES",   U32(keep<&Hhf::admit_bytes>),                      "A flow of more bytes is a heavy hitter (default 131072)."},
    {"evict_timeout", "TIME",    Time{{kept, 4, false, keep<&Hhf::evict_timeout>}}, "A heavy hitter that was idle so long is none any more (default 1s)."},
    {"non_hh_weight", "N",       U32(keep<&Hhf::non_hh_weight>),                    "The share of the other flows beside the heavy hitters' (default 2)."},
};
constexpr auto table = keywords<Hhf>(rows);

void read(Line& line) {
    Hhf h;
    Reader(table, h).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        put_given(line, "limit", TCA_HHF_BACKLOG_LIMIT, h.limit);
        put_given(line, "quantum", TCA_HHF_QUANTUM, h.quantum);
        put_given(line, "hh_limit", TCA_HHF_HH_FLOWS_LIMIT, h.hh_limit);
        put_given(line, "reset_timeout", TCA_HHF_RESET_TIMEOUT, h.reset_timeout);
        put_given(line, "admit_bytes", TCA_HHF_ADMIT_BYTES, h.admit_bytes);
        put_given(line, "evict_timeout", TCA_HHF_EVICT_TIMEOUT, h.evict_timeout);
        put_given(line, "non_hh_weight", TCA_HHF_NON_HH_WEIGHT, h.non_hh_weight);
    });
}

}  // namespace

extern constinit QdiscKind const hhf_qdisc = {.info = {"qdisc", "hhf", "Heavy-hitter filter: flows that send most wait apart from the others.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
