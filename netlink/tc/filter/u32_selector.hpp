// What u32 matches: up to 128 masked words of the packet.
#pragma once
#include <linux/pkt_cls.h>

#include <array>

#include "netlink/table.hpp"

namespace nlstream::tc {

/// The members of tc_u32_sel (whose array of unknown length cannot be a member), named as there, and its keys.
struct Selector {
    u8 flags = 0;       ///< TC_U32_*
    u8 offshift = 0;
    u8 nkeys = 0;
    u16 offmask = 0;    ///< network order
    u16 off = 0;
    short offoff = 0;
    short hoff = 0;
    u32 hmask = 0;      ///< network order
    std::array<tc_u32_key, 128> keys;  ///< the first nkeys are used; left uninitialised, since they are many
};

/// What may follow `match`, and the fields of each protocol.
Table u32_match_table();
Table u32_ip_table();
Table u32_ip6_table();
Table u32_port_table();
Table u32_icmp_table();
Table u32_ether_table();

/// Reads one match, as after the word `match`, and adds its keys; `mark` is put as TCA_U32_MARK instead. Throws Diagnostic.
void read_u32_match(Line& line, Selector& selector);

/// Where a key is in the packet.
struct KeyPlace {
    int offset;
    int next_header = 0;  ///< -1: counted from the next header, which an earlier filter's `offset` found
};

/// Reads "VALUE MASK [at [nexthdr+]OFFSET]" of 8, 16 or 32 `bits` and adds it. `place`: where the line does not say it.
/// Throws Diagnostic.
void read_u32_key(Line& line, Selector& selector, int bits, int mask_base, KeyPlace place);

/// Puts TCA_U32_SEL.
void put_selector(Line& line, Selector const& selector);

}  // namespace nlstream::tc
