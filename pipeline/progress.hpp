// How far a stream has come, for other threads to look at.
#pragma once
#include <atomic>

#include "netlink/integers.hpp"

namespace nlstream {

/// Written by the sending thread, after every step and without waiting for anybody; each number is right for itself,
/// not for the same moment as the others.
struct StreamProgress {
    std::atomic<u64> lines = 0;      ///< that have ended
    std::atomic<u64> applied = 0;    ///< of these
    std::atomic<u64> failures = 0;   ///< of these: failed, rejected, unknown
    std::atomic<u32> in_flight = 0;  ///< messages
    std::atomic<u64> bytes = 0;      ///< of the files: whose lines have ended
};

}  // namespace nlstream
