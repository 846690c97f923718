// GRE over IPv4 and IPv6, with IP packets, Ethernet frames or mirrored frames (ERSPAN) inside.
#pragma once
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {

Table gre_table();
Table erspan_table();
Table ip6gre_table();

void read_gre(Line& line);     ///< gre, gretap
void read_erspan(Line& line);
void read_ip6gre(Line& line);  ///< ip6gre, ip6gretap, ip6erspan

}  // namespace nlstream::ip
