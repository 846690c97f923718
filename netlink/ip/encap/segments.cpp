#include "netlink/ip/encap/segments.hpp"

#include <linux/rpl.h>
#include <linux/seg6.h>
#include <linux/seg6_hmac.h>

#include <algorithm>
#include <cstring>

#include "netlink/address.hpp"
#include "netlink/parts.hpp"

namespace nlstream::ip {
namespace {

constexpr std::size_t hmac_length = 40;
constexpr std::size_t most_segments = 127;

/// Fills `room` from its end with the segments of `word`, the first one last.
void read_segments(Word const& word, std::span<u8> room) {
    Parts parts(word, ',');
    for (auto at = room.size(); at > 0; at -= 16) {
        auto const part = parts.next();
        if (part.text.empty()) fail_value(word, "a list of segments", "IPv6 addresses with commas between");
        std::memcpy(&room[at - 16], read_address(part, AF_INET6).bytes.data(), 16);
    }
}

std::size_t count_segments(Word const& word) {
    auto const count = static_cast<std::size_t>(std::ranges::count(word.text, ',')) + 1;
    if (count > most_segments - 4) fail_range(word, "at most " + std::to_string(most_segments - 4) + " segments");
    return count;
}

}  // namespace

SegmentHeader read_segment_routing(Word const& segments, u32 hmac_key, bool room_for_destination) {
    auto const given = count_segments(segments);
    auto const count = given + room_for_destination;
    SegmentHeader h;
    h.length = sizeof(ipv6_sr_hdr) + 16 * count + (hmac_key ? hmac_length : 0);
    std::fill_n(h.bytes.begin(), h.length, u8{0});
    ipv6_sr_hdr head{};
    head.hdrlen = static_cast<u8>(h.length / 8 - 1);
    head.type = 4;
    head.segments_left = head.first_segment = static_cast<u8>(count - 1);
    head.flags = hmac_key ? SR6_FLAG1_HMAC : 0;
    std::memcpy(h.bytes.data(), &head, sizeof head);
    read_segments(segments, std::span(h.bytes).subspan(sizeof head + 16 * room_for_destination, 16 * given));
    if (hmac_key) {
        sr6_tlv_hmac hmac{};
        hmac.tlvhdr = {.type = SR6_TLV_HMAC, .len = hmac_length - 2};
        hmac.hmackeyid = big32(hmac_key);
        std::memcpy(&h.bytes[h.length - hmac_length], &hmac, sizeof hmac);
    }
    return h;
}

SegmentHeader read_rpl(Word const& segments) {
    auto const count = count_segments(segments);
    SegmentHeader h;
    h.length = sizeof(ipv6_rpl_sr_hdr) + 16 * count;
    std::fill_n(h.bytes.begin(), h.length, u8{0});
    ipv6_rpl_sr_hdr head{};
    head.hdrlen = static_cast<u8>(h.length / 8 - 1);
    head.type = 3;
    head.segments_left = static_cast<u8>(count);
    std::memcpy(h.bytes.data(), &head, sizeof head);
    read_segments(segments, std::span(h.bytes).subspan(sizeof head, 16 * count));
    return h;
}

}  // namespace nlstream::ip
