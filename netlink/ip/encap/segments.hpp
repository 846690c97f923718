// Lists of IPv6 segments: the headers of RFC 8754 (segment routing) and RFC 6554 (RPL).
#pragma once
#include <array>

#include "netlink/line.hpp"

namespace nlstream::ip {

/// A routing header with its segments, as the kernel takes it.
struct SegmentHeader {
    std::array<u8, 2048> bytes;  // 8 + 16 a segment + 40 for a key: its length field has 8 bits
    std::size_t length = 0;
};

/// "ADDRESS[,ADDRESS...]" as a segment routing header. `hmac_key` 0: no HMAC. `room_for_destination`: one segment more,
/// which the kernel fills with the packet's destination. Throws Diagnostic.
SegmentHeader read_segment_routing(Word const& segments, u32 hmac_key, bool room_for_destination);
/// The same as an RPL source routing header. Throws Diagnostic.
SegmentHeader read_rpl(Word const& segments);

}  // namespace nlstream::ip
