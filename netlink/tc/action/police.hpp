#pragma once
#include "netlink/line.hpp"

namespace nlstream::tc {

/// Reads a policer's words and puts them into a nest of `attribute`: the options of `action police`, or TCA_*_POLICE of a filter
/// whose `police` is written without `action`. The word `police` was taken. Throws Diagnostic.
void read_police(Line& line, u16 attribute);

}  // namespace nlstream::tc
