// What went wrong, where, and what to do about it: one value, no I/O.
#pragma once
#include <string>
#include <string_view>

#include "netlink/integers.hpp"

namespace nlstream {

/// A stretch of one logical line: bytes [begin, end) of its text.
struct Span {
    u32 begin = 0;
    u32 end = 0;
    friend bool operator==(Span, Span) = default;
};

/// A failure a user can act on. Inside one line readers throw it; the encoder stage catches it.
struct Diagnostic {
    std::string what;             ///< what is wrong: lower case, one sentence without full stop
    Span where;                   ///< the words at fault; empty when no place is known
    std::string label;            ///< stands beside the caret: what was expected; may be empty
    std::string help;             ///< what to type instead; may be empty
    std::string_view code = "syntax";  ///< stable name of the kind of failure, for machines
};

/// Codes of Diagnostic.
namespace code {
inline constexpr std::string_view syntax = "syntax";            ///< the words do not fit the grammar
inline constexpr std::string_view unknown_word = "unknown-word";///< no such keyword, kind or object
inline constexpr std::string_view range = "range";              ///< a value outside what its place can hold
inline constexpr std::string_view value = "value";              ///< a value that cannot be read
inline constexpr std::string_view missing = "missing";          ///< something required is not there
inline constexpr std::string_view no_device = "no-device";      ///< the line names a link that does not exist
inline constexpr std::string_view unsupported = "unsupported";  ///< a line that nlstream does not stream
inline constexpr std::string_view too_long = "too-long";        ///< the message does not fit a request
inline constexpr std::string_view kernel = "kernel";            ///< the kernel refused the request
inline constexpr std::string_view lost = "lost";                ///< the kernel's answer was lost
}  // namespace code

/// Where a logical line came from.
struct Source {
    std::string_view file;
    u64 line = 0;  ///< its first physical line, from 1
    std::string_view text;
};

/// Renders `d` with the line and a caret under the words at fault, ending in a newline:
///
///     error: 5000 is out of range
///      --> rules.tc:7:52
///       |
///     7 | filter add dev eth0 protocol 802.1Q flower vlan_id 5000
///       |                                                    ^^^^ expected 0 to 4095
///
/// Without a place (an empty span) the caret's line is left out. Columns count bytes, from 1.
std::string render(Diagnostic const& d, Source const& at);

}  // namespace nlstream
