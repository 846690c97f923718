// Values that several objects of bridge take.
#pragma once
#include "netlink/address.hpp"
#include "netlink/line.hpp"
#include "netlink/value.hpp"

namespace nlstream::bridge {

/// A VLAN ID, decimal, up to `max`: what the request's 16 bits hold where iproute2 leaves it to the kernel to refuse those
/// that no VLAN has. Throws Diagnostic.
u16 read_vid(Word const& word, u16 max);

/// "FIRST" or "FIRST-LAST".
struct Range {
    u32 first;
    std::optional<u32> last;
};
/// VLAN IDs; LAST is greater than FIRST. Throws Diagnostic.
Range read_vids(Word const& word);
/// Tunnel ids (VNIs) of 24 bits, of any base. Throws Diagnostic.
Range read_tunnel_ids(Word const& word, int base = 0);

/// A state of a port in the spanning tree (linux/if_bridge.h, BR_STATE_*), by name or as a decimal number up to `max`.
/// Throws Diagnostic.
u8 read_stp_state(Word const& word, u32 max = 255);

/// An IPv4 or IPv6 address, spelled in full (inet_pton(3)). Throws Diagnostic.
Address read_host(Word const& word);
std::optional<Address> parse_host(std::string_view text);

}  // namespace nlstream::bridge
