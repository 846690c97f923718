#include "netlink/utf8.hpp"

#include "netlink/integers.hpp"

namespace nlstream {

std::size_t character_size(std::string_view text) {
    auto const at = [&](std::size_t i) { return static_cast<u8>(text[i]); };
    auto const first = at(0);
    if (first < 0x80) return 1;
    std::size_t const size = first >= 0xc2 && first <= 0xdf   ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
    if (size == 0 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((at(i) & 0xc0) != 0x80) return 0;
    bool const overlong = (first == 0xe0 && at(1) < 0xa0) || (first == 0xf0 && at(1) < 0x90);
    bool const surrogate = first == 0xed && at(1) >= 0xa0;
    bool const beyond_unicode = first == 0xf4 && at(1) >= 0x90;
    return overlong || surrogate || beyond_unicode ? 0 : size;
}

}  // namespace nlstream
