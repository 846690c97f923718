// ip link ... type ipvtap: as ipvlan, for a program that opens /dev/tapN.
#include "netlink/ip/link/ipvlan_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const ipvtap_link = {{"link", "ipvtap", "As ipvlan, for a program that opens /dev/tapN.", {{{"", ipvlan_table}}}}, read_ipvlan};

}  // namespace nlstream::ip
