// What the parts of the forwarding table share.
#pragma once
#include "netlink/bridge/values.hpp"
#include "netlink/table.hpp"

namespace nlstream::bridge {

/// Reads what follows "fdb flush" to the end of the line into the request that has been begun, and ends it.
/// Throws Diagnostic, BarrierNeeded.
void read_fdb_flush(Line& line);
Table fdb_flush_table();

}  // namespace nlstream::bridge
