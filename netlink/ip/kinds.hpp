// The objects of ip: one file each, registered in netlink/objects.cpp.
#pragma once
#include "netlink/command.hpp"

namespace nlstream::ip {

void read_interface_address(Line& line);  ///< ip address ...
void read_link(Line& line);               ///< ip link ...
void read_route(Line& line);              ///< ip route ...
void read_neighbour(Line& line);          ///< ip neighbour ...

extern KindInfo const address_info, link_info, route_info, neighbour_info;

}  // namespace nlstream::ip
