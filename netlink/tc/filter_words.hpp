// The words that tc filter and tc chain share: everything behind the verb.
#pragma once
#include "netlink/command.hpp"

namespace nlstream::tc {

/// The words before the kind of the filter.
Table filter_words();

/// Reads them, the kind and its options, and makes the request. `default_protocol`: the EtherType where the line names none.
/// Throws Diagnostic, BarrierNeeded.
void read_filter_words(Line& line, Verb const& verb, u16 default_protocol);

}  // namespace nlstream::tc
