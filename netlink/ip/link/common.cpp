#include "netlink/ip/link/common.hpp"

namespace nlstream::ip {

u8 read_tos(Line& line) {
    auto const& word = line.take("TOS");
    return word.text == "inherit" ? u8{1} : static_cast<u8>(read_name(line, word, Names::Of::dsfield));
}

Address read_host_address(Word const& word, u8 family) {
    auto const address = read_address(word, family);
    if (!is_ip(address) || is_multicast(address)) fail_value(word, "an address of a host", "a unicast address");
    return address;
}

}  // namespace nlstream::ip
