// tc qdisc ... mq, noqueue, pfifo_fast: qdiscs that have no options.
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {

extern constinit QdiscKind const mq_qdisc = {.info = {"qdisc", "mq", "A class for each of the link's hardware queues."}};
extern constinit QdiscKind const noqueue_qdisc = {.info = {"qdisc", "noqueue", "No queue: packets are sent at once or dropped."}};
extern constinit QdiscKind const pfifo_fast_qdisc = {.info = {"qdisc", "pfifo_fast", "Three queues by the packets' priority; the first that holds one sends."}};

}  // namespace nlstream::tc
