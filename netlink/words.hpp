// The words of one logical line.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "netlink/diagnostic.hpp"

namespace nlstream {

struct Word {
    std::string_view text;  ///< without its quotes
    Span span;              ///< with its quotes
};

/// True when `typed` is `full` or an abbreviation of it. An empty word abbreviates nothing.
constexpr bool abbreviates(std::string_view typed, std::string_view full) {
    return !typed.empty() && full.starts_with(typed);
}

/// Reads a line's words from left to right.
///
/// Words are separated by blanks, tabs, carriage returns and newlines. A word that starts with ' or " reaches to the
/// next such character; a quote inside a word is an ordinary character (iproute2's rules). `#` outside quotes starts
/// a comment, wherever it stands.
class Words {
  public:
    /// Splits `line`, which must outlive the words. Reuses the memory of the line before.
    /// Throws Diagnostic for a quote that is not closed.
    void split(std::string_view line);

    bool done() const { return next_ == words_.size(); }
    /// The next word, not taken. REQUIRES: !done()
    Word const& peek() const { return words_[next_]; }
    /// The word after the next one, if there is one.
    Word const* peek_second() const { return next_ + 1 < words_.size() ? &words_[next_ + 1] : nullptr; }
    /// True when the next word is exactly `text`.
    bool at(std::string_view text) const { return !done() && peek().text == text; }
    /// Takes the next word if it is exactly `text`.
    bool take_if(std::string_view text) {
        if (!at(text)) return false;
        ++next_;
        return true;
    }
    /// Takes the next word if it is `full` or an abbreviation of it.
    bool take_if_abbreviates(std::string_view full) {
        if (done() || !abbreviates(peek().text, full)) return false;
        ++next_;
        return true;
    }
    /// Takes the next word; throws a Diagnostic that names `wanted` ("VID", "a device") when the line ends here.
    Word const& take(std::string_view wanted) {
        if (done()) fail_end(wanted);
        return words_[next_++];
    }
    /// Puts the word taken last back.
    void untake() { --next_; }
    /// The word taken last. REQUIRES: one was.
    Word const& last() const { return words_[next_ - 1]; }

    /// Where the line ends: what a missing word is blamed on.
    Span end() const { return {end_, end_}; }
    /// The line that was split.
    std::string_view text() const { return text_; }
    /// All words of the line, taken or not.
    std::vector<Word> const& all() const { return words_; }
    std::size_t position() const { return next_; }
    void rewind(std::size_t position) { next_ = position; }
    /// Puts `with` in the place of `count` words from `position` on, for a part of the line that has its own way of splitting.
    /// Pointers to words that were taken before are no longer valid.
    void replace(std::size_t position, std::size_t count, std::span<Word const> with) {
        auto const at = words_.begin() + static_cast<std::ptrdiff_t>(position);
        words_.insert(words_.erase(at, at + static_cast<std::ptrdiff_t>(count)), with.begin(), with.end());
    }

  private:
    [[noreturn]] void fail_end(std::string_view wanted) const;

    std::string_view text_;
    std::vector<Word> words_;
    std::size_t next_ = 0;
    u32 end_ = 0;
};

}  // namespace nlstream
