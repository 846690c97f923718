#include "app/emit.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "netlink/decode.hpp"
#include "pipeline/splitter.hpp"

namespace nlstream {
namespace {

constexpr auto hex_of_byte = [] {
    std::array<std::array<char, 2>, 256> table{};
    constexpr std::string_view digits = "0123456789abcdef";
    for (std::size_t i = 0; i < 256; ++i) table[i] = {digits[i / 16], digits[i % 16]};
    return table;
}();

void append_hex(std::string& out, std::span<std::byte const> bytes) {
    auto const at = out.size();
    out.resize(at + 2 * bytes.size());
    auto* to = out.data() + at;
    for (auto const byte : bytes) {
        std::memcpy(to, hex_of_byte[static_cast<u8>(byte)].data(), 2);
        to += 2;
    }
}

void append_number(std::string& out, u64 number) {
    std::array<char, 20> digits;
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

void emit(Batch const& batch, Emit form, bool replay, std::string& out) {
    if (form == Emit::bin) {
        auto const bytes = batch.messages.bytes();
        out.append(reinterpret_cast<char const*>(bytes.data()), bytes.size());
        return;
    }
    auto rest = batch.messages.bytes();
    u32 message = 0;
    for (auto const& line : batch.lines) {
        if (message == line.messages_end) continue;
        if (form == Emit::hex) {
            append_number(out, batch.first_number + line.number);
            out += '\t';
        } else {
            out += "# ";
            if (replay)
                append_number(out, batch.first_number + line.number);
            else
                out += line.continued ? logical_text(batch.raw(line)) : std::string(batch.raw(line));
            out += '\n';
        }
        for (auto const first = message; message < line.messages_end; ++message) {
            nlmsghdr head;
            std::memcpy(&head, rest.data(), sizeof head);
            auto const bytes = rest.first(head.nlmsg_len);
            if (form == Emit::hex) {
                if (message > first) out += ';';
                append_hex(out, bytes);
            } else {
                out += decode(bytes);
            }
            rest = rest.subspan(std::min<std::size_t>(NLMSG_ALIGN(head.nlmsg_len), rest.size()));
        }
        out += '\n';
    }
}

}  // namespace nlstream
