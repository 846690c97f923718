// The options of VLANs: of a port, and of the whole bridge.
#pragma once
#include "netlink/table.hpp"

namespace nlstream::bridge {

/// Reads what follows "vlan set" to the end of the line, and makes the request. Throws Diagnostic, BarrierNeeded.
void read_vlan_set(Line& line);
/// The same for "vlan global", from its command on.
void read_vlan_global_set(Line& line);

Table vlan_set_table();
Table vlan_global_set_table();

}  // namespace nlstream::bridge
