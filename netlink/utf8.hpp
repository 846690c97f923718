#pragma once
#include <cstddef>
#include <string_view>

namespace nlstream {

/// Bytes of the UTF-8 character that `text` begins with (RFC 3629, section 4); 0 if it begins with none.
/// REQUIRES: !text.empty()
std::size_t character_size(std::string_view text);

}  // namespace nlstream
