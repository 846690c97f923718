// The main job.
#pragma once
#include "app/options.hpp"

namespace nlstream {

/// Streams all lines, reports what failed, and sums up. Returns the exit status.
int stream_run(Options const& options);

}  // namespace nlstream
