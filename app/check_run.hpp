// --check: everything but the kernel.
#pragma once
#include "app/options.hpp"

namespace nlstream {

/// Reads and encodes all lines, reports every bad one, prints what --emit asks for. Returns the exit status.
int check_run(Options const& options);

}  // namespace nlstream
