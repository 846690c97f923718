#pragma once
#include "netlink/integers.hpp"

namespace nlstream {

/// Which requests ask to be acknowledged. Refusals are answered in any case.
enum class AckMode : u8 {
    last,  ///< the last one of each send
    each,  ///< every one
    none,  ///< only what is needed when the window is full and at the end
};

}  // namespace nlstream
