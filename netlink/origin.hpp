// Where a generator took a line from.
#pragma once
#include <string_view>

#include "netlink/integers.hpp"

namespace nlstream {

/// The line of the generator's own input that a line marker names.
struct Origin {
    std::string_view file;
    u64 line = 0;
};

}  // namespace nlstream
