#pragma once
#include <optional>

#include "netlink/line.hpp"

namespace nlstream {

/// An EtherType (linux/if_ether.h, ETH_P_*) in host byte order: by name ("ip", "802.1Q", "all"; case does not matter) or
/// number. Throws Diagnostic.
u16 read_ether_protocol(Word const& word);
/// The first name of an EtherType; empty if it has none.
std::string_view ether_protocol_name(u16 protocol);

}  // namespace nlstream
