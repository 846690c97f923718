#pragma once
#include <span>
#include <string>

#include "netlink/integers.hpp"

namespace nlstream {

/// One message as people read it: its type and flags, the fixed header's members, then one attribute a line, what a nest
/// holds indented below it. Every line ends in a newline. Attributes without a known name are numbers; a message that is
/// cut short or malformed is shown as far as it goes, with the rest in hexadecimal.
std::string decode(std::span<std::byte const> message);

/// The length of the struct between nlmsghdr and attributes in rtnetlink's messages of `type` (RTM_*).
std::size_t fixed_header_length(u16 type);

}  // namespace nlstream
