#include "netlink/address.hpp"

#include <arpa/inet.h>
#include <linux/mpls.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "netlink/quantity.hpp"

namespace nlstream {
namespace {

/// 1 to 4 numbers of any base between dots.
bool parse_ipv4(std::string_view text, u8* out) {
    // The usual spelling first: four decimal numbers without leading zeros.
    {
        std::size_t i = 0;
        int part = 0;
        while (part < 4) {
            unsigned value = 0;
            auto const begin = i;
            while (i < text.size() && i - begin < 4 && static_cast<u8>(text[i] - '0') <= 9) value = value * 10 + static_cast<unsigned>(text[i++] - '0');
            if (i == begin || value > 255 || (i - begin > 1 && text[begin] == '0')) break;
            out[part++] = static_cast<u8>(value);
            if (part == 4 ? i != text.size() : (i == text.size() || text[i] != '.')) break;
            ++i;
        }
        if (part == 4 && i > text.size()) return true;
    }
    std::fill(out, out + 4, u8{0});
    for (int part = 0; part < 4; ++part) {
        auto const dot = text.find('.');
        auto const number = parse_number(text.substr(0, dot), 255);
        if (!number) return false;
        out[part] = static_cast<u8>(*number);
        if (dot == text.npos) return true;
        text.remove_prefix(dot + 1);
    }
    return false;
}

/// LABEL{/LABEL}: one 4-byte entry a label, the last one marked as bottom of the stack. Returns the length in bytes, 0 if
/// the text is none or does not fit.
std::size_t parse_label_stack(std::string_view text, std::span<u8> out) {
    for (std::size_t length = 0; length + 4 <= out.size();) {
        auto const slash = text.find('/');
        auto const label = parse_number(text.substr(0, slash), 0xfffff);
        if (!label) return 0;
        bool const last = slash == text.npos;
        u32 const entry = big32(static_cast<u32>(*label) << MPLS_LS_LABEL_SHIFT | (last ? MPLS_LS_S_MASK : 0u));
        std::memcpy(&out[length], &entry, 4);
        length += 4;
        if (last) return length;
        text.remove_prefix(slash + 1);
    }
    return 0;
}

bool parse_ipv6(std::string_view text, u8* out) {
    char buffer[INET6_ADDRSTRLEN];
    if (text.size() >= sizeof buffer) return false;
    text.copy(buffer, text.size());
    buffer[text.size()] = 0;
    return inet_pton(AF_INET6, buffer, out) == 1;
}

constexpr u8 not_hex = 0xff;
constexpr auto hex_values = [] {
    std::array<u8, 256> table{};
    table.fill(not_hex);
    for (u8 i = 0; i < 10; ++i) table['0' + i] = i;
    for (u8 i = 0; i < 6; ++i) table['a' + i] = table['A' + i] = static_cast<u8>(10 + i);
    return table;
}();

/// The usual spelling of a MAC address: two digits a byte.
bool parse_usual_mac(std::string_view text, std::array<u8, 6>& mac) {
    if (text.size() != 17) return false;
    for (std::size_t i = 0; i < 6; ++i) {
        auto const high = hex_values[static_cast<u8>(text[3 * i])], low = hex_values[static_cast<u8>(text[3 * i + 1])];
        if (high == not_hex || low == not_hex || (i < 5 && text[3 * i + 2] != ':')) return false;
        mac[i] = static_cast<u8>(high << 4 | low);
    }
    return true;
}

std::string_view expected_address(u8 family) {
    switch (family) {
        case AF_INET: return "an IPv4 address";
        case AF_INET6: return "an IPv6 address";
        case AF_MPLS: return "an MPLS label stack";
        case AF_PACKET: return "a link-layer address";
        default: return "an IPv4 or IPv6 address";
    }
}

std::optional<std::size_t> parse_link_address(std::string_view text, std::span<u8> out) {
    if (text.find('.') != text.npos) {
        if (out.size() < 4 || !parse_ipv4(text, out.data())) return {};
        return 4;
    }
    std::size_t count = 0;
    while (count < out.size()) {
        auto const colon = text.find(':');
        auto const byte = parse_number(text.substr(0, colon), 255, 16);
        if (!byte) return {};
        out[count++] = static_cast<u8>(*byte);
        if (colon == text.npos) return count;
        text.remove_prefix(colon + 1);
    }
    return {};
}

/// "24", or "255.255.255.0".
std::optional<u16> parse_prefix_length(std::string_view text) {
    if (auto const bits = parse_number(text, 0xffff)) return static_cast<u16>(*bits);
    u8 mask[4];
    if (text.find('.') == text.npos || !parse_ipv4(text, mask)) return {};
    u32 const host = u32{mask[0]} << 24 | u32{mask[1]} << 16 | u32{mask[2]} << 8 | mask[3];
    int const ones = std::countl_one(host);
    if (ones < 32 && host << ones != 0) return {};
    return static_cast<u16>(ones);
}

}  // namespace

u8 address_length(u8 family) {
    switch (family) {
        case AF_INET: case AF_MPLS: return 4;
        case AF_INET6: return 16;
        default: return 0;
    }
}

std::optional<Address> parse_address(std::string_view text, u8 family) {
    Address a;
    if (!text.empty() && (text[0] == 'd' || text[0] == 'a') && family != AF_MPLS) {
        bool const any = text == "any" || text == "all";
        if (any || text == "default") {
            a.family = family;
            a.length = any ? 0 : address_length(family);
            a.has_bits = !any;
            a.is_default = true;
            return a;
        }
    }
    if (family == AF_PACKET) {
        auto const length = parse_link_address(text, a.bytes);
        if (!length) return {};
        a.family = AF_PACKET;
        a.length = static_cast<u8>(*length);
        a.bits = static_cast<u16>(*length * 8);
        return a;
    }
    if (text.find(':') != text.npos) {
        if ((family != AF_UNSPEC && family != AF_INET6) || !parse_ipv6(text, a.bytes.data())) return {};
        a.family = AF_INET6;
        a.length = 16;
        a.bits = 128;
        return a;
    }
    if (family == AF_MPLS) {
        a.family = AF_MPLS;
        a.length = static_cast<u8>(parse_label_stack(text, a.bytes));
        a.bits = 20;
        return a.length ? std::optional(a) : std::nullopt;
    }
    if ((family != AF_UNSPEC && family != AF_INET) || !parse_ipv4(text, a.bytes.data())) return {};
    a.family = AF_INET;
    a.length = 4;
    a.bits = 32;
    return a;
}

Address read_address(Word const& word, u8 family) {
    if (auto a = parse_address(word.text, family)) return *a;
    fail_value(word, "an address", expected_address(family));
}

Address read_prefix(Word const& word, u8 family) {
    if (family == AF_PACKET) fail_use(word, "link-layer addresses have no prefixes");
    // Of MPLS too: a prefix is one label, and what follows the slash is no second one.
    auto const slash = word.text.find('/');
    auto a = parse_address(word.text.substr(0, slash), family);
    if (!a) fail_value(word, "a prefix", std::string(expected_address(family)) + " with or without /LENGTH");
    if (slash == word.text.npos) return *a;
    Word const length{word.text.substr(slash + 1), {word.span.begin + static_cast<u32>(slash) + 1, word.span.end}};
    auto const bits = parse_prefix_length(length.text);
    if (!bits || a->is_default) fail_value(length, "a prefix length", "0 to " + std::to_string(a->bits));
    if (*bits > a->bits) fail_range(length, "0 to " + std::to_string(a->bits));
    a->bits = *bits;
    a->has_bits = true;
    return *a;
}

std::size_t read_label_stack(Word const& word, std::span<u8> out) {
    if (auto const length = parse_label_stack(word.text, out)) return length;
    fail_value(word, "an MPLS label stack", "at most " + std::to_string(out.size() / 4) + " labels up to 1048575 with slashes between");
}

u32 read_ipv4(Word const& word) {
    u8 bytes[4];
    if (!parse_ipv4(word.text, bytes)) fail_value(word, "an IPv4 address", "A.B.C.D");
    u32 address;
    std::memcpy(&address, bytes, 4);
    return address;
}

std::size_t read_link_address(Word const& word, std::span<u8> out) {
    if (auto const length = parse_link_address(word.text, out)) return *length;
    fail_value(word, "a link-layer address", "bytes in hexadecimal, such as 02:00:5e:10:00:01");
}

std::array<u8, 6> read_mac(Word const& word) {
    std::array<u8, 6> mac{};
    if (parse_usual_mac(word.text, mac)) return mac;
    auto const length = parse_link_address(word.text, mac);
    if (!length || *length != 6) fail_value(word, "a MAC address", "six bytes in hexadecimal, such as 02:00:5e:10:00:01");
    return mac;
}

std::size_t read_hex(Word const& word, std::span<u8> out) {
    auto const text = word.text;
    if (text.size() % 2 || text.empty()) fail_value(word, "a string of bytes", "an even number of hexadecimal digits");
    if (text.size() / 2 > out.size()) fail_range(word, "at most " + std::to_string(out.size()) + " bytes");
    for (std::size_t i = 0; i < text.size(); i += 2) {
        auto const high = hex_values[static_cast<u8>(text[i])], low = hex_values[static_cast<u8>(text[i + 1])];
        if (high == not_hex || low == not_hex) fail_value(word, "a string of bytes", "hexadecimal digits");
        out[i / 2] = static_cast<u8>(high << 4 | low);
    }
    return text.size() / 2;
}

}  // namespace nlstream
