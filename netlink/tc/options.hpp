// What the readers of qdiscs' options share.
#pragma once
#include <initializer_list>

#include "netlink/line.hpp"
#include "netlink/quantity.hpp"
#include "netlink/tc/put_given.hpp"

namespace nlstream::tc {

/// The last use of the first of `keywords` that the line holds, to blame it; the line's last word if it holds none.
inline Word const& given_word(Line const& line, std::initializer_list<std::string_view> keywords) {
    for (auto const keyword : keywords)
        for (auto i = line.position(); i-- > 0;)
            if (line.all()[i].text == keyword) return line.all()[i];
    return line.last();
}

/// True when the next word begins as a number does: what ends a list of numbers in which any other word is a keyword.
inline bool at_number(Line const& line) {
    if (line.done()) return false;
    auto text = without_space(line.peek().text);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

/// True when the next word starts with a digit.
inline bool at_digit(Line const& line) { return !line.done() && !line.peek().text.empty() && line.peek().text[0] >= '0' && line.peek().text[0] <= '9'; }

}  // namespace nlstream::tc
