// Links that share the address of the one below: ipvlan, and ipvtap for programs.
#pragma once
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {

Table ipvlan_table();
void read_ipvlan(Line& line);

}  // namespace nlstream::ip
