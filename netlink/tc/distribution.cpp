#include "netlink/tc/distribution.hpp"

#include <string>

#include "netlink/quantity.hpp"

namespace nlstream::tc {
namespace {

constexpr std::size_t most = 16 * 1024;
constexpr std::string_view blanks = " \t\r";

std::optional<std::string> find_table(Files& files, std::string_view name) {
    auto const in = [&](std::string const& folder) { return files.read(folder + "/tc/" + std::string(name) + ".dist"); };
    for (auto const* folder : {"/usr/lib", "/usr/lib64"})
        if (auto text = in(folder)) return text;
    for (auto const& entry : files.list("/usr/lib"))
        if (entry.find("-linux-") != entry.npos)
            if (auto text = in("/usr/lib/" + entry)) return text;
    return {};
}

/// Appends a line's numbers, up to the first word that is none.
void append_numbers(std::string_view text, std::vector<std::int16_t>& numbers) {
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
        auto const end = std::min(text.find_first_of(blanks), text.size());
        auto digits = text.substr(0, end);
        bool const negative = digits.starts_with('-');
        if (negative) digits.remove_prefix(1);
        auto const number = parse_number(digits, 0x8000);
        if (digits.empty() || !number) return;
        numbers.push_back(static_cast<std::int16_t>(negative ? -static_cast<s64>(*number) : static_cast<s64>(*number)));
        text.remove_prefix(end);
    }
}

}  // namespace

std::vector<std::int16_t> read_distribution(Line& line, Word const& word) {
    auto const text = find_table(line.files, word.text);
    if (!text) fail_use(word, "there is no " + std::string(word.text) + ".dist in /usr/lib/tc, /usr/lib64/tc or /usr/lib/*-linux-*/tc");
    std::vector<std::int16_t> numbers;
    for (std::string_view rest = *text; !rest.empty();) {
        auto const end = std::min(rest.find('\n'), rest.size());
        if (rest[0] != '#') append_numbers(rest.substr(0, end), numbers);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (numbers.empty()) fail_use(word, "its table holds no number");
    if (numbers.size() > most) fail_use(word, "its table holds more than " + std::to_string(most) + " numbers");
    return numbers;
}

}  // namespace nlstream::tc
