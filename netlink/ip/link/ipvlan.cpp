// ip link ... type ipvlan: a link that shares the address of the one below.
#include "netlink/ip/link/ipvlan_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const ipvlan_link = {{"link", "ipvlan", "A link with IP addresses of its own, and the link-layer address of the one below.", {{{"", ipvlan_table}}}}, read_ipvlan};

}  // namespace nlstream::ip
