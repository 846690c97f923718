// What mqprio and taprio say of a link's traffic classes.
#pragma once
#include <linux/pkt_sched.h>

#include <array>

#include "netlink/line.hpp"

namespace nlstream::tc {

/// Reads a traffic class for each priority, as many as there are numbers, at most 16; the others get class 0.
void read_priority_map(Line& line, tc_mqprio_qopt& options);
/// Reads "COUNT@OFFSET" for each traffic class; returns how many there were. Throws Diagnostic.
u32 read_queues(Line& line, tc_mqprio_qopt& options);

/// Numbers for the first traffic classes.
struct PerClass {
    std::array<u32, TC_QOPT_MAX_QUEUE> values{};
    u32 count = 0;
    bool given = false;
};
/// Reads E (express) or P (preemptible) for each traffic class (IEEE 802.1Q, frame preemption).
void read_preemption(Line& line, PerClass& classes);

}  // namespace nlstream::tc
