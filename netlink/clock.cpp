#include "netlink/clock.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace nlstream {

Clock Clock::read(Files& files) {
    Clock clock;
    auto const text = files.read("/proc/net/psched");
    unsigned ticks_to_ns = 0, ns_to_ticks = 0, resolution = 0, hz = 0;
    if (!text || std::sscanf(text->c_str(), "%08x %08x %08x %08x", &ticks_to_ns, &ns_to_ticks, &resolution, &hz) != 4 || ns_to_ticks == 0) return clock;
    // Old kernels say 1 GHz and count in units of their own; tc(8) takes that as one to one.
    if (resolution == 1'000'000'000) ticks_to_ns = ns_to_ticks;
    clock.factor = static_cast<double>(resolution) / 1e6;
    clock.ticks_per_us = static_cast<double>(ticks_to_ns) / ns_to_ticks * clock.factor;
    clock.hz = resolution == 1'000'000 ? hz : 100;
    return clock;
}

u32 Clock::transmit_ticks(u64 rate, u64 bytes) const {
    double const ticks = std::ceil(1e6 * (static_cast<double>(bytes) / static_cast<double>(rate)) * ticks_per_us);
    return ticks > std::numeric_limits<u32>::max() ? std::numeric_limits<u32>::max() : static_cast<u32>(ticks);
}

u32 Clock::ticks(double us) const {
    double const ticks = us * ticks_per_us;
    return ticks > std::numeric_limits<u32>::max() ? std::numeric_limits<u32>::max() : static_cast<u32>(ticks);
}

}  // namespace nlstream
