#include "pipeline/line_marker.hpp"

#include <charconv>

namespace nlstream {
namespace {

std::string_view without_blanks(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\r");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// Only numbers and blanks: the flags of a preprocessor.
bool are_flags(std::string_view text) {
    return text.empty() || (text[0] == ' ' && text.find_first_not_of("0123456789 ") == text.npos);
}

}  // namespace

std::optional<LineMarker> read_line_marker(std::string_view text) {
    if (!text.starts_with('#')) return {};
    text.remove_prefix(1);
    bool const spelled = text.starts_with("line");
    if (spelled) text.remove_prefix(4);
    if (!text.starts_with(' ') && !text.starts_with('\t')) return {};
    text = without_blanks(text);

    LineMarker marker;
    auto const [rest, error] = std::from_chars(text.data(), text.data() + text.size(), marker.line);
    if (error != std::errc()) return {};
    text = text.substr(static_cast<std::size_t>(rest - text.data()));
    // "# 63" alone is more likely to be meant for people.
    if (text.empty()) return spelled ? std::optional(marker) : std::nullopt;
    if (text[0] != ' ' && text[0] != '\t') return {};
    text = without_blanks(text);
    auto const close = text.rfind('"');
    if (!text.starts_with('"') || close < 2 || !are_flags(text.substr(close + 1))) return {};
    marker.file = text.substr(1, close - 1);
    return marker;
}

}  // namespace nlstream
