#pragma once
#include "netlink/line.hpp"

namespace nlstream {

/// A UDP port: a number, or a name or alias that /etc/services gives it (getservbyname(3)). Host byte order.
/// Throws Diagnostic.
u16 read_udp_port(Line& line, Word const& word);

}  // namespace nlstream
