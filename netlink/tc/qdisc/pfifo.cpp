// tc qdisc ... pfifo, bfifo, pfifo_head_drop: one queue, first in, first out.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Fifo {
    std::optional<u32> limit;
};

constexpr Row rows[] = {
    {"limit", "SIZE", Size{{kept, 4, false, keep<&Fifo::limit>}}, "The queue's length: packets for pfifo and pfifo_head_drop, bytes for bfifo (default: the link's txqueuelen)."},
};
constexpr auto table = keywords<Fifo>(rows);

void read(Line& line) {
    Fifo f;
    Reader(table, f).read_all(line);
    line.source_keyword("limit");
    if (f.limit) line.out.put(TCA_OPTIONS, tc_fifo_qopt{.limit = *f.limit});
}

}  // namespace

extern constinit QdiscKind const bfifo_qdisc = {.info = {"qdisc", "bfifo", "One queue of so many bytes; drops what arrives when it is full.", {{{"", table}}}}, .read_qdisc = read};
extern constinit QdiscKind const pfifo_qdisc = {.info = {"qdisc", "pfifo", "One queue of so many packets; drops what arrives when it is full.", {{{"", table}}}}, .read_qdisc = read};
extern constinit QdiscKind const pfifo_head_drop_qdisc = {.info = {"qdisc", "pfifo_head_drop", "One queue of so many packets; drops the oldest when it is full.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
