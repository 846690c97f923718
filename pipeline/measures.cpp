#include "pipeline/measures.hpp"

#include <algorithm>
#include <cmath>

namespace nlstream {

/// The longest duration that is counted in a bucket.
u64 Durations::end_of(std::size_t bucket) {
    if (bucket < 2 * steps) return bucket;
    auto const power = bucket / steps - 1;
    return ((bucket % steps + steps + 1) << power) - 1;
}

Nanoseconds Durations::percentile(double share) const {
    auto const wanted = static_cast<u64>(std::ceil(share * static_cast<double>(count_)));
    u64 so_far = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i)
        if ((so_far += counts_[i]) >= wanted && counts_[i] > 0) return Nanoseconds(std::min(end_of(i), longest_));
    return {};
}

}  // namespace nlstream
