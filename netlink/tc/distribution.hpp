// Tables of delays that netem draws from.
#pragma once
#include <cstdint>
#include <vector>

#include "netlink/line.hpp"

namespace nlstream::tc {

/// The table called `word`: its file NAME.dist, in the folders where iproute2 is installed with them (/usr/lib/tc,
/// /usr/lib64/tc, Debian's /usr/lib/ARCHITECTURE/tc). Numbers between blanks; lines that start with # are comments.
/// Throws Diagnostic when there is no such file, or it holds no number or more than 16384.
std::vector<std::int16_t> read_distribution(Line& line, Word const& word);

}  // namespace nlstream::tc
