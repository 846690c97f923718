#include "netlink/missing.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <vector>

#include "netlink/command.hpp"
#include "netlink/decode.hpp"
#include "netlink/received.hpp"

namespace nlstream {
namespace {

using Bytes = std::span<std::byte const>;

/// More keywords than this are no hint.
constexpr std::size_t most_named = 3;
/// What was found is kept for so many kinds of lines.
constexpr std::size_t most_kept = 1000;

/// What is written for the words of an argument that are in capitals: something of each form that values have.
constexpr std::string_view samples[] = {"1", "2", "192.0.2.1", "239.1.1.1", "2001:db8::1", "02:00:00:00:00:01", "1:1", "1mbit", "1ms", "1%", "1/1", "1-2", "01", "ip", "tcp", "eth0", "pass", "permanent", "open", "active", "all"};

/// A message as attributes of attributes.
class Tree {
  public:
    explicit Tree(Bytes message) : message_(message) {
        auto const& head = *reinterpret_cast<nlmsghdr const*>(message.data());
        attributes_ = attributes_of(head, fixed_header_length(head.nlmsg_type));
    }

    /// The types of the attribute at `offset` and of those around it, the outermost first; empty if there is none.
    std::vector<u16> path_to(u32 offset) const { return path_in(attributes_, offset); }
    /// How many attributes of `type` are in the nests that `path` leads to.
    std::size_t count(std::span<u16 const> path, u16 type) const { return count_in(attributes_, path, type); }

  private:
    std::vector<u16> path_in(Bytes attributes, u32 offset) const {
        std::vector<u16> path;
        for_each_attribute(attributes, [&](nlattr const& attribute) {
            auto const at = static_cast<std::size_t>(reinterpret_cast<std::byte const*>(&attribute) - message_.data());
            if (offset < at || offset >= at + attribute.nla_len) return;
            path = offset == at ? std::vector<u16>() : path_in(payload_of(attribute), offset);
            if (offset == at || !path.empty()) path.insert(path.begin(), type_of(attribute));
        });
        return path;
    }
    static std::size_t count_in(Bytes attributes, std::span<u16 const> path, u16 type) {
        std::size_t sum = 0;
        for_each_attribute(attributes, [&](nlattr const& attribute) {
            auto const found = type_of(attribute);
            if (path.empty()) sum += found == type;
            else if (found == path.front()) sum += count_in(payload_of(attribute), path.subspan(1), type);
        });
        return sum;
    }

    Bytes message_;
    Bytes attributes_;
};

/// What may be written for the argument: "[lock] BYTES" and "id TUNNEL[-LAST]" have one word to fill in each.
std::vector<std::string> arguments_for(Row const& row) {
    std::string pattern;
    int optional = 0;
    for (char const c : row.argument) {
        if (c == '[') ++optional;
        if (optional == 0) pattern += c;
        if (c == ']') --optional;
    }
    // Of alternatives the first; of a range or a list its first element.
    Words words;
    words.split(pattern);
    std::vector<std::string> filled(std::size(samples));
    bool open = false;
    for (auto const& word : words.all()) {
        auto const first = word.text.substr(0, word.text.find_first_of("|.,"));
        bool const capital = !first.empty() && std::isupper(static_cast<unsigned char>(first.front()));
        open |= capital;
        for (std::size_t i = 0; i < filled.size(); ++i) (filled[i] += ' ') += capital ? samples[i] : first;
    }
    if (!open) filled.resize(1);
    // Numbers and words of a list have their own.
    if (auto const* number = std::get_if<Number>(&row.value)) filled = {' ' + std::to_string(std::max<u64>(number->min, 1))};
    if (auto const* choice = std::get_if<Choice>(&row.value)) {
        auto const word = choice->words.back().word;
        filled = {' ' + std::string(word.substr(0, word.find('*')))};
    }
    return filled;
}

/// Words that name a kind, or an object, which may be abbreviated.
bool names(Word const& word, KindInfo const& kind) {
    bool const object = kind.section == "tc" || kind.section == "ip" || kind.section == "bridge";
    return object ? abbreviates(word.text, kind.name) : word.text == kind.name;
}

/// By the address alone, as many tables are asked for many rows.
bool is_of(Table const& table, void const* row) {
    auto const rows = table.rows();
    return !std::less<void const*>()(row, rows.data()) && std::less<void const*>()(row, rows.data() + rows.size());
}

class Search {
  public:
    /// A table that the line uses.
    struct Use {
        Table table;
        std::optional<u32> behind_name;  ///< of its kind, if the line has that
    };

    Search(std::string_view line, Trail const& trail) : line_(line), trail_(trail) {
        Words words;
        words.split(line);
        end_ = words.end().end;
        for (auto const* kind : all_kinds()) {
            auto const named = std::ranges::find_if(words.all(), [&](Word const& word) { return names(word, *kind); });
            bool const used = named != words.all().end() || std::ranges::any_of(kind->tables, [&](NamedTable const& one) {
                return std::ranges::any_of(trail.keywords(), [&](auto const& keyword) { return is_of(one.table(), keyword.row); });
            });
            if (!used) continue;
            for (auto const& one : kind->tables) {
                auto const table = one.table();
                if (table.rows().empty() || std::ranges::any_of(uses_, [&](Use const& use) { return use.table.rows().data() == table.rows().data(); })) continue;
                uses_.push_back({table, named != words.all().end() ? std::optional(named->span.end) : std::nullopt});
            }
        }
    }

    std::vector<Use> const& uses() const { return uses_; }

    /// The rows that put an attribute of type `missing` in nests that `nest` leads to; `there`: how many of these there are.
    std::vector<Row const*> rows(u16 missing, std::span<u16 const> nest, std::size_t there, TryLine const& encode) const {
        std::vector<Row const*> found;
        for (auto const& use : uses_) {
            auto const places = places_for(use);
            for (auto const& row : use.table.rows()) {
                auto const alone = attribute_of(row.value);
                if (alone != kept && alone != missing) continue;
                auto const puts_it = [&](Bytes message) { return Tree(message).count(nest, missing) > there; };
                if (std::ranges::any_of(places, [&](u32 place) { return try_at(place, row, puts_it, encode); })) found.push_back(&row);
            }
        }
        return found;
    }

  private:
    /// Where another keyword of the table may be written: at the end, behind the kind's name, before the first keyword
    /// that was read, before the last one, which is often that of a list, and behind it.
    std::vector<u32> places_for(Use const& use) const {
        std::vector<u32> places{end_};
        if (use.behind_name) places.push_back(*use.behind_name);
        auto const& read = trail_.keywords();
        auto const mine = [&](Trail::Keyword const& keyword) { return is_of(use.table, keyword.row); };
        auto const first = std::ranges::find_if(read, mine);
        if (first == read.end()) return places;
        places.push_back(first->word.begin);
        auto const behind_last = std::find_if(read.rbegin(), read.rend(), mine).base();
        if (behind_last - 1 != first) places.push_back((behind_last - 1)->word.begin);
        if (behind_last != read.end()) places.push_back(behind_last->word.begin);
        return places;
    }

    template <class PutsIt>
    bool try_at(u32 place, Row const& row, PutsIt const& puts_it, TryLine const& encode) const {
        auto const before = std::string(line_.substr(0, place)) + ' ';
        auto const at = static_cast<u32>(before.size());
        auto const keyword = before + std::string(name_of(row));
        for (auto const& argument : arguments_for(row)) {
            Trail trail;
            auto const tried = encode(keyword + argument + ' ' + std::string(line_.substr(place)), trail);
            auto const fault_in_argument = tried.fault.begin > keyword.size() && tried.fault.begin <= keyword.size() + argument.size();
            if (tried.message.empty() && !fault_in_argument) return false;
            auto const read = std::ranges::any_of(trail.keywords(), [&](auto const& one) { return one.row == &row && one.word.begin == at; });
            if (!tried.message.empty() && read && puts_it(tried.message)) return true;
        }
        return false;
    }

    std::string_view line_;
    Trail const& trail_;
    u32 end_ = 0;
    std::vector<Use> uses_;
};

std::string sentence(std::vector<Row const*> const& rows) {
    if (rows.empty() || rows.size() > most_named) return {};
    std::string out;
    for (auto const* row : rows) {
        out += (out.empty() ? "\"" : " or \"") + std::string(name_of(*row));
        if (!row->argument.empty()) out += ' ' + std::string(row->argument);
        out += '"';
    }
    return out + " may be missing";
}

}  // namespace

std::string MissingKeywords::find(Answer const& answer, std::string_view line) {
    if (!answer.missing_type) return {};
    Trail trail;
    auto const message = try_(line, trail).message;
    if (message.empty()) return {};
    Tree const tree(message);
    std::vector<u16> nest;
    if (answer.missing_nest) nest = tree.path_to(*answer.missing_nest);
    if (answer.missing_nest && nest.empty()) return {};

    Search const search(line, trail);
    std::vector<std::uintptr_t> key(nest.begin(), nest.end());
    key.insert(key.begin(), {answer.request_type, *answer.missing_type, nest.size()});
    for (auto const& use : search.uses()) key.push_back(reinterpret_cast<std::uintptr_t>(use.table.rows().data()));
    if (auto const known = found_.find(key); known != found_.end()) return known->second;
    if (found_.size() == most_kept) found_.clear();
    auto const there = tree.count(nest, *answer.missing_type);
    return found_[key] = sentence(search.rows(*answer.missing_type, nest, there, try_));
}

}  // namespace nlstream
