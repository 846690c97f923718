#include "netlink/line.hpp"

#include <algorithm>
#include <array>

namespace nlstream {
namespace {

/// Where the word stands; the byte behind it if it is empty, so that a caret has a place.
Span place_of(Word const& word) { return {word.span.begin, std::max(word.span.end, word.span.begin + 1)}; }

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

/// Edits (insert, delete, replace, swap of neighbours) that make `b` of `a`; words longer than 31 are far from everything.
std::size_t edits(std::string_view a, std::string_view b) {
    constexpr std::size_t limit = 32;
    if (a.size() >= limit || b.size() >= limit) return limit;
    std::array<std::array<u8, limit>, limit> d{};
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<u8>(i);
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<u8>(j);
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const replace = static_cast<u8>(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            auto least = std::min({static_cast<u8>(d[i - 1][j] + 1), static_cast<u8>(d[i][j - 1] + 1), replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) least = std::min(least, static_cast<u8>(d[i - 2][j - 2] + 1));
            d[i][j] = least;
        }
    return d[a.size()][b.size()];
}

}  // namespace

void Line::find_source(std::string_view full) {
    auto const& words = all();
    for (auto i = position(); i-- > 0;)
        if (abbreviates(words[i].text, full)) {
            auto const value = std::min(i + 1, words.size() - 1);
            out.source({words[i].span.begin, words[value].span.end});
            return;
        }
}

void Line::offer_missed(Word const& word, Nearest& nearest) const {
    if (missed_count_ == 0 || missed_at_ >= all().size() || all()[missed_at_].span != word.span) return;
    for (auto const& list : std::span(missed_).first(missed_count_)) list.offer(list.first, list.count, nearest);
}

void Line::suggest(Diagnostic& d) const {
    if (!d.help.empty() || missed_count_ == 0 || missed_at_ >= all().size()) return;
    auto const& word = all()[missed_at_];
    // Of a word that was passed over the error itself is to be told.
    bool const blamed = d.where.begin == word.span.begin;
    if (!blamed && missed_at_ != position()) return;
    Nearest nearest(word.text);
    offer_missed(word, nearest);
    if (nearest.best().empty() || nearest.best() == word.text) return;
    d.help = "did you mean " + quoted(nearest.best());
    if (!blamed) d.help += " by " + quoted(word.text);
    d.help += '?';
}

void fail_value(Word const& word, std::string_view what, std::string_view expected) {
    throw Diagnostic{quoted(word.text) + " is not " + std::string(what), place_of(word), "expected " + std::string(expected), {}, code::value};
}

void fail_range(Word const& word, std::string_view expected) {
    throw Diagnostic{std::string(word.text) + " is out of range", place_of(word), "expected " + std::string(expected), {}, code::range};
}

void fail_use(Word const& word, std::string_view why) {
    throw Diagnostic{quoted(word.text) + " cannot be used here", place_of(word), std::string(why), {}, code::syntax};
}

void fail_unknown(Word const& word, std::string_view what, std::string_view nearest) {
    std::string help;
    if (!nearest.empty()) help = "did you mean " + quoted(nearest) + '?';
    throw Diagnostic{"unknown " + std::string(what) + ' ' + quoted(word.text), place_of(word), {}, std::move(help), code::unknown_word};
}

void fail_missing(Line const& line, std::string_view wanted) {
    auto const at = line.end().end;
    throw Diagnostic{std::string(wanted) + " is missing", {at + 1, at + 2}, "expected " + std::string(wanted), {}, code::missing};
}

void Nearest::offer(std::string_view candidate) {
    auto const distance = edits(typed_, candidate);
    // A third of the word may be mistyped; more is another word.
    if (distance < distance_ && distance <= 1 + typed_.size() / 4 && distance < candidate.size()) {
        distance_ = distance;
        best_ = candidate;
    }
}

}  // namespace nlstream
