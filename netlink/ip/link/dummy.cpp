// ip link ... type dummy: a link that takes packets and drops them.
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {

extern LinkKind const dummy_link = {{"link", "dummy", "A link that takes packets and drops them; it has no options."}};

}  // namespace nlstream::ip
