// ip link ... type gre: a tunnel for IP packets, GRE over IPv4.
#include "netlink/ip/link/gre_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const gre_link = {{"link", "gre", "IP packets in GRE over IPv4.", {{{"", gre_table}}}}, read_gre, true};

}  // namespace nlstream::ip
