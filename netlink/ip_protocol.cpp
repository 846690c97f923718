#include "netlink/ip_protocol.hpp"

#include <netinet/in.h>

#include "netlink/quantity.hpp"

namespace nlstream {
namespace {

struct Protocol {
    std::string_view name;
    u8 number;
};

constexpr Protocol common[] = {
    {"tcp", IPPROTO_TCP},   {"udp", IPPROTO_UDP},         {"icmp", IPPROTO_ICMP},       {"ipv6-icmp", IPPROTO_ICMPV6}, {"sctp", IPPROTO_SCTP}, {"dccp", IPPROTO_DCCP},
    {"gre", IPPROTO_GRE},   {"udplite", IPPROTO_UDPLITE}, {"igmp", IPPROTO_IGMP},       {"esp", IPPROTO_ESP},          {"ah", IPPROTO_AH},     {"ipv6", IPPROTO_IPV6},
};

constexpr std::string_view blanks = " \t\r";

/// Takes the next word of a row of the file; empty at its end.
std::string_view take_field(std::string_view& row) {
    auto const begin = std::min(row.find_first_not_of(blanks), row.size());
    row.remove_prefix(begin);
    auto const field = row.substr(0, row.find_first_of(blanks));
    row.remove_prefix(field.size());
    return field;
}

/// The number of the row (protocols(5): name, number, aliases) if it is about `name`.
std::optional<u8> number_in(std::string_view row, std::string_view name) {
    row = row.substr(0, row.find('#'));
    bool found = take_field(row) == name;
    auto const number = parse_number(take_field(row), 255, 10);
    for (auto alias = take_field(row); !found && !alias.empty(); alias = take_field(row)) found = alias == name;
    return found && number ? std::optional(static_cast<u8>(*number)) : std::nullopt;
}

}  // namespace

u8 read_ip_protocol(Line& line, Word const& word) {
    if (auto const number = parse_number(word.text, 255, 10)) return static_cast<u8>(*number);
    for (auto const& protocol : common)
        if (protocol.name == word.text) return protocol.number;
    auto const file = line.files.read("/etc/protocols").value_or("");
    for (std::string_view rest = file; !rest.empty() && !word.text.empty();) {
        auto const row = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(row.size() + 1, rest.size()));
        if (auto const number = number_in(row, word.text)) return *number;
    }
    Nearest nearest(word.text);
    for (auto const& protocol : common) nearest.offer(protocol.name);
    fail_unknown(word, "IP protocol", nearest.best());
}

}  // namespace nlstream
