// What selects packets in rules, and rules in a flush.
#pragma once
#include <linux/fib_rules.h>

#include "netlink/line.hpp"

namespace nlstream::ip {

/// "FIRST-LAST" of user ids, decimal. Throws Diagnostic.
fib_rule_uid_range read_uid_range(Line& line);

struct Ports {
    fib_rule_port_range range;
    u16 mask = 0xffff;
};
/// "PORT", "FIRST-LAST" or "PORT/MASK". Throws Diagnostic.
Ports read_ports(Line& line);

struct Dscp {
    static constexpr u8 all = 0x3f;
    u8 value = 0;
    u8 mask = all;
};
/// "DSCP[/MASK]": a number, or the name of a whole byte (rt_dsfield). Throws Diagnostic.
Dscp read_dscp(Line& line);

struct FlowLabel {
    u32 value = 0;
    u32 mask = 0xfffff;
};
/// "LABEL[/MASK]". Throws Diagnostic.
FlowLabel read_flow_label(Line& line);

}  // namespace nlstream::ip
