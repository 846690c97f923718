// Tools, objects and verbs: the first words of a line.
#pragma once
#include <span>
#include <string_view>

#include "netlink/encoder.hpp"
#include "netlink/line.hpp"
#include "netlink/table.hpp"

namespace nlstream {

/// What a line does to an object: "add", "replace".
struct Verb {
    std::string_view words;  ///< as in Row: "add*", "delete*|del"
    u16 type = 0;            ///< RTM_*; 0: the verb only reads, and is refused
    u16 flags = 0;           ///< NLM_F_* besides NLM_F_REQUEST and NLM_F_ACK
};

/// Takes the verb. Throws Diagnostic when it is unknown, missing, or only reads. `object` ("ip route") is for the error.
Verb const& read_verb(Line& line, std::span<Verb const> verbs, std::string_view object);

/// Something that lines change: "route", "qdisc".
struct Object {
    Tool tool;
    std::string_view words;             ///< as in Row; all objects may be abbreviated
    std::string_view summary;           ///< one sentence
    void (*read)(Line& line) = nullptr; ///< reads the verb and all that follows, begins and ends the request(s)
    std::string_view refusal = {};      ///< why lines for it are not streamed, where `read` is nullptr
};

/// Every object, in the order in which each tool looks its abbreviations up.
std::span<Object const> objects();
std::string_view name_of(Tool tool);

/// A list of keywords with a title: what --help and the reference show.
class NamedTable {
  public:
    constexpr NamedTable() = default;
    constexpr NamedTable(std::string_view title, Table keywords) : title_(title), table_(keywords) {}
    /// Of another file: asked for it when it is needed, as a call before main would cost every start a page fault or two.
    constexpr NamedTable(std::string_view title, Table (*elsewhere)()) : title_(title), elsewhere_(elsewhere) {}

    std::string_view title() const { return title_; }
    Table table() const { return elsewhere_ ? elsewhere_() : table_; }

  private:
    std::string_view title_;
    Table table_;
    Table (*elsewhere_)() = nullptr;
};

/// What is known of every kind: a qdisc, a filter, an action, a link type, an encap, or an object itself.
struct KindInfo {
    std::string_view section;  ///< "qdisc", "filter", "action", "link", "encap", "ip", "tc", "bridge"
    std::string_view name;     ///< as the user types it
    std::string_view summary;  ///< one sentence
    std::array<NamedTable, 10> tables = {};
};

/// Every kind of every section: for help, the reference and tests.
std::vector<KindInfo const*> all_kinds();

/// Begins a request: the header, then the family's fixed header, zeroed.
template <class Header>
Header& begin_request(Line& line, u16 type, u16 flags) {
    line.out.begin(type, static_cast<u16>(NLM_F_REQUEST | NLM_F_ACK | flags));
    return line.out.fixed_header<Header>();
}
/// Ends it. Throws Diagnostic when it grew too long.
void end_request(Line& line);

/// The kind called `word`, a word of the line, among `kinds` (pointers to something with `.info.name`). Throws Diagnostic.
template <class Kind>
Kind const& find_kind(Line const& line, Word const& word, std::span<Kind const* const> kinds, std::string_view what) {
    for (auto const* kind : kinds)
        if (kind->info.name == word.text) return *kind;
    Nearest nearest(word.text);
    for (auto const* kind : kinds) nearest.offer(kind->info.name);
    line.offer_missed(word, nearest);
    fail_unknown(word, what, nearest.best());
}

}  // namespace nlstream
