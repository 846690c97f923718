#pragma once
#include "netlink/line.hpp"

namespace nlstream {

/// A protocol above IP (IPPROTO_*): a decimal number up to 255, or a name or an alias from /etc/protocols ("tcp", "TCP").
/// The common names need no such file. Throws Diagnostic.
u8 read_ip_protocol(Line& line, Word const& word);

}  // namespace nlstream
