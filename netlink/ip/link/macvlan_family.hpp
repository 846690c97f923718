// Links with addresses of their own on top of another: macvlan, and macvtap for programs.
#pragma once
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {

Table macvlan_table();
void read_macvlan(Line& line);

}  // namespace nlstream::ip
