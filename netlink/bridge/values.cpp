#include "netlink/bridge/values.hpp"

#include <arpa/inet.h>
#include <linux/if_bridge.h>

#include "netlink/parts.hpp"
#include "netlink/quantity.hpp"

namespace nlstream::bridge {
namespace {

constexpr NamedValue stp_states[] = {
    {"disabled", BR_STATE_DISABLED}, {"listening", BR_STATE_LISTENING}, {"learning", BR_STATE_LEARNING}, {"forwarding", BR_STATE_FORWARDING}, {"blocking", BR_STATE_BLOCKING},
};

Range read_range(Word const& word, u32 max, int base) {
    auto const number = [&](Word const& part) { return static_cast<u32>(read_number(part, 0, max, base)); };
    auto const dash = word.text.find('-');
    if (dash == word.text.npos || dash == 0) return {number(word), {}};
    Parts parts(word, '-');
    auto const first = number(parts.next());
    Range const range{first, number(parts.next())};
    parts.finish("FIRST-LAST");
    return range;
}

}  // namespace

u16 read_vid(Word const& word, u16 max) { return static_cast<u16>(read_number(word, 0, max, 10)); }

Range read_vids(Word const& word) {
    auto const vids = read_range(word, 4095, 10);
    if (vids.last && *vids.last <= vids.first) fail_value(word, "a range of VLANs", "FIRST-LAST, with FIRST before LAST");
    return vids;
}

Range read_tunnel_ids(Word const& word, int base) { return read_range(word, 0xffffff, base); }

u8 read_stp_state(Word const& word, u32 max) {
    if (auto const number = parse_number(word.text, max, 10)) return static_cast<u8>(*number);
    if (parse_number(word.text, no_limit, 10)) fail_range(word, "at most " + std::to_string(max));
    return static_cast<u8>(read_choice(word, stp_states, "STATE"));
}

std::optional<Address> parse_host(std::string_view text) {
    char copy[INET6_ADDRSTRLEN];
    if (text.size() >= sizeof copy) return {};
    text.copy(copy, text.size());
    copy[text.size()] = 0;
    Address a;
    if (::inet_pton(AF_INET, copy, a.bytes.data()) == 1) {
        a.family = AF_INET;
        a.length = 4;
        return a;
    }
    if (::inet_pton(AF_INET6, copy, a.bytes.data()) != 1) return {};
    a.family = AF_INET6;
    a.length = 16;
    return a;
}

Address read_host(Word const& word) {
    if (auto const host = parse_host(word.text)) return *host;
    fail_value(word, "an address", "an IPv4 or IPv6 address in full");
}

}  // namespace nlstream::bridge
