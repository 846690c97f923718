#pragma once
#include "netlink/line.hpp"

namespace nlstream::ip {

/// A state of a neighbour (linux/neighbour.h, NUD_*): a name, or a number with at most one bit set. Throws Diagnostic.
u16 read_neighbour_state(Word const& word);

}  // namespace nlstream::ip
