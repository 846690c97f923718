// ip link ... type ip6gre: a tunnel for IP packets, GRE over IPv6.
#include "netlink/ip/link/gre_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const ip6gre_link = {{"link", "ip6gre", "IP packets in GRE over IPv6.", {{{"", ip6gre_table}}}}, read_ip6gre, true};

}  // namespace nlstream::ip
