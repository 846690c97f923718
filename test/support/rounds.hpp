#pragma once

#include <algorithm>
#include <cstdlib>

namespace nlstream::test {

// One in so many of a long test's rounds is to be done. test/run.sh sets it for the sanitizers, under which a round takes ten
// times as long.
inline unsigned portion() {
    auto const* const given = std::getenv("NLSTREAM_PORTION");
    return static_cast<unsigned>(std::max(1, given ? std::atoi(given) : 1));
}

// How often a test is to repeat itself that would do so N times; at least once.
inline int rounds(int n) { return std::max(1, n / static_cast<int>(portion())); }

}  // namespace nlstream::test
