#include "app/json.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "netlink/utf8.hpp"

namespace nlstream {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        auto const size = character_size(text);
        auto const c = static_cast<u8>(text[0]);
        if (size == 0) {
            out += replacement;
        } else if (c == '"' || c == '\\') {
            out += '\\';
            out += text[0];
        } else if (c < 0x20) {
            std::array<char, 8> escape;
            std::snprintf(escape.data(), escape.size(), "\\u%04x", unsigned{c});
            out += escape.data();
        } else {
            out += text.substr(0, size);
        }
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    out += '"';
}

}  // namespace

JsonObject& JsonObject::add(std::string_view key, std::string_view text) {
    std::string quoted;
    append_quoted(quoted, text);
    return add_raw(key, quoted);
}

JsonObject& JsonObject::add(std::string_view key, double number) {
    std::array<char, 400> text;
    std::snprintf(text.data(), text.size(), "%.6f", number);
    return add_raw(key, text.data());
}

JsonObject& JsonObject::add_raw(std::string_view key, std::string_view value) {
    if (!members_.empty()) members_ += ',';
    append_quoted(members_, key);
    members_ += ':';
    members_ += value;
    return *this;
}

}  // namespace nlstream
