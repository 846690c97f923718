#include "netlink/table.hpp"

#include <algorithm>

namespace nlstream {

namespace {

void offer_words(std::span<Row const> rows, Nearest& nearest) {
    for (auto const& row : rows)
        any_alias(row.words, [&](std::string_view alias, bool) { nearest.offer(alias); return false; });
}

WordList words_of(std::span<Row const> rows) {
    return {rows.data(), rows.size(), [](void const* first, std::size_t count, Nearest& nearest) { offer_words({static_cast<Row const*>(first), count}, nearest); }};
}

}  // namespace

std::string_view Table::nearest(std::string_view typed) const {
    Nearest nearest(typed);
    offer_words(rows_, nearest);
    return nearest.best();
}

bool Reader::read_one(Line& line) {
    if (line.done()) return false;
    auto const* row = table_.find(line.peek().text);
    if (row) read_row(line, *row);
    else line.missed(words_of(table_.rows()));
    return row;
}

bool Reader::read_if(Line& line, std::string_view name) {
    if (line.done()) return false;
    auto const& row = *std::ranges::find(table_.rows(), name, [](Row const& known) { return name_of(known); });
    bool const selected = selects(row.words, line.peek().text);
    if (selected) read_row(line, row);
    else line.missed(words_of({&row, 1}));
    return selected;
}

void Reader::read_row(Line& line, Row const& row) {
    auto const& word = line.take("a keyword");
    auto const index = static_cast<std::size_t>(&row - table_.rows().data());
    if (auto* const trail = line.out.trail()) trail->read({&row, word.span});
    if (row.once && seen_[index]) fail_use(word, "it was given before");
    seen_[index] = true;
    if (row.guard.why)
        if (auto const why = row.guard.why(state_); !why.empty()) fail_use(word, why);
    read_value(row.value, row.argument, line, state_);
}

void Reader::read_all(Line& line) {
    while (read_one(line)) {}
    if (!line.done()) fail_unknown(line);
}

bool Reader::seen(std::string_view name) const {
    for (std::size_t i = 0; i < table_.rows().size(); ++i)
        if (seen_[i] && name_of(table_.rows()[i]) == name) return true;
    return false;
}

void Reader::fail_unknown(Line const& line) const {
    auto const& word = line.peek();
    Nearest nearest(word.text);
    offer_words(table_.rows(), nearest);
    line.offer_missed(word, nearest);
    nlstream::fail_unknown(word, "keyword", nearest.best());
}

std::string help(Table const& table) {
    std::string out;
    for (auto const& row : table.rows()) {
        std::string left = "  ";
        any_alias(row.words, [&](std::string_view alias, bool) {
            if (left.size() > 2) left += ", ";
            left += alias;
            return false;
        });
        if (!row.argument.empty()) left += ' ' + std::string(row.argument);
        left.resize(std::max<std::size_t>(left.size() + 2, 32), ' ');
        out += left + std::string(row.help);
        if (auto const range = describe(row.value); !range.empty()) out += " [" + range + ']';
        out += '\n';
    }
    return out;
}

}  // namespace nlstream
