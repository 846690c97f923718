// ip link ... type gretap: a tunnel for Ethernet frames, GRE over IPv4.
#include "netlink/ip/link/gre_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const gretap_link = {{"link", "gretap", "Ethernet frames in GRE over IPv4.", {{{"", gre_table}}}}, read_gre, true};

}  // namespace nlstream::ip
