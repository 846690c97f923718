// Lists of actions, and what is common to all of them.
#pragma once
#include "netlink/table.hpp"

namespace nlstream::tc {

/// Reads "action KIND ... [cookie HEX] [hw_stats TYPE] [no_percpu] [skip_sw] [skip_hw] action KIND ..." and puts each into
/// a nest of `attribute`, numbered from 1. The first "action" may have been taken already, and the others may be left out:
/// "drop" and "mirred ..." start actions of their own. Stops at the end of the line, at `flowid` or `classid`, and at a
/// command of `tc actions`. Throws Diagnostic.
void read_action_list(Line& line, u16 attribute);

/// What may follow every action.
Table action_options_table();

}  // namespace nlstream::tc
