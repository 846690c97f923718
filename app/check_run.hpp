// --check: everything but the kernel.
#pragma once
#include <string>
#include <vector>

#include "app/options.hpp"
#include "app/screen.hpp"

namespace nlstream {

/// Reads and encodes all lines, reports every bad one, prints what --emit asks for. Returns the exit status.
int check_run(Options const& options);

/// --check-first: the same with `files` from `from_line` on, and nothing is said but bad lines. Returns the exit
/// status, 0 if none is bad. Throws std::runtime_error for what is no regular file, or changes meanwhile.
int check_first(Options const& options, std::vector<std::string> const& files, u64 from_line, Screen& screen);

}  // namespace nlstream
