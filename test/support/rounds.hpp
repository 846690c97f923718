#pragma once

#include <algorithm>
#include <cstdlib>

namespace nlstream::test {

// How often a test of random input is to repeat itself that would do so N times: one in NLSTREAM_PORTION of them, at least
// once. test/run.sh sets it for the sanitizers, under which a round takes ten times as long and shows no more than the first.
inline int rounds(int n) {
    auto const* const portion = std::getenv("NLSTREAM_PORTION");
    return std::max(1, n / std::max(1, portion ? std::atoi(portion) : 1));
}

}  // namespace nlstream::test
