// How a kind's keywords are declared. The parser, the errors' wording, --help, the reference pages and shell completion
// are all derived from the declaration.
//
//     struct Police { u32 rate; ... };                                      // what the keywords of one line say
//     constexpr Row rows[] = {
//         {"vlan_id",     "VID",  U16(TCA_FLOWER_KEY_VLAN_ID).in(0, 4095), "The outer VLAN ID is VID.", unless<outside_vlan>},
//         {"burst*|buffer*", "SIZE", custom<read_burst>,                   "May send this much at once."},
//     };
//     constexpr auto table = keywords<Police>(rows);
//
// Words: aliases are separated by '|'; a trailing '*' means that the word may be abbreviated. Rows are tried in order,
// so the first row that an abbreviation fits gets it, as in iproute2.
#pragma once
#include <array>
#include <bit>
#include <bitset>
#include <cstring>
#include <span>
#include <string_view>

#include "netlink/value.hpp"

namespace nlstream {

/// Says why a keyword may not be used yet, or "" when it may.
struct Guard {
    std::string_view (*why)(void const* state) = nullptr;
    u64 state_type = 0;
};

/// Guard from `std::string_view f(State const&)`.
template <auto Function>
constexpr Guard unless = detail::make_guard<Guard, Function>();

struct Row {
    std::string_view words;     ///< "vlan_id", "burst*|buffer*"
    std::string_view argument;  ///< how help names it: "VID"; "" for a bare keyword
    Value value;
    std::string_view help;      ///< one sentence
    Guard guard = {};
    bool once = false;          ///< a second use in the same list of keywords is an error
};

/// Calls `each(word, abbreviable)` for every alias of a row's words, until it returns true; returns whether it did.
template <class Each>
constexpr bool any_alias(std::string_view words, Each&& each) {
    while (true) {
        auto const bar = words.find('|');
        auto alias = words.substr(0, bar);
        bool const abbreviable = alias.ends_with('*');
        if (abbreviable) alias.remove_suffix(1);
        if (each(alias, abbreviable)) return true;
        if (bar == words.npos) return false;
        words.remove_prefix(bar + 1);
    }
}

/// A row's first word, without marks: its name.
constexpr std::string_view name_of(Row const& row) {
    std::string_view name;
    any_alias(row.words, [&](std::string_view alias, bool) { name = alias; return true; });
    return name;
}

/// True when `typed` selects a row declared with `words`.
constexpr bool selects(std::string_view words, std::string_view typed) {
    std::size_t at = 0;
    while (true) {
        std::size_t same = 0;
        while (same < typed.size() && at < words.size() && words[at] == typed[same] && words[at] != '|' && words[at] != '*') ++at, ++same;
        bool const all = same == typed.size();
        if (all && (at == words.size() || words[at] == '|' || words[at] == '*')) return true;
        while (at < words.size() && words[at] != '|') ++at;
        if (all && same > 0 && words[at - 1] == '*') return true;
        if (at == words.size()) return false;
        ++at;
    }
}

/// A kind's rows and an index of every word that selects one, abbreviations included. REQUIRES: the rows outlive it.
class Table {
  public:
    static constexpr u8 none = 0xff;

    constexpr Table() = default;
    constexpr Table(std::span<Row const> rows, std::span<u8 const> slots) : rows_(rows), slots_(slots) {}

    constexpr std::span<Row const> rows() const { return rows_; }
    /// The row that `typed` selects, nullptr if none.
    Row const* find(std::string_view typed) const {
        if (slots_.empty()) return nullptr;
        auto const mask = slots_.size() - 1;
        for (auto at = hash(typed) & mask; slots_[at] != none; at = (at + 1) & mask)
            if (is_selected(rows_[slots_[at]], typed)) return &rows_[slots_[at]];
        return nullptr;
    }
    /// The known word nearest to `typed`, empty if none is near.
    std::string_view nearest(std::string_view typed) const;

    /// Of the length and of the first and the last eight bytes, read at once.
    static constexpr std::size_t hash(std::string_view word) {
        auto const size = word.size();
        u64 first = 0, last = 0;
        if (size >= 8) {
            first = bytes<u64>(word, 0);
            last = bytes<u64>(word, size - 8);
        } else if (size >= 4) {
            first = bytes<u32>(word, 0);
            last = bytes<u32>(word, size - 4);
        } else {
            for (char c : word) first = first << 8 | static_cast<u8>(c);
        }
        auto const mixed = (first * 0x9e3779b97f4a7c15 ^ (last + size)) * 0xc2b2ae3d27d4eb4f;
        return static_cast<std::size_t>(mixed >> 40);
    }

  private:
    /// The bytes from `at` on as a little-endian number.
    template <class Unsigned>
    static constexpr Unsigned bytes(std::string_view word, std::size_t at) {
        Unsigned value = 0;
        if (std::is_constant_evaluated() || std::endian::native != std::endian::little)
            for (std::size_t i = 0; i < sizeof value; ++i) value |= static_cast<Unsigned>(Unsigned{static_cast<u8>(word[at + i])} << 8 * i);
        else
            std::memcpy(&value, word.data() + at, sizeof value);
        return value;
    }
    static bool starts_with(std::string_view words, std::string_view typed) {
        auto const size = typed.size();
        if (words.size() < size) return false;
        if (size >= 8) return bytes<u64>(words, 0) == bytes<u64>(typed, 0) && (size == 8 || std::memcmp(words.data(), typed.data(), size) == 0);
        if (size >= 4) return bytes<u32>(words, 0) == bytes<u32>(typed, 0) && bytes<u32>(words, size - 4) == bytes<u32>(typed, size - 4);
        for (std::size_t i = 0; i < size; ++i)
            if (words[i] != typed[i]) return false;
        return true;
    }
    static bool is_selected(Row const& row, std::string_view typed) {
        // Most rows have one word, and most words are typed in full.
        auto const words = row.words;
        if (starts_with(words, typed) && (words.size() == typed.size() || words[typed.size()] == '*' || words[typed.size()] == '|')) return true;
        return selects(words, typed);
    }

    std::span<Row const> rows_;
    std::span<u8 const> slots_;
};

/// The index's storage, made when the program is compiled.
template <std::size_t Slots>
struct Keywords {
    std::span<Row const> rows;
    std::array<u8, Slots> slots{};
    constexpr operator Table() const { return Table(rows, slots); }
};

namespace detail {
/// Room for the words of so many rows, each with all its abbreviations, sparse enough to be searched fast.
constexpr std::size_t slots_for(std::size_t rows) {
    std::size_t slots = 32;
    while (slots < rows * 16) slots *= 2;
    return slots;
}
}  // namespace detail

/// Indexes `rows`, whose values, guards and custom readers must all be of `State`.
template <class State, std::size_t N>
consteval auto keywords(Row const (&rows)[N]) {
    static_assert(N < Table::none);
    Keywords<detail::slots_for(N)> index{.rows = rows};
    index.slots.fill(Table::none);
    std::size_t used = 0;
    for (std::size_t i = 0; i < N; ++i) {
        for (u64 const type : {state_type_of(rows[i].value), rows[i].guard.state_type})
            if (type != 0 && type != detail::state_type<State>) throw "a row's value or guard is of another state";
        any_alias(rows[i].words, [&](std::string_view alias, bool abbreviable) {
            for (auto length = abbreviable ? 1 : alias.size(); length <= alias.size(); ++length) {
                // An earlier row that takes this word, perhaps as an abbreviation of its own, gets it, as in iproute2.
                auto const word = alias.substr(0, length);
                std::size_t first = 0;
                while (!selects(rows[first].words, word)) ++first;
                if (first < i) continue;
                auto at = Table::hash(word) % index.slots.size();
                while (index.slots[at] != Table::none) at = (at + 1) % index.slots.size();
                index.slots[at] = static_cast<u8>(i);
                if (++used > index.slots.size() * 3 / 4) throw "the index is too small for so many words";
            }
            return false;
        });
    }
    return index;
}

/// Rows of several kinds, one list after the other: keywords<State>(joined.rows).
template <std::size_t N>
struct Joined {
    Row rows[N] = {};
};
template <std::size_t... N>
consteval auto join(Row const (&... lists)[N]) {
    Joined<(N + ...)> all;
    std::size_t at = 0;
    auto const add = [&](auto const& list) { for (auto const& row : list) all.rows[at++] = row; };
    (add(lists), ...);
    return all;
}

/// Reads keywords of one table into one state.
class Reader {
  public:
    template <class State>
    Reader(Table const& table, State& state) : table_(table), state_(&state) {}

    /// Reads the next keyword and its argument; false, and nothing taken, when the next word is none of the table's or
    /// the line is done. Throws Diagnostic, BarrierNeeded.
    bool read_one(Line& line);
    /// Reads the keyword whose name (first word) is `name` if it comes next: for keywords in a fixed order. false, and
    /// nothing taken, if it does not. REQUIRES: the table has it.
    bool read_if(Line& line, std::string_view name);
    /// Reads keywords to the end of the line; any other word is an error.
    void read_all(Line& line);
    /// Reads keywords until the line ends or a word is none of them.
    void read_some(Line& line) { while (read_one(line)) {} }
    /// Whether the keyword whose name (first word) is `name` was read.
    bool seen(std::string_view name) const;
    /// Throws a Diagnostic for the next word, which is none of the table's. REQUIRES: !line.done()
    [[noreturn]] void fail_unknown(Line const& line) const;

  private:
    void read_row(Line& line, Row const& row);

    Table const table_;
    void* state_;
    std::bitset<256> seen_;
};

/// The rows as --help shows them: two columns, one row a keyword.
std::string help(Table const& table);

}  // namespace nlstream
