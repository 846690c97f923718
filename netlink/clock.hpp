#pragma once
#include "netlink/context.hpp"

namespace nlstream {

/// The packet scheduler's clock, from the four numbers of /proc/net/psched (net/sched/sch_api.c, psched_show()).
struct Clock {
    double ticks_per_us = 15.625;  ///< 64 ns a tick
    double factor = 1.0;
    u32 hz = 1'000'000'000;        ///< what iproute2 takes as HZ when it derives bursts

    /// From /proc/net/psched; the defaults if it cannot be read.
    static Clock read(Files& files);
    /// Ticks that `bytes` take at `rate` bytes a second, rounded up; at most 2^32 - 1.
    u32 transmit_ticks(u64 rate, u64 bytes) const;
    /// Ticks of `us` microseconds, cut.
    u32 ticks(double us) const;
};

}  // namespace nlstream
