// Numbers, rates, sizes, times, handles: values, boundaries, refusals.
#include "netlink/quantity.hpp"

#include <boost/test/unit_test.hpp>

namespace nlstream {
namespace {

Word word(std::string_view text) { return {text, {0, static_cast<u32>(text.size())}}; }

template <class Read>
std::string refusal(Read&& read) {
    try {
        read();
    } catch (Diagnostic const& d) {
        return d.what + " (" + d.label + ')';
    }
    return "accepted";
}

BOOST_AUTO_TEST_CASE(numbers_take_their_base_from_the_prefix) {
    BOOST_TEST(read_number(word("10")) == 10u);
    BOOST_TEST(read_number(word("0x10")) == 16u);
    BOOST_TEST(read_number(word("010")) == 8u);
    BOOST_TEST(read_number(word("0")) == 0u);
    BOOST_TEST(read_number(word("010"), 0, 100, 10) == 10u);
    BOOST_TEST(read_number(word("ff"), 0, 255, 16) == 255u);
    BOOST_TEST(read_number(word("0xff"), 0, 255, 16) == 255u);
    BOOST_TEST(read_number(word("4294967295")) == 4294967295u);
    BOOST_TEST(read_number(word("18446744073709551615"), 0, no_limit) == 18446744073709551615u);
    BOOST_TEST(read_number(word("+5")) == 5u);
}

BOOST_AUTO_TEST_CASE(white_space_before_a_number_is_passed_over) {
    BOOST_TEST(read_number(word(" 10")) == 10u);
    BOOST_TEST(read_number(word("\t\n +0x10")) == 16u);
    BOOST_TEST(read_signed(word(" -5"), -10, 10) == -5);
    BOOST_TEST(read_rate(word(" 1mbit")) == 125000u);
    BOOST_TEST(read_size(word(" 1k")) == 1024u);
    BOOST_TEST(read_time_us(word("\t1ms")) == 1000u);
    BOOST_TEST(read_percent(word(" 50%")) == 0.5);
    BOOST_TEST(read_class_id(word(" 1: 2")) == 0x10002u);
    for (std::string_view text : {" ", "- 5", "+ 5", "5 ", "0x0x5", "0x 5"}) {
        BOOST_TEST(!parse_number(text));
        BOOST_TEST(!parse_signed(text, -10, 10));
    }
}

BOOST_AUTO_TEST_CASE(numbers_that_do_not_fit_name_the_range) {
    BOOST_TEST(refusal([] { read_number(word("4096"), 0, 4095); }) == "4096 is out of range (expected 0 to 4095)");
    BOOST_TEST(refusal([] { read_number(word("-1"), 0, 4095); }) == "-1 is out of range (expected 0 to 4095)");
    BOOST_TEST(refusal([] { read_number(word("99999999999999999999"), 0, 4095); }) == "99999999999999999999 is out of range (expected 0 to 4095)");
    for (std::string_view text : {"", "x", "1x", "0x", "08", "1 ", "--1", "+"}) BOOST_TEST(refusal([&] { read_number(word(text), 0, 9); }) == '"' + std::string(text) + "\" is not a number (expected 0 to 9)");
}

BOOST_AUTO_TEST_CASE(signed_numbers) {
    BOOST_TEST(read_signed(word("-5"), -10, 10) == -5);
    BOOST_TEST(read_signed(word("-0x10"), -100, 10) == -16);
    BOOST_TEST(read_signed(word("-9223372036854775808"), -9223372036854775807LL - 1, 0) == -9223372036854775807LL - 1);
    BOOST_TEST(refusal([] { read_signed(word("11"), -10, 10); }) == "11 is out of range (expected -10 to 10)");
    BOOST_TEST(refusal([] { read_signed(word("--1"), -10, 10); }) == "\"--1\" is not a number (expected -10 to 10)");
}

BOOST_AUTO_TEST_CASE(rates_are_bytes_a_second) {
    BOOST_TEST(read_rate(word("8")) == 1u);
    BOOST_TEST(read_rate(word("1mbit")) == 125000u);
    BOOST_TEST(read_rate(word("1Mbit")) == 125000u);
    BOOST_TEST(read_rate(word("1mibit")) == 131072u);
    BOOST_TEST(read_rate(word("1kbps")) == 1000u);
    BOOST_TEST(read_rate(word("1.5gbps")) == 1500000000u);
    BOOST_TEST(read_rate(word("1e3kbit")) == 125000u);
    BOOST_TEST(read_rate(word("100tbit")) == 12500000000000u);
    BOOST_TEST(refusal([] { read_rate(word("1mb")); }) == "\"1mb\" is not a rate (expected a rate such as 10mbit)");
    BOOST_TEST(refusal([] { read_rate(word("-1mbit")); }) == "\"-1mbit\" is not a rate (expected a rate such as 10mbit)");
    BOOST_TEST(refusal([] { read_rate32(word("40gbit")); }) == "40gbit is out of range (expected less than 34359738368 bit a second)");
}

BOOST_AUTO_TEST_CASE(sizes_are_powers_of_1024) {
    BOOST_TEST(read_size(word("15k")) == 15360u);
    BOOST_TEST(read_size(word("1.5kb")) == 1536u);
    BOOST_TEST(read_size(word("1mb")) == 1048576u);
    BOOST_TEST(read_size(word("8kbit")) == 1024u);
    BOOST_TEST(read_size(word("1600b")) == 1600u);
    BOOST_TEST(refusal([] { read_size(word("4gb")); }) == "4gb is out of range (expected at most 4294967295 bytes)");
    BOOST_TEST(refusal([] { read_size(word("foo")); }) == "\"foo\" is not a size (expected a size such as 1500, 15k or 1mb)");
}

BOOST_AUTO_TEST_CASE(times) {
    BOOST_TEST(read_time_us(word("10ms")) == 10000u);
    BOOST_TEST(read_time_us(word("1.5s")) == 1500000u);
    BOOST_TEST(read_time_us(word("7")) == 7u);
    BOOST_TEST(read_time_ns(word("7")) == 7);
    BOOST_TEST(read_time_ns(word("2us")) == 2000);
    BOOST_TEST(refusal([] { read_time_us(word("5ns")); }) == "\"5ns\" is not a time (expected a time such as 20ms)");
    BOOST_TEST(refusal([] { read_time_us(word("5000s")); }) == "5000s is out of range (expected at most 4294 s)");
}

BOOST_AUTO_TEST_CASE(floating_point_numbers_are_those_of_strtod) {
    auto const parts = [](std::string_view text) {
        std::string_view rest = "?";
        auto const number = parse_double(text, rest);
        return number ? std::to_string(*number) + '|' + std::string(rest) : "none";
    };
    BOOST_TEST(parts("1.5mbit") == "1.500000|mbit");
    BOOST_TEST(parts(" +.5e1e") == "5.000000|e");
    BOOST_TEST(parts("-0x1p4") == "-16.000000|");
    BOOST_TEST(parts("0x") == "0.000000|x");
    BOOST_TEST(parts("1e-400") == "0.000000|");
    BOOST_TEST(parts("1e400") == "inf|");
    BOOST_TEST(parts("1" + std::string(40, '0') + "e-40") == "1.000000|");
    for (auto const* text : {"", " ", "+", "-+1", "x1", "."}) BOOST_TEST(parts(text) == "none");
}

BOOST_AUTO_TEST_CASE(percentages_are_shares) {
    BOOST_TEST(read_percent(word("25%")) == 0.25);
    BOOST_TEST(read_percent(word("25")) == 0.25);
    BOOST_TEST(refusal([] { read_percent(word("101%")); }) == "101% is out of range (expected 0% to 100%)");
}

BOOST_AUTO_TEST_CASE(handles_are_hexadecimal) {
    BOOST_TEST(read_qdisc_handle(word("1:")) == 0x10000u);
    BOOST_TEST(read_qdisc_handle(word("ffff")) == 0xffff0000u);
    BOOST_TEST(read_qdisc_handle(word("none")) == 0u);
    BOOST_TEST(refusal([] { read_qdisc_handle(word("10000:")); }) == "\"10000:\" is not a qdisc handle (expected a handle such as 1: (hexadecimal, up to ffff))");
    BOOST_TEST(read_class_id(word("1:10")) == 0x10010u);
    BOOST_TEST(read_class_id(word("1:")) == 0x10000u);
    BOOST_TEST(read_class_id(word(":10")) == 0x10u);
    BOOST_TEST(read_class_id(word("root")) == 0xffffffffu);
    BOOST_TEST(read_class_id(word("10010")) == 0x10010u);
    BOOST_TEST(refusal([] { read_class_id(word("1:10000")); }) == "\"1:10000\" is not a class id (expected MAJOR:MINOR in hexadecimal, root or none)");
}

}  // namespace
}  // namespace nlstream
