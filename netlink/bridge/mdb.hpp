// What the parts of the multicast database share.
#pragma once
#include "netlink/table.hpp"

namespace nlstream::bridge {

/// Reads what follows "mdb flush" to the end of the line into the request that has been begun, and ends it.
/// Throws Diagnostic, BarrierNeeded.
void read_mdb_flush(Line& line);
Table mdb_flush_table();

}  // namespace nlstream::bridge
