// Comments by which a generator says where it took the lines from.
#pragma once
#include <optional>
#include <string_view>

#include "netlink/integers.hpp"

namespace nlstream {

/// What a line marker says: the line behind it was made from line `line` of `file`.
struct LineMarker {
    u64 line = 0;
    std::string_view file;  ///< between the quotes, as it stands; empty: the one that the marker before named
    friend bool operator==(LineMarker const&, LineMarker const&) = default;
};

/// Reads a marker as compilers write them, at the beginning of its line: `# 63 "fireqos.conf"`, with flags behind it or
/// not,
/// `#line 63 "fireqos.conf"`, `#line 63`. Nothing for all other comments.
std::optional<LineMarker> read_line_marker(std::string_view text);

}  // namespace nlstream
