// hex2bin < ROWS > FILE
// Turns `nlstream --check --emit hex` rows (LINE TAB HEX, `;` between a line's messages) into the file that floor
// replays.

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "perf/text_buffer.hpp"

namespace nlstream::perf {
namespace {

unsigned digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    throw std::invalid_argument(std::string("'") + c + "' is no hexadecimal digit");
}

/// Appends one message, padded as the next one must begin on four bytes.
void convert(TextBuffer& out, std::string_view hex) {
    if (hex.size() % 2 != 0) throw std::invalid_argument("an odd number of digits");
    for (std::size_t i = 0; i < hex.size(); i += 2) out << static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
    for (std::size_t bytes = hex.size() / 2; bytes % 4 != 0; ++bytes) out << '\0';
}

void run() {
    std::ios::sync_with_stdio(false);
    TextBuffer out(STDOUT_FILENO);
    std::string row;
    for (std::size_t number = 1; std::getline(std::cin, row); ++number) {
        std::string_view rest = row;
        auto const tab = rest.find('\t');
        if (tab == rest.npos) throw std::invalid_argument("row " + std::to_string(number) + " has no tab");
        rest.remove_prefix(tab + 1);
        while (!rest.empty()) {
            auto const hex = rest.substr(0, rest.find(';'));
            convert(out, hex);
            rest.remove_prefix(std::min(hex.size() + 1, rest.size()));
        }
        out.flush_when_full();
    }
    out.flush();
}

}  // namespace
}  // namespace nlstream::perf

int main() {
    try {
        nlstream::perf::run();
    } catch (std::exception const& error) {
        std::cerr << "hex2bin: " << error.what() << '\n';
        return 2;
    }
}
