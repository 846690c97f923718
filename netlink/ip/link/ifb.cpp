// ip link ... type ifb: a link to which packets are redirected in order to shape them.
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {

extern LinkKind const ifb_link = {{"link", "ifb", "A link to which packets are redirected in order to shape them; it has no options."}};

}  // namespace nlstream::ip
