// Options that are put in the kernel's order, each if the line gave it.
#pragma once
#include <optional>

#include "netlink/line.hpp"

namespace nlstream::tc {

/// Puts `value` unless it is `absent`, which no line can ask for. `keyword` is where it came from.
template <class T>
void put_given(Line& line, std::string_view keyword, u16 attribute, T value, std::type_identity_t<T> absent = {}) {
    if (value == absent) return;
    line.source_keyword(keyword);
    line.out.put(attribute, value);
}

/// The same for a value that the line may not have given.
template <class T>
void put_given(Line& line, std::string_view keyword, u16 attribute, std::optional<T> const& value) {
    if (!value) return;
    line.source_keyword(keyword);
    line.out.put(attribute, *value);
}

}  // namespace nlstream::tc
