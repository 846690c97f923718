// tc qdisc ... multiq: a band for each of the link's hardware queues.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

void read(Line& line) { line.out.put(TCA_OPTIONS, tc_multiq_qopt{}); }

}  // namespace

extern constinit QdiscKind const multiq_qdisc = {.info = {"qdisc", "multiq", "A band for each of the link's hardware queues, none waits for another."}, .read_qdisc = read};

}  // namespace nlstream::tc
