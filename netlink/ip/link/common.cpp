#include "netlink/ip/link/common.hpp"

namespace nlstream::ip {

u8 read_tos(Line& line) {
    auto const& word = line.take("TOS");
    return word.text == "inherit" ? u8{1} : static_cast<u8>(read_name(line, word, Names::Of::dsfield));
}

}  // namespace nlstream::ip
