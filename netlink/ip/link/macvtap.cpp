// ip link ... type macvtap: as macvlan, for a program that opens /dev/tapN.
#include "netlink/ip/link/macvlan_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const macvtap_link = {{"link", "macvtap", "As macvlan, for a program that opens /dev/tapN.", {{{"", macvlan_table}}}}, read_macvlan};

}  // namespace nlstream::ip
