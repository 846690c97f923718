// The parts of a word between separators: "0102:80:00ff" at ':'.
#pragma once
#include "netlink/line.hpp"

namespace nlstream {

/// Takes a word apart from left to right. Every part is a word with a place of its own, so errors point at it.
class Parts {
  public:
    enum class Empty : bool { counted, skipped };

    /// `empty` parts: "a::b:" has four parts, or only a and b (as strtok(3) sees it).
    Parts(Word const& word, char separator, Empty empty = Empty::counted) : rest_(word), separator_(separator), empty_(empty) {
        // Without the quotes.
        if (word.span.end - word.span.begin == word.text.size() + 2) rest_.span = {word.span.begin + 1, word.span.end - 1};
        skip();
    }

    /// True while a part is left. Where empty parts count, a word has at least one.
    bool more() const { return more_; }
    /// Takes the next part. REQUIRES: more()
    Word next() {
        auto const at = rest_.text.find(separator_);
        auto const begin = rest_.span.begin;
        if (at == rest_.text.npos) {
            more_ = false;
            return rest_;
        }
        auto const place = begin + static_cast<u32>(at);
        Word const part{rest_.text.substr(0, at), {begin, place}};
        rest_ = {rest_.text.substr(at + 1), {place + 1, rest_.span.end}};
        skip();
        return part;
    }
    /// Throws if a part is left; `wanted` is what the word should be.
    void finish(std::string_view wanted) const {
        if (more_) fail_value(rest_, "an end", wanted);
    }

  private:
    void skip() {
        if (empty_ == Empty::counted) return;
        while (rest_.text.starts_with(separator_)) rest_ = {rest_.text.substr(1), {rest_.span.begin + 1, rest_.span.end}};
        more_ = !rest_.text.empty();
    }

    Word rest_;
    char separator_;
    Empty empty_;
    bool more_ = true;
};

}  // namespace nlstream
