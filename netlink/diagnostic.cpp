#include "netlink/diagnostic.hpp"

#include <algorithm>

#include "netlink/render.hpp"
#include "netlink/utf8.hpp"

namespace nlstream {
namespace {

/// Of a line longer than this (in bytes) only a part is shown, around the caret.
constexpr u32 longest_whole = 240;
constexpr u32 shown_before = 80;
constexpr u32 shown_at_all = 200;
constexpr std::string_view ellipsis = "...";

/// What stands for the beginning of a text.
struct Character {
    std::size_t bytes;
    bool visible;
};

Character first_character(std::string_view text) {
    auto const size = character_size(text);
    if (size == 0) return {1, false};
    auto const first = static_cast<u8>(text[0]);
    // Control characters would do something to the terminal, those of ISO 6429's second set, U+0080 to U+009F, too.
    if (size == 1) return {1, (first >= 0x20 && first != 0x7f) || first == '\t'};
    return {size, !(first == 0xc2 && static_cast<u8>(text[1]) < 0xa0)};
}

/// Bytes that terminals show as nothing or as something else, made visible as '?'; tabs stay.
std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        auto const character = first_character(text);
        if (character.visible)
            out += text.substr(0, character.bytes);
        else
            out += '?';
        text.remove_prefix(character.bytes);
    }
    return out;
}

/// A sentence; a very long word in it loses its middle.
std::string sentence(std::string_view text) {
    constexpr std::size_t longest = 300, head = 200, tail = 80;
    auto out = printable(text);
    if (out.size() <= longest) return out;
    auto first = head, last = out.size() - tail;
    auto const inside = [&](std::size_t at) { return (static_cast<u8>(out[at]) & 0xc0) == 0x80; };
    while (inside(first)) --first;
    while (inside(last)) ++last;
    return out.substr(0, first).append(ellipsis).append(out.substr(last));
}

/// As wide as printable(text): tabs, and for all else `fill`.
std::string underneath(std::string_view text, char fill) {
    std::string out;
    while (!text.empty()) {
        out += text[0] == '\t' && fill == ' ' ? '\t' : fill;
        text.remove_prefix(first_character(text).bytes);
    }
    return out;
}

/// The part of `text` to show.
Span part_to_show(std::string_view text, Span where) {
    auto const size = static_cast<u32>(text.size());
    if (size <= longest_whole) return {0, size};
    auto const inside = [&](u32 at) { return at < size && (static_cast<u8>(text[at]) & 0xc0) == 0x80; };
    Span part;
    if (where.begin > shown_before) part.begin = std::min(where.begin, size) - shown_before;
    // The end of the line is worth as much as its beginning.
    if (size - part.begin < shown_at_all) part.begin = size - shown_at_all;
    part.end = std::min(part.begin + shown_at_all, size);
    while (part.begin > 0 && inside(part.begin)) --part.begin;
    while (inside(part.end)) ++part.end;
    return part;
}

struct Colours {
    std::string_view error, place, caret, help, none;
};
constexpr Colours no_colours{};
constexpr Colours terminal_colours{"\33[1;31m", "\33[34m", "\33[1;31m", "\33[36m", "\33[m"};

/// `behind_place` follows the file, line and column.
std::string render(Diagnostic const& d, Source const& at, Colours const& colours, std::string_view behind_place) {
    auto const coloured = [&](std::string_view colour, std::string_view text) {
        return std::string(colour).append(text).append(colours.none);
    };
    std::string const line = std::to_string(at.line);
    std::string const gutter(line.size(), ' ');
    auto const bar = coloured(colours.place, gutter + " |");
    bool const placed = is_placed(d.where);

    std::string out = coloured(colours.error, "error:") + ' ' + sentence(d.what) + '\n';
    out += coloured(colours.place, gutter + "-->") + ' ' + printable(at.file) + ':' + line;
    if (placed) out += ':' + std::to_string(d.where.begin + 1);
    out.append(behind_place) += '\n' + bar + '\n';

    // The end of a line from another system is no part of what it says.
    auto const text = at.text.ends_with('\r') ? at.text.substr(0, at.text.size() - 1) : at.text;
    auto const part = part_to_show(text, d.where);
    auto const shown = text.substr(part.begin, part.end - part.begin);
    out += coloured(colours.place, line + " |") + ' ';
    if (part.begin > 0) out += ellipsis;
    out += printable(shown);
    if (part.end < text.size()) out += ellipsis;
    out += '\n';
    if (placed) {
        auto const begin = std::min<std::size_t>(d.where.begin - part.begin, shown.size());
        auto const end = std::clamp<std::size_t>(d.where.end - part.begin, begin, shown.size());
        out += bar + ' ';
        if (part.begin > 0) out.append(ellipsis.size(), ' ');
        out += underneath(shown.substr(0, begin), ' ');
        // What is missing would stand behind a blank.
        if (d.where.begin > text.size()) out += ' ';
        auto marks = underneath(shown.substr(begin, end - begin), '^');
        if (marks.empty()) marks = "^";
        if (!d.label.empty()) marks += ' ' + sentence(d.label);
        out += coloured(colours.caret, marks) + '\n';
    } else if (!d.label.empty()) {
        out += coloured(colours.place, gutter + " =") + ' ' + sentence(d.label) + '\n';
    }
    if (!d.help.empty())
        out += coloured(colours.place, gutter + " =") + ' ' + coloured(colours.help, "help:") + ' ' + sentence(d.help) +
               '\n';
    return out;
}

}  // namespace

std::string render(Diagnostic const& d, Source const& at) { return render(d, at, no_colours, {}); }

std::string render(Diagnostic const& d, Source const& at, std::optional<Origin> const& origin, bool in_colours) {
    std::string behind_place;
    if (origin) behind_place = ", made from " + printable(origin->file) + ':' + std::to_string(origin->line);
    return render(d, at, in_colours ? terminal_colours : no_colours, behind_place);
}

}  // namespace nlstream
