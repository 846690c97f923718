// tc qdisc/class ... drr: deficit round robin.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Drr {};

constexpr Row rows[] = {
    {"quantum", "BYTES", Size{{TCA_DRR_QUANTUM, 4}}, "Bytes that the class sends before the next one's turn (default: the link's MTU)."},
};
constexpr auto table = keywords<Drr>(rows);

void read(Line& line) {
    line.out.nest(TCA_OPTIONS, [&] {
        Drr d;
        Reader(table, d).read_all(line);
    });
}

}  // namespace

extern constinit QdiscKind const drr_qdisc = {.info = {"qdisc", "drr", "Deficit round robin: classes take turns.", {{{"class", table}}}}, .read_class = read};

}  // namespace nlstream::tc
