// Words of a line: blanks, quotes, comments.
#include "netlink/words.hpp"

#include <boost/test/unit_test.hpp>

namespace nlstream {
namespace {

std::string joined(std::string_view line) {
    Words words;
    words.split(line);
    std::string out;
    for (auto const& word : words.all()) out += '[' + std::string(word.text) + ']';
    return out;
}

BOOST_AUTO_TEST_CASE(blanks_tabs_and_line_ends_separate) {
    BOOST_TEST(joined("  route\tadd  10.0.0.0/8 \r\n") == "[route][add][10.0.0.0/8]");
    BOOST_TEST(joined("") == "");
    BOOST_TEST(joined(" \t\r\n") == "");
}

BOOST_AUTO_TEST_CASE(quotes_hold_blanks_and_hashes) {
    BOOST_TEST(joined("link set d0 alias \"to # the 'core'\" up") == "[link][set][d0][alias][to # the 'core'][up]");
    BOOST_TEST(joined("a 'b \"c'") == "[a][b \"c]");
    BOOST_TEST(joined("alias ''") == "[alias][]");
    // What follows a closing quote without a blank is the next word.
    BOOST_TEST(joined("'a'b") == "[a][b]");
}

BOOST_AUTO_TEST_CASE(a_quote_inside_a_word_is_ordinary) { BOOST_TEST(joined("it's don\"t") == "[it's][don\"t]"); }

BOOST_AUTO_TEST_CASE(a_hash_outside_quotes_starts_a_comment) {
    BOOST_TEST(joined("# all of it") == "");
    BOOST_TEST(joined("link set d0 up # why") == "[link][set][d0][up]");
    BOOST_TEST(joined("link set d0 up#why 'not closed") == "[link][set][d0][up]");
}

BOOST_AUTO_TEST_CASE(an_open_quote_is_an_error_at_the_quote) {
    Words words;
    BOOST_CHECK_EXCEPTION(words.split("link set d0 alias \"abc"), Diagnostic, [](Diagnostic const& d) { return d.where == (Span{18, 19}) && d.what == "this quote is not closed"; });
}

BOOST_AUTO_TEST_CASE(spans_cover_the_quotes) {
    Words words;
    words.split("a  'b c' d");
    BOOST_TEST((words.all()[1].span == Span{3, 8}));
    BOOST_TEST((words.all()[2].span == Span{9, 10}));
}

BOOST_AUTO_TEST_CASE(a_missing_word_is_blamed_behind_the_last_one) {
    Words words;
    words.split("route add via ");
    while (!words.done()) words.take("a word");
    BOOST_CHECK_EXCEPTION(words.take("ADDRESS"), Diagnostic, [](Diagnostic const& d) { return d.where == (Span{14, 15}) && d.what == "the line ends where ADDRESS was expected"; });
}

}  // namespace
}  // namespace nlstream
