// What happens to a packet after an action or a match.
#pragma once
#include <optional>

#include "netlink/line.hpp"

namespace nlstream::tc {

/// A control word and what belongs to it: "drop", "pipe", "jump 2", "goto chain 5". Returns TC_ACT_*, ORed with the count
/// or chain. Words may be abbreviated. Throws Diagnostic.
u32 read_control(Line& line);
/// The same if the next word is one; nothing taken otherwise.
std::optional<u32> read_control_if(Line& line);
/// The value of the next word, as parse_control; nothing taken.
std::optional<u32> peek_control(Line& line);
/// The value of one control word (TC_ACT_*), as in read_control; nothing if it is none. With `numbers`, a number too.
std::optional<u32> parse_control(std::string_view word, bool numbers = false);

/// Throws: there is no such control, with the nearest one.
[[noreturn]] void fail_control(Word const& word);

}  // namespace nlstream::tc
