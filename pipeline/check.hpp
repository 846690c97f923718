// Reading and encoding without sending.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "netlink/encoder.hpp"
#include "pipeline/encode_stage.hpp"

namespace nlstream {

struct CheckOptions {
    u64 from_line = 1;               ///< where to start in the first file
    SecondLook* absences = nullptr;  ///< see EncodeStage::Options
};

/// Encodes all lines of `files` and calls `each` for every batch, in order; false from it ends the reading. It must not
/// throw. Returns "FILE: REASON" when a file could not be read, else nothing.
std::string check(std::vector<std::string> const& files, Encoder& encoder,
                  std::function<bool(Batch const&)> const& each, CheckOptions const& options = {});

}  // namespace nlstream
