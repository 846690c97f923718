#include "pipeline/splitter.hpp"

namespace nlstream {

void Splitter::step(char c) {
    tail_ = c == '\r' && tail_ == Tail::backslash ? Tail::backslash_cr : Tail::other;
    if (place_.in_comment) return;
    if (c == '\\') {
        before_backslash_ = place_;
        tail_ = Tail::backslash;
    }
    if (place_.quote) {
        if (c == place_.quote) place_ = {};
        return;
    }
    switch (c) {
        case '#': place_.in_comment = true; break;
        case ' ':
        case '\t':
        case '\r': place_.in_word = false; break;
        case '\'':
        case '"':
            // Inside a word a quote is an ordinary character.
            if (!place_.in_word) place_.quote = c;
            break;
        default: place_.in_word = true; break;
    }
}

void Splitter::finish(std::string_view raw, LogicalLine& line) {
    line = {raw, raw, number_, Defect::none};
    if (too_long_) {
        line.text = line.raw = shown_;
        line.defect = Defect::too_long;
    } else if (more_lines_ > 0) {
        line.text = joined_.append(raw.substr(begin_));
    }
    number_ += more_lines_ + 1;
    careful_ = too_long_ = false;
    more_lines_ = 0;
    scanned_ = begin_ = 0;
    tail_ = Tail::other;
    place_ = {};
}

bool Splitter::next_careful(std::string_view rest, bool at_end, LogicalLine& line, std::size_t& consumed) {
    if (!careful_) {
        careful_ = true;
        scanned_ = 0;
        joined_.clear();
    }
    auto const give_up_beyond = [&](std::size_t size) {
        if (too_long_ || size <= max_line) return;
        too_long_ = true;
        shown_ = rest.substr(0, shown_of_too_long);
        joined_.clear();
    };
    for (auto at = scanned_; at < rest.size(); ++at) {
        char const c = rest[at];
        if (c != '\n') {
            step(c);
            if (tail_ == Tail::backslash) backslash_ = at;
            continue;
        }
        if (tail_ == Tail::other) {
            give_up_beyond(at);
            finish(rest.substr(0, at), line);
            consumed = at + 1;
            return true;
        }
        if (!too_long_) joined_.append(rest.substr(begin_, backslash_ - begin_));
        ++more_lines_;
        place_ = before_backslash_;
        tail_ = Tail::other;
        begin_ = at + 1;
    }
    scanned_ = rest.size();
    give_up_beyond(rest.size());
    if (at_end) {
        consumed = rest.size();
        // What was consumed of a line that is too long may have been all there is.
        if (rest.empty() && !too_long_) {
            careful_ = false;
            return false;
        }
        bool const unfinished = more_lines_ > 0 && begin_ == rest.size() && !too_long_;
        finish(rest, line);
        if (unfinished) line.defect = Defect::unfinished;
        return true;
    }
    if (too_long_) {
        consumed = rest.size();
        scanned_ = begin_ = 0;
    }
    return false;
}

std::string logical_text(std::string_view raw) {
    Splitter splitter;
    LogicalLine line;
    std::size_t consumed = 0;
    return splitter.next(raw, true, line, consumed) ? std::string(line.text) : std::string(raw);
}

}  // namespace nlstream
