#include "netlink/quantity.hpp"

#include <linux/pkt_sched.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace nlstream {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string range_text(auto min, auto max) { return std::to_string(min) + " to " + std::to_string(max); }

/// Splits white space, a sign and a base prefix off, as strtoul(3) does.
struct Digits {
    bool negative = false;
    int base = 10;
    std::string_view text;
};

Digits digits_of(std::string_view text, int base) {
    Digits d{.base = base, .text = without_space(text)};
    if (d.text.starts_with('-') || d.text.starts_with('+')) {
        d.negative = d.text[0] == '-';
        d.text.remove_prefix(1);
    }
    bool const hex = d.text.size() > 2 && d.text[0] == '0' && lower(d.text[1]) == 'x';
    if ((base == 0 || base == 16) && hex) {
        d.base = 16;
        d.text.remove_prefix(2);
    } else if (base == 0) {
        d.base = d.text.size() > 1 && d.text[0] == '0' ? 8 : 10;
    }
    return d;
}

enum class Parsed { ok, malformed, too_large };

Parsed parse_magnitude(Digits const& d, u64& value) {
    auto const end = d.text.data() + d.text.size();
    auto const [rest, error] = std::from_chars(d.text.data(), end, value, d.base);
    if (error == std::errc::invalid_argument || rest != end) return Parsed::malformed;
    return error == std::errc::result_out_of_range ? Parsed::too_large : Parsed::ok;
}

Parsed parse_unsigned(std::string_view text, int base, u64& value) {
    // The usual case: a short decimal number.
    if (base == 0 || base == 10) {
        if (!text.empty() && text.size() <= 18 && (text[0] != '0' || base == 10 || text.size() == 1)) {
            u64 sum = 0;
            std::size_t i = 0;
            for (; i < text.size(); ++i) {
                auto const digit = static_cast<u8>(text[i] - '0');
                if (digit > 9) break;
                sum = sum * 10 + digit;
            }
            if (i == text.size()) {
                value = sum;
                return Parsed::ok;
            }
        }
    }
    auto const d = digits_of(text, base);
    auto const parsed = parse_magnitude(d, value);
    if (parsed != Parsed::ok) return parsed;
    if (d.negative) value = u64{0} - value;  // strtoul(3) wraps; what does not fit is refused by the caller's range
    return Parsed::ok;
}

Parsed parse_integer(std::string_view text, int base, s64& value) {
    auto const d = digits_of(text, base);
    u64 magnitude = 0;
    auto const parsed = parse_magnitude(d, magnitude);
    if (parsed != Parsed::ok) return parsed;
    u64 const limit = static_cast<u64>(std::numeric_limits<s64>::max()) + d.negative;
    if (magnitude > limit) return Parsed::too_large;
    value = static_cast<s64>(d.negative ? u64{0} - magnitude : magnitude);
    return Parsed::ok;
}

struct Unit {
    std::string_view name;
    double scale;
};

constexpr double kibi = 1024.0;

constexpr Unit rate_units[] = {
    {"bit", 1}, {"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {"tbit", 1e12},
    {"kibit", kibi}, {"mibit", kibi * kibi}, {"gibit", kibi * kibi * kibi}, {"tibit", kibi * kibi * kibi * kibi},
    {"bps", 8}, {"kbps", 8e3}, {"mbps", 8e6}, {"gbps", 8e9}, {"tbps", 8e12},
    {"kibps", 8 * kibi}, {"mibps", 8 * kibi * kibi}, {"gibps", 8 * kibi * kibi * kibi}, {"tibps", 8 * kibi * kibi * kibi * kibi},
};

constexpr Unit size_units[] = {
    {"b", 1}, {"k", kibi}, {"kb", kibi}, {"m", kibi * kibi}, {"mb", kibi * kibi}, {"g", kibi * kibi * kibi}, {"gb", kibi * kibi * kibi},
    {"kbit", kibi / 8}, {"mbit", kibi * kibi / 8}, {"gbit", kibi * kibi * kibi / 8},
};

constexpr Unit time_units[] = {  // in nanoseconds
    {"s", 1e9}, {"sec", 1e9}, {"secs", 1e9}, {"ms", 1e6}, {"msec", 1e6}, {"msecs", 1e6},
    {"us", 1e3}, {"usec", 1e3}, {"usecs", 1e3}, {"ns", 1}, {"nsec", 1}, {"nsecs", 1},
};

template <std::size_t N>
std::optional<double> unit_scale(Unit const (&units)[N], std::string_view name) {
    for (auto const& unit : units)
        if (equal_ignoring_case(unit.name, name)) return unit.scale;
    return {};
}

/// A number that is not negative, then a unit; `bare` is the scale without one.
template <std::size_t N>
std::optional<double> parse_scaled(std::string_view text, Unit const (&units)[N], double bare) {
    std::string_view rest;
    auto const number = parse_double(text, rest);
    if (!number || *number < 0 || std::isinf(*number) || std::isnan(*number)) return {};
    if (rest.empty()) return *number * bare;
    auto const scale = unit_scale(units, rest);
    if (!scale) return {};
    return *number * *scale;
}

/// A double as an unsigned integer, cut; nothing when it does not fit.
std::optional<u64> cut(double value) {
    if (value >= 18446744073709551616.0) return {};
    return static_cast<u64>(value);
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i])) return false;
    return true;
}

std::string_view without_space(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\n\v\f\r");
    return begin == text.npos ? std::string_view() : text.substr(begin);
}

u64 read_number(Word const& word, u64 min, u64 max, int base) {
    u64 value = 0;
    auto const parsed = parse_unsigned(word.text, base, value);
    if (parsed == Parsed::ok && value >= min && value <= max) return value;
    auto const expected = range_text(min, max);
    if (parsed == Parsed::malformed) fail_value(word, base == 16 ? "a hexadecimal number" : "a number", expected);
    fail_range(word, expected);
}

std::optional<s64> parse_signed(std::string_view text, s64 min, s64 max, int base) {
    s64 value = 0;
    if (parse_integer(text, base, value) != Parsed::ok || value < min || value > max) return {};
    return value;
}

s64 read_signed(Word const& word, s64 min, s64 max, int base) {
    s64 value = 0;
    auto const parsed = parse_integer(word.text, base, value);
    if (parsed == Parsed::malformed) fail_value(word, "a number", range_text(min, max));
    if (parsed == Parsed::too_large || value < min || value > max) fail_range(word, range_text(min, max));
    return value;
}

std::optional<u64> parse_number(std::string_view text, u64 max, int base) {
    u64 value = 0;
    if (parse_unsigned(text, base, value) != Parsed::ok || value > max) return {};
    return value;
}

std::optional<double> parse_double(std::string_view text, std::string_view& rest) {
    // strtod(3) as iproute2. Nothing sets another locale than C's.
    std::string const number(text);
    char* end = nullptr;
    double const value = std::strtod(number.c_str(), &end);
    auto const size = static_cast<std::size_t>(end - number.c_str());
    if (size == 0) return {};
    rest = text.substr(size);
    return value;
}

std::optional<u64> parse_rate(std::string_view text) {
    auto const bits = parse_scaled(text, rate_units, 1);
    return bits ? cut(*bits / 8) : std::nullopt;
}

u64 read_rate(Word const& word) {
    if (auto const rate = parse_rate(word.text)) return *rate;
    fail_value(word, "a rate", "a rate such as 10mbit");
}

u32 read_rate32(Word const& word) {
    auto const rate = read_rate(word);
    if (rate > 0xffffffff) fail_range(word, "less than 34359738368 bit a second");
    return static_cast<u32>(rate);
}

std::optional<u64> parse_size(std::string_view text) {
    auto const bytes = parse_scaled(text, size_units, 1);
    return bytes ? cut(*bytes) : std::nullopt;
}

u64 read_size(Word const& word, u64 max) {
    auto const size = parse_size(word.text);
    if (!size) fail_value(word, "a size", "a size such as 1500, 15k or 1mb");
    if (*size > max) fail_range(word, "at most " + std::to_string(max) + " bytes");
    return *size;
}

std::optional<double> parse_time_us(std::string_view text) {
    std::string_view rest;
    auto const number = parse_double(text, rest);
    if (!number || *number < 0 || std::isinf(*number)) return {};
    if (rest.empty()) return *number;
    auto const scale = unit_scale(time_units, rest);
    if (!scale || *scale < 1e3) return {};  // no nanoseconds here
    return *number * (*scale / 1e3);
}

u32 read_time_us(Word const& word) {
    auto const us = parse_time_us(word.text);
    if (!us) fail_value(word, "a time", "a time such as 20ms");
    if (*us > 0xffffffff) fail_range(word, "at most 4294 s");
    return static_cast<u32>(*us);
}

s64 read_time_ns(Word const& word) {
    auto const ns = parse_scaled(word.text, time_units, 1);
    if (!ns) fail_value(word, "a time", "a time such as 20ms");
    if (*ns >= 9223372036854775808.0) fail_range(word, "at most 292 years");
    return static_cast<s64>(*ns);
}

s64 read_instant_ns(Word const& word) {
    s64 value = 0;
    return parse_integer(word.text, 10, value) == Parsed::ok ? value : read_time_ns(word);
}

double read_percent(Word const& word) {
    std::string_view rest;
    auto const number = parse_double(word.text, rest);
    if (!number || !(rest.empty() || rest == "%")) fail_value(word, "a percentage", "a percentage such as 2.5%");
    double const share = *number / 100;
    if (!(share >= 0 && share <= 1)) fail_range(word, "0% to 100%");
    return share;
}

u32 read_qdisc_handle(Word const& word) {
    if (word.text == "none") return 0;
    auto const colon = word.text.find(':');
    auto const major = parse_number(word.text.substr(0, colon), 0xffff, 16);
    if (!major) fail_value(word, "a qdisc handle", "a handle such as 1: (hexadecimal, up to ffff)");
    return static_cast<u32>(*major) << 16;
}

std::optional<u32> parse_class_id(std::string_view text) {
    if (text == "root") return TC_H_ROOT;
    if (text == "none") return TC_H_UNSPEC;
    auto const colon = text.find(':');
    if (colon == text.npos) {
        auto const id = parse_number(text, 0xffffffff, 16);
        return id ? std::optional(static_cast<u32>(*id)) : std::nullopt;
    }
    auto const part = [](std::string_view digits) -> std::optional<u64> { return digits.empty() ? 0 : parse_number(digits, 0xffff, 16); };
    auto const major = part(text.substr(0, colon));
    auto const minor = part(text.substr(colon + 1));
    if (!major || !minor) return {};
    return static_cast<u32>(*major << 16 | *minor);
}

u32 read_class_id(Word const& word) {
    if (auto const id = parse_class_id(word.text)) return *id;
    fail_value(word, "a class id", "MAJOR:MINOR in hexadecimal, root or none");
}

}  // namespace nlstream
