// tc qdisc/class ... qfq: quick fair queueing.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Qfq {};

constexpr Row rows[] = {
    {"weight*", "N",     U32(TCA_QFQ_WEIGHT).dec(), "The class's share, beside the weights of the others (default 1)."},
    {"maxpkt*", "BYTES", U32(TCA_QFQ_LMAX).dec(),   "The largest packet (default: the link's MTU)."},
};
constexpr auto table = keywords<Qfq>(rows);

void read(Line& line) {
    line.out.nest(TCA_OPTIONS, [&] {
        Qfq q;
        Reader(table, q).read_all(line);
    });
}

}  // namespace

extern constinit QdiscKind const qfq_qdisc = {.info = {"qdisc", "qfq", "Quick fair queueing: classes share by weight, with bounded delay.", {{{"class", table}}}}, .read_class = read};

}  // namespace nlstream::tc
