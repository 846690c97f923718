// tc qdisc ... clsact: the places for filters of arriving and leaving packets.
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {

extern constinit QdiscKind const clsact_qdisc = {.info = {"qdisc", "clsact", "Holds the filters of a link's arriving and leaving packets; queues nothing."}};

}  // namespace nlstream::tc
