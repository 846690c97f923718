// What the options of most actions end with: "[CONTROL] [index INDEX]".
#pragma once
#include "netlink/table.hpp"
#include "netlink/tc/control.hpp"

namespace nlstream::tc {

struct ActionEnd {
    u32 index = 0;  ///< 0: the kernel chooses
};

inline constexpr Row action_end_rows[] = {
    {"index*", "INDEX", U32(keep<&ActionEnd::index>).dec(), "The action's number; that of an existing action when nothing else is said."},
};
inline constexpr auto action_end_table = keywords<ActionEnd>(action_end_rows);

/// For the kinds whose INDEX may be hexadecimal or octal.
inline constexpr Row action_end_any_base_rows[] = {
    {"index*", "INDEX", U32(keep<&ActionEnd::index>), "The action's number; that of an existing action when nothing else is said."},
};
inline constexpr auto action_end_any_base_table = keywords<ActionEnd>(action_end_any_base_rows);

/// Reads the end into `parms`, a struct that begins with tc_gen. `control` (TC_ACT_*) is what happens to packets when the line does
/// not say it; `table` is one of the two above. Returns whether an index was given. Throws Diagnostic.
template <class Parms>
bool read_action_end(Line& line, Parms& parms, int control, Table const& table = action_end_table) {
    parms.action = static_cast<int>(read_control_if(line).value_or(static_cast<u32>(control)));
    ActionEnd end;
    bool const given = Reader(table, end).read_one(line);
    parms.index = end.index;
    return given;
}

/// Reads "[CONTROL]", with which the kinds end whose index is among their other keywords. Throws Diagnostic.
template <class Parms>
void read_action_control(Line& line, Parms& parms, int control) {
    parms.action = static_cast<int>(read_control_if(line).value_or(static_cast<u32>(control)));
    if (line.at("index")) fail_use(line.peek(), "the index of this action comes before its control");
}

/// Skips the kind's name and abbreviations of it. iproute2 does so wherever a keyword of such a kind may stand: "c" after
/// connmark is not "continue".
inline void skip_name(Line& line, std::string_view kind) {
    while (line.take_if_abbreviates(kind)) {}
}
/// The same for kinds whose name iproute2 wants a word behind: `wanted` is what to add.
inline void skip_name(Line& line, std::string_view kind, std::string_view wanted) {
    while (line.take_if_abbreviates(kind))
        if (line.done()) fail_missing(line, wanted);
}

}  // namespace nlstream::tc
