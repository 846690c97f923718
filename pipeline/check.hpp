// Reading and encoding without sending.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "pipeline/stage.hpp"

namespace nlstream {

/// Makes requests of all lines of `files`, from line `from_line` of the first one on, and calls `each` for every batch, in order; false from it ends the reading. It must not
/// throw. Returns "FILE: REASON" when a file could not be read, else nothing.
std::string check(std::vector<std::string> const& files, Stage& stage, std::function<bool(Batch const&)> const& each,
                  u64 from_line = 1);

}  // namespace nlstream
