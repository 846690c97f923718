// tc qdisc ... skbprio: the packet of the highest priority leaves first, of the lowest is dropped first.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Skbprio {
    std::optional<u32> limit;
};

constexpr Row rows[] = {
    {"limit", "PACKETS", Size{{kept, 4, false, keep<&Skbprio::limit>}}, "Packets that may wait (default 64)."},
};
constexpr auto table = keywords<Skbprio>(rows);

void read(Line& line) {
    Skbprio s;
    Reader(table, s).read_all(line);
    line.source_keyword("limit");
    if (s.limit) line.out.put(TCA_OPTIONS, tc_skbprio_qopt{.limit = *s.limit});
}

}  // namespace

extern constinit QdiscKind const skbprio_qdisc = {.info = {"qdisc", "skbprio", "64 priorities: the highest leaves first, the lowest is dropped first.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
