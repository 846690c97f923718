// BPF programs that requests name by descriptor.
#pragma once
#include "netlink/line.hpp"

namespace nlstream {

/// Reads "pinned FILE [section NAME] [program NAME] [verbose]" (object-pinned and fd are other words for pinned), opens the
/// program, and puts its descriptor as `descriptor` and "FILENAME:[*fsobj]" as `name`, as iproute2 calls it. The names and
/// `verbose` mean nothing for a pinned program. Throws Diagnostic, also when the program cannot be opened.
void read_pinned_program(Line& line, u16 descriptor, u16 name);

}  // namespace nlstream
