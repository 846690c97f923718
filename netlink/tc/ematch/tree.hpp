// Expressions of extended matches, as basic, cgroup and flow take them behind `match`.
#pragma once
#include <string>

#include "netlink/table.hpp"

namespace nlstream::tc {

/// Reads "[not] KIND(...) {and|or} [not] (...) ..." and puts it as a nest of `attribute` (linux/pkt_cls.h, TCA_EMATCH_TREE_*).
/// Ends in front of the first word behind a complete match that is neither `and` nor `or`. Throws Diagnostic.
void read_ematch_tree(Line& line, u16 attribute);

/// Reads keywords up to the closing bracket, which is not taken; any other word is an error.
void read_to_bracket(Line& line, Reader& reader);

/// True for a text between double quotes. Such a word keeps its quotes.
bool is_string(Word const& word);
/// The text, its escapes (\n, \x41, \101 and so on, as in C) resolved. REQUIRES: is_string(word). Throws Diagnostic.
std::string read_string(Word const& word);

/// linux/pkt_cls.h, TCF_LAYER_*; a number is taken too.
inline constexpr NamedValue ematch_layers[] = {{"link*", 0}, {"network*", 1}, {"transport*", 2}};
inline constexpr u64 ematch_layer_max = 2;

}  // namespace nlstream::tc
