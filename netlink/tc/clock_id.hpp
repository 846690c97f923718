#pragma once
#include "netlink/line.hpp"

namespace nlstream::tc {

/// A kernel clock that schedules can follow (time.h, CLOCK_*): boottime, monotonic, realtime or tai, with CLOCK_ before it or not; case
/// does not matter. Throws Diagnostic.
int read_clock_id(Word const& word);

}  // namespace nlstream::tc
