// tc qdisc ... etf: packets leave at the time that their socket asked for.
#include <linux/pkt_sched.h>

#include "netlink/tc/clock_id.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

using Etf = tc_etf_qopt;

constexpr s32 no_clock = -1;

void read_clock(Line& line, Etf& e) { e.clockid = read_clock_id(line.take("CLOCK")); }

constexpr std::string_view again = "it was given before";
std::string_view second_offload(Etf const& e) { return e.flags & TC_ETF_OFFLOAD_ON ? again : ""; }
std::string_view second_deadline(Etf const& e) { return e.flags & TC_ETF_DEADLINE_MODE_ON ? again : ""; }
std::string_view second_skip(Etf const& e) { return e.flags & TC_ETF_SKIP_SOCK_CHECK ? again : ""; }
std::string_view second_delta(Etf const& e) { return e.delta ? again : ""; }
std::string_view second_clock(Etf const& e) { return e.clockid != no_clock ? again : ""; }

constexpr Row rows[] = {
    {"offload*",        "",     set(add_bits<&Etf::flags>, TC_ETF_OFFLOAD_ON),       "Let the hardware launch the packets.", unless<second_offload>},
    {"deadline_mode*",  "",     set(add_bits<&Etf::flags>, TC_ETF_DEADLINE_MODE_ON), "The time is the latest, not the exact one.", unless<second_deadline>},
    {"delta*",          "NS",   S32(keep<&Etf::delta>),                              "Wake up so many nanoseconds early.", unless<second_delta>},
    {"clockid*",        "CLOCK", custom<read_clock>,                                 "The clock of the times: CLOCK_TAI.", unless<second_clock>},
    {"skip_sock_check", "",     set(add_bits<&Etf::flags>, TC_ETF_SKIP_SOCK_CHECK),  "Take packets of sockets without SO_TXTIME too.", unless<second_skip>},
};
constexpr auto table = keywords<Etf>(rows);

void read(Line& line) {
    Etf e{.delta = 0, .clockid = no_clock, .flags = 0};
    Reader(table, e).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] { line.out.put(TCA_ETF_PARMS, e); });
}

}  // namespace

extern constinit QdiscKind const etf_qdisc = {.info = {"qdisc", "etf", "Earliest transmit time first: packets leave when their socket said.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
