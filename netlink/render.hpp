// Diagnostics as a terminal shows them: what render() makes, and more.
#pragma once
#include <string>

#include "netlink/diagnostic.hpp"

namespace nlstream {

/// As render(), in colours (ECMA-48, "select graphic rendition").
std::string render_in_colours(Diagnostic const& d, Source const& at);

/// False for the span of a Diagnostic that names no place.
constexpr bool is_placed(Span where) { return where.end > where.begin || where.begin > 0; }

}  // namespace nlstream
