#pragma once
#include <span>
#include <string>

namespace nlstream {

/// One message as people read it: its type and flags, the fixed header's members, then one attribute a line, what a nest
/// holds indented below it. Every line ends in a newline. Attributes without a known name are numbers; a message that is
/// cut short or malformed is shown as far as it goes, with the rest in hexadecimal.
std::string decode(std::span<std::byte const> message);

}  // namespace nlstream
