#pragma once
#include "netlink/line.hpp"

namespace nlstream::ip {

/// Opens the network namespace that `word` names (a name of `ip netns` or a path) and keeps it open until the line's messages are
/// settled. Throws Diagnostic, BarrierNeeded.
OpenFile const& open_namespace(Line& line, Word const& word);
/// The same, and where there is none of that name, the namespace of the process with that number.
OpenFile const& open_namespace_or_of_process(Line& line, Word const& word);

}  // namespace nlstream::ip
