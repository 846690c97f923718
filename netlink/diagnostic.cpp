#include "netlink/diagnostic.hpp"

#include <algorithm>

namespace nlstream {
namespace {

/// Bytes that terminals show as nothing or as something else, made visible as '?'; tabs stay.
std::string printable(std::string_view text) {
    std::string out(text);
    std::replace_if(out.begin(), out.end(), [](char c) { return (static_cast<u8>(c) < 0x20 && c != '\t') || c == 0x7f; }, '?');
    return out;
}

bool starts_character(char c) { return (static_cast<u8>(c) & 0xc0) != 0x80; }

}  // namespace

std::string render(Diagnostic const& d, Source const& at) {
    std::string const line = std::to_string(at.line);
    std::string const gutter(line.size(), ' ');
    bool const placed = d.where.end > d.where.begin || d.where.begin > 0;
    std::string out = "error: " + printable(d.what) + '\n';
    out += gutter + "--> " + std::string(at.file) + ':' + line;
    if (placed) out += ':' + std::to_string(d.where.begin + 1);
    out += '\n' + gutter + " |\n" + line + " | " + printable(at.text) + '\n';
    if (placed) {
        auto const begin = std::min<std::size_t>(d.where.begin, at.text.size());
        auto const end = std::min<std::size_t>(d.where.end, at.text.size());
        out += gutter + " | ";
        for (char c : at.text.substr(0, begin))
            if (starts_character(c)) out += c == '\t' ? '\t' : ' ';
        auto const marked = at.text.substr(begin, end - begin);
        auto const width = std::count_if(marked.begin(), marked.end(), starts_character);
        out.append(static_cast<std::size_t>(std::max<std::ptrdiff_t>(width, 1)), '^');
        if (!d.label.empty()) out += ' ' + printable(d.label);
        out += '\n';
    } else if (!d.label.empty()) {
        out += gutter + " = " + printable(d.label) + '\n';
    }
    if (!d.help.empty()) out += gutter + " = help: " + printable(d.help) + '\n';
    return out;
}

}  // namespace nlstream
