#pragma once
#include "netlink/line.hpp"

namespace nlstream::ip {

/// Opens the network namespace that `word` names (a name of `ip netns`, a path, or the id of a process in it) and keeps it open until
/// the line's messages are settled. Throws Diagnostic.
OpenFile const& open_namespace(Line& line, Word const& word);

}  // namespace nlstream::ip
