// tc qdisc ... cbs: credit-based shaper (IEEE 802.1Q, Forwarding and Queuing for Time-Sensitive Streams).
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

using Cbs = tc_cbs_qopt;

constexpr std::string_view again = "it was given before";
std::string_view second_offload(Cbs const& c) { return c.offload ? again : ""; }
std::string_view second_hicredit(Cbs const& c) { return c.hicredit ? again : ""; }
std::string_view second_locredit(Cbs const& c) { return c.locredit ? again : ""; }
std::string_view second_sendslope(Cbs const& c) { return c.sendslope ? again : ""; }
std::string_view second_idleslope(Cbs const& c) { return c.idleslope ? again : ""; }

constexpr Row rows[] = {
    {"offload*",   "0|1",   U8(keep<&Cbs::offload>),    "1: shape in hardware (default 0).", unless<second_offload>},
    {"hicredit*",  "BYTES", S32(keep<&Cbs::hicredit>),  "The most credit that can be saved.", unless<second_hicredit>},
    {"locredit*",  "BYTES", S32(keep<&Cbs::locredit>),  "The most credit that can be owed: negative.", unless<second_locredit>},
    {"sendslope*", "KBIT",  S32(keep<&Cbs::sendslope>), "Credit lost while sending, kbit/s: negative.", unless<second_sendslope>},
    {"idleslope*", "KBIT",  S32(keep<&Cbs::idleslope>), "Credit earned while waiting, kbit/s.", unless<second_idleslope>},
};
constexpr auto table = keywords<Cbs>(rows);

void read(Line& line) {
    Cbs c{};
    Reader(table, c).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] { line.out.put(TCA_CBS_PARMS, c); });
}

}  // namespace

extern constinit QdiscKind const cbs_qdisc = {.info = {"qdisc", "cbs", "Credit-based shaper for time-sensitive streams.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
