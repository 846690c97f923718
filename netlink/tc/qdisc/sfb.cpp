// tc qdisc ... sfb: stochastic fair blue.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

using Sfb = tc_sfb_qopt;

constexpr u32 most_probable = 0xffff;  // SFB_MAX_PROB of net/sched/sch_sfb.c

u32 read_share(Line& line) {
    auto const& word = line.take("PROBABILITY");
    std::string_view rest;
    auto const share = parse_double(word.text, rest);
    if (!share || !rest.empty()) fail_value(word, "a probability", "a number from 0 to 1");
    if (!(*share >= 0 && *share <= 1)) fail_range(word, "0 to 1");
    return static_cast<u32>(*share * most_probable + 0.5);
}

void read_increment(Line& line, Sfb& s) { s.increment = read_share(line); }
void read_decrement(Line& line, Sfb& s) { s.decrement = read_share(line); }

constexpr Row rows[] = {
    {"rehash",        "MS",          U32(keep<&Sfb::rehash_interval>), "Hash the flows anew so often, milliseconds (default 600000)."},
    {"db",            "MS",          U32(keep<&Sfb::warmup_time>),     "Use the new hash beside the old one so long before, milliseconds (default 60000)."},
    {"limit",         "PACKETS",     U32(keep<&Sfb::limit>),           "Packets that may wait (default: the link's txqueuelen)."},
    {"max",           "PACKETS",     U32(keep<&Sfb::max>),             "The longest queue of a flow (default: 1.25 target, or 25)."},
    {"target",        "PACKETS",     U32(keep<&Sfb::bin_size>),        "The queue of a flow that is aimed at (default: 0.8 max)."},
    {"increment",     "PROBABILITY", custom<read_increment>,           "Added to a flow's drop probability when its queue is too long (default 0.0005)."},
    {"decrement",     "PROBABILITY", custom<read_decrement>,           "Taken from it when its queue is empty (default 0.00005)."},
    {"penalty_rate",  "N",           U32(keep<&Sfb::penalty_rate>),    "Packets a second for flows that do not react to drops (default 10)."},
    {"penalty_burst", "PACKETS",     U32(keep<&Sfb::penalty_burst>),   "Their burst (default 20)."},
};
constexpr auto table = keywords<Sfb>(rows);

void read(Line& line) {
    Sfb s{};
    s.rehash_interval = 600'000;
    s.warmup_time = 60'000;
    s.penalty_rate = 10;
    s.penalty_burst = 20;
    s.increment = (most_probable + 1000) / 2000;
    s.decrement = (most_probable + 10000) / 20000;
    Reader(table, s).read_all(line);
    if (s.max == 0) s.max = s.bin_size ? (s.bin_size * 5 + 1) / 4 : 25;
    if (s.bin_size == 0) s.bin_size = (s.max * 4 + 3) / 5;
    line.out.nest(TCA_OPTIONS, [&] { line.out.put(TCA_SFB_PARMS, s); });
}

}  // namespace

extern constinit QdiscKind const sfb_qdisc = {.info = {"qdisc", "sfb", "Stochastic fair blue: drops more from flows with long queues.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
