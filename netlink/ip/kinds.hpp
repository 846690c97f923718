// The objects of ip: one file each, registered in netlink/objects.cpp.
#pragma once
#include "netlink/command.hpp"

namespace nlstream::ip {

void read_route(Line& line);  ///< ip route ...

extern KindInfo const route_info;

}  // namespace nlstream::ip
