// Diagnostics as a terminal shows them: what render() makes, and more.
#pragma once
#include <optional>
#include <string>

#include "netlink/diagnostic.hpp"
#include "netlink/origin.hpp"

namespace nlstream {

/// As render(d, at), in colours (ECMA-48, "select graphic rendition") or not, with the origin behind the place:
///
///      --> rules.tc:7:52, made from fireqos.conf:63
std::string render(Diagnostic const& d, Source const& at, std::optional<Origin> const& origin, bool in_colours);

/// False for the span of a Diagnostic that names no place.
constexpr bool is_placed(Span where) { return where.end > where.begin || where.begin > 0; }

}  // namespace nlstream
