#include "netlink/service.hpp"

#include <algorithm>

#include "netlink/quantity.hpp"

namespace nlstream {
namespace {

/// The port of a line of services(5), "NAME PORT/PROTOCOL [ALIAS...]", if it is UDP's and called `name`.
std::optional<u16> port_in(std::string_view entry, std::string_view name) {
    entry = entry.substr(0, entry.find('#'));
    auto const next = [&] {
        entry.remove_prefix(std::min(entry.find_first_not_of(" \t\r"), entry.size()));
        auto const word = entry.substr(0, entry.find_first_of(" \t\r"));
        entry.remove_prefix(word.size());
        return word;
    };
    bool named = next() == name;
    auto const port = next();
    if (!port.ends_with("/udp")) return {};
    for (auto alias = next(); !named && !alias.empty(); alias = next()) named = alias == name;
    if (!named) return {};
    auto const number = parse_number(port.substr(0, port.size() - 4), 0xffff, 10);
    return number ? std::optional(static_cast<u16>(*number)) : std::nullopt;
}

}  // namespace

u16 read_udp_port(Line& line, Word const& word) {
    if (auto const number = parse_number(word.text, 0xffff)) return static_cast<u16>(*number);
    if (parse_number(word.text, no_limit)) fail_range(word, "0 to 65535");
    auto const services = line.files.read("/etc/services").value_or("");
    for (std::string_view rest = services; !word.text.empty() && !rest.empty();) {
        auto const end = std::min(rest.find('\n'), rest.size());
        if (auto const port = port_in(rest.substr(0, end), word.text)) return *port;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    fail_value(word, "a UDP port", "a number up to 65535 or a name from /etc/services");
}

}  // namespace nlstream
