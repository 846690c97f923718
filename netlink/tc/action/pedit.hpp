// How action pedit makes its keys: fields of headers, and what is done with them.
#pragma once
#include <linux/tc_act/tc_pedit.h>

#include <array>

#include "netlink/table.hpp"

namespace nlstream::tc::pedit {

/// What a value of a field looks like.
enum class Form : u8 { number, ipv4, ipv6, mac };

/// A field of a header: where it stands and what may be done with it.
struct Field {
    pedit_header_type header;
    u32 offset;                  ///< bytes from the header's start; may be negative
    u32 width;                   ///< bytes: 1, 2, 4; 6 for mac, 16 for ipv6
    Form form = Form::number;
    u32 retain = 0xffffffff;     ///< the bits of a number that are the field's
    bool may_decrement = false;
    u32 shift = 0;               ///< bits between the field's lowest one and the end of its bytes
};

/// 32 bits of a packet: they become (bits & mask) ^ value, or grow by value.
struct Key {
    tc_pedit_key parms;
    pedit_header_type header;
    pedit_cmd command;
};

inline constexpr std::size_t max_keys = 128;  // iproute2's limit; the kernel's is 255

struct Pedit {
    bool extended = false;           ///< `ex`: keys tell their header, and numbers may be added
    std::size_t count = 0;
    std::array<Key, max_keys> keys;  ///< the first `count` are in use
};

/// Reads what to do with a field ("set VALUE [retain MASK]", "clear") and appends the keys that do it. `base` holds the members of a key that
/// are the same for all fields (at, offmask, shift). Throws Diagnostic.
void read_change(Line& line, Pedit& pedit, Field const& field, tc_pedit_key const& base = {});
Table changes();

/// Reads the words after `munge`: "HEADER FIELD CHANGE" or "offset OFFSET WIDTH [at AT OFFMASK SHIFT] CHANGE". Throws Diagnostic.
void read_munge(Line& line, Pedit& pedit);
Table headers();
Table ip_fields();
Table ip6_fields();
Table eth_fields();
Table tcp_fields();
Table udp_fields();

}  // namespace nlstream::tc::pedit
