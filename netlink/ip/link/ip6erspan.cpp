// ip link ... type ip6erspan: mirrored Ethernet frames over IPv6.
#include "netlink/ip/link/gre_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const ip6erspan_link = {{"link", "ip6erspan", "Mirrored Ethernet frames in GRE over IPv6 (ERSPAN).", {{{"", ip6gre_table}}}}, read_ip6gre, true};

}  // namespace nlstream::ip
