#include "netlink/words.hpp"

#include <array>

namespace nlstream {
namespace {

enum : u8 { ordinary = 0, blank = 1, hash = 2 };

constexpr auto classes = [] {
    std::array<u8, 256> table{};
    table[' '] = table['\t'] = table['\r'] = table['\n'] = blank;
    table['#'] = hash;
    return table;
}();

u8 class_of(char c) { return classes[static_cast<u8>(c)]; }

}  // namespace

void Words::split(std::string_view line) {
    text_ = line;
    words_.clear();
    next_ = 0;
    char const* const text = line.data();
    auto const size = static_cast<u32>(line.size());
    u32 i = 0;
    u32 last = 0;
    while (i < size) {
        auto const kind = class_of(text[i]);
        if (kind == blank) {
            ++i;
            continue;
        }
        if (kind == hash) break;
        u32 const begin = i;
        if (text[i] == '"' || text[i] == '\'') {
            auto const close = line.find(text[i], i + 1);
            if (close == line.npos) {
                end_ = size;
                throw Diagnostic{"this quote is not closed", {begin, begin + 1}, std::string("no second ") + text[begin] + " in the line", {}, code::syntax};
            }
            i = static_cast<u32>(close) + 1;
            words_.push_back({line.substr(begin + 1, i - begin - 2), {begin, i}});
        } else {
            do ++i;
            while (i < size && class_of(text[i]) == ordinary);
            words_.push_back({line.substr(begin, i - begin), {begin, i}});
        }
        last = i;
    }
    end_ = last;
}

void Words::fail_end(std::string_view wanted) const {
    std::string const name(wanted);
    // The caret goes behind the last word, where the missing one belongs.
    Span const place{end_ + (end_ > 0), end_ + 1 + (end_ > 0)};
    throw Diagnostic{"the line ends where " + name + " was expected", place, "expected " + name, {}, code::missing};
}

}  // namespace nlstream
