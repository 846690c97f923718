// Network and link-layer addresses as iproute2 reads them.
#pragma once
#include <array>
#include <span>

#include "netlink/line.hpp"

namespace nlstream {

/// An address of a protocol family with a prefix length.
struct Address {
    u8 family = 0;                 ///< AF_INET, AF_INET6, AF_MPLS, AF_PACKET; of "any" and "default": the family asked for
    u8 length = 0;                 ///< bytes in use; 0 for "any" and "all"
    u16 bits = 0;                  ///< prefix length; the address's own where none was given
    bool has_bits = false;         ///< a prefix length was given, or the word is "default"
    bool is_default = false;       ///< the word is "default", "any" or "all"
    std::array<u8, 32> bytes{};

    std::span<u8 const> data() const { return {bytes.data(), length}; }
};

/// An address without prefix length. `family` AF_UNSPEC: any. "default", "any" and "all" are the unspecified one.
/// IPv4 in parts of any base, missing ones zero ("10.1" is 10.1.0.0). Throws Diagnostic.
Address read_address(Word const& word, u8 family);
std::optional<Address> parse_address(std::string_view text, u8 family);
/// An address with or without "/BITS" or "/NETMASK". Throws Diagnostic.
Address read_prefix(Word const& word, u8 family);
/// A dotted quad, all as above; in network order in memory.
u32 read_ipv4(Word const& word);

/// The most labels of a stack that are read.
constexpr std::size_t max_labels = 64;
/// "LABEL[/LABEL...]": an MPLS label stack, 4 bytes each, the last one marked as the bottom. Returns its length in bytes.
/// Throws Diagnostic.
std::size_t read_label_stack(Word const& word, std::span<u8> out);

/// Bytes of an address of this family: 4, 16; 0 if unknown.
u8 address_length(u8 family);

/// A link-layer address: up to `max` hexadecimal bytes between colons; with a dot, an IPv4 address's four (ll_addr_a2n).
/// Returns its length. Throws Diagnostic.
std::size_t read_link_address(Word const& word, std::span<u8> out);
/// Exactly six bytes. Throws Diagnostic.
std::array<u8, 6> read_mac(Word const& word);

/// Hexadecimal digits, two a byte, without separators. Throws Diagnostic. Returns how many bytes were written.
std::size_t read_hex(Word const& word, std::span<u8> out);

}  // namespace nlstream
