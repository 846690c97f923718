// Numbers, rates, sizes and times as tc(8) and ip(8) read them.
#pragma once
#include <optional>

#include "netlink/line.hpp"

namespace nlstream {

constexpr u64 no_limit = ~u64{};

/// Without the white space that strtoul(3) and strtod(3) pass over: a quoted word may begin with some.
std::string_view without_space(std::string_view text);
/// An unsigned number in [min, max]. base 0: 0x is hexadecimal, a leading 0 octal, else decimal (strtoul(3)).
/// Throws Diagnostic.
u64 read_number(Word const& word, u64 min = 0, u64 max = 0xffffffff, int base = 0);
/// The same, signed.
s64 read_signed(Word const& word, s64 min, s64 max, int base = 0);
/// The number if the whole text is one that fits `max`; nothing otherwise.
std::optional<u64> parse_number(std::string_view text, u64 max = 0xffffffff, int base = 0);
/// The same, signed.
std::optional<s64> parse_signed(std::string_view text, s64 min, s64 max, int base = 0);

/// A leading floating-point number as strtod(3) reads it; what follows it in `rest`. Nothing if there is none.
std::optional<double> parse_double(std::string_view text, std::string_view& rest);

/// Bytes a second. "10mbit", "1.5Gbps" (bytes), "10mibit"; bare: bits a second. Case does not matter (tc(8), RATES).
/// Throws Diagnostic.
u64 read_rate(Word const& word);
std::optional<u64> parse_rate(std::string_view text);
/// The same, at most 2^32 - 1 bytes a second.
u32 read_rate32(Word const& word);
/// Bytes. "10k", "1mb", "100kbit": k, m, g are powers of 1024 (tc(8), SIZES). Throws Diagnostic.
u64 read_size(Word const& word, u64 max = 0xffffffff);
std::optional<u64> parse_size(std::string_view text);
/// Microseconds. "10ms", "1s", "50us"; bare: microseconds (tc(8), TIMES). Throws Diagnostic.
u32 read_time_us(Word const& word);
std::optional<double> parse_time_us(std::string_view text);
/// Nanoseconds; bare: nanoseconds. Throws Diagnostic.
s64 read_time_ns(Word const& word);
/// The same, or a decimal integer, which may be negative and keeps all its digits.
s64 read_instant_ns(Word const& word);
/// A share of one: "25%" and "25" are 0.25. Throws Diagnostic.
double read_percent(Word const& word);

/// "ab:" or "ab" -> 0x00ab0000; "none" -> 0. Throws Diagnostic.
u32 read_qdisc_handle(Word const& word);
/// "1:10", "1:", ":10", "root", "none" -> major << 16 | minor. Throws Diagnostic.
u32 read_class_id(Word const& word);
std::optional<u32> parse_class_id(std::string_view text);

/// True when both are equal, letters' case aside.
bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace nlstream
