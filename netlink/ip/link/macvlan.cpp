// ip link ... type macvlan: a link with an address of its own on top of another.
#include "netlink/ip/link/macvlan_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const macvlan_link = {{"link", "macvlan", "A link with a link-layer address of its own on top of another.", {{{"", macvlan_table}}}}, read_macvlan};

}  // namespace nlstream::ip
