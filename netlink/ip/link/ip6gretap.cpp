// ip link ... type ip6gretap: a tunnel for Ethernet frames, GRE over IPv6.
#include "netlink/ip/link/gre_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const ip6gretap_link = {{"link", "ip6gretap", "Ethernet frames in GRE over IPv6.", {{{"", ip6gre_table}}}}, read_ip6gre, true};

}  // namespace nlstream::ip
