#pragma once
#include "netlink/line.hpp"

namespace nlstream::tc {

/// Reads "action KIND ... [cookie HEX] [hw_stats TYPE] [no_percpu] [skip_sw] [skip_hw] action KIND ..." and puts each into
/// a nest of `attribute`, numbered from 1. The first "action" may have been taken already. Stops at the end of the line,
/// at `flowid` or `classid`. Throws Diagnostic.
void read_action_list(Line& line, u16 attribute);

}  // namespace nlstream::tc
