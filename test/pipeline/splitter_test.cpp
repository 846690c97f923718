#include "pipeline/splitter.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <vector>

#include "test/support/rounds.hpp"

using namespace nlstream;

namespace {

struct Kept {
    u64 number;
    std::string text;
    Defect defect = Defect::none;
    std::string raw = {};
    friend bool operator==(Kept const& a, Kept const& b) {
        return a.number == b.number && a.text == b.text && a.defect == b.defect;
    }
    friend std::ostream& operator<<(std::ostream& out, Kept const& line) {
        return out << line.number << ":\"" << line.text << "\"/" << static_cast<int>(line.defect);
    }
};

/// The lines of `text` when it arrives in pieces whose sizes `piece` tells, as a reader would show them.
template <class Piece>
std::vector<Kept> split(std::string_view text, Piece&& piece) {
    std::vector<Kept> lines;
    Splitter splitter;
    std::string buffer;
    while (true) {
        auto const size = std::min<std::size_t>(piece(), text.size());
        bool const at_end = text.empty();
        buffer += text.substr(0, size);
        text.remove_prefix(size);
        std::size_t position = 0, consumed = 0;
        LogicalLine line;
        while (splitter.next(std::string_view(buffer).substr(position), at_end, line, consumed)) {
            lines.push_back({line.number, std::string(line.text), line.defect, std::string(line.raw)});
            position += consumed;
        }
        position += consumed;
        buffer.erase(0, position);
        // Whatever comes in, no more than the longest line and one piece is ever kept.
        BOOST_REQUIRE_LE(buffer.size(), Splitter::max_line + size);
        if (at_end) return lines;
    }
}

std::vector<Kept> split(std::string_view text) {
    return split(text, [&] { return text.size(); });
}

void check(std::string_view text, std::vector<Kept> const& expected) {
    auto const whole = split(text);
    BOOST_CHECK_EQUAL_COLLECTIONS(whole.begin(), whole.end(), expected.begin(), expected.end());
    auto const bytewise = split(text, [] { return std::size_t{1}; });
    BOOST_CHECK_EQUAL_COLLECTIONS(bytewise.begin(), bytewise.end(), expected.begin(), expected.end());
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_are_numbered_from_one) {
    check("", {});
    check("a\nb\n", {{1, "a"}, {2, "b"}});
    check("\n\na\n", {{1, ""}, {2, ""}, {3, "a"}});
}

BOOST_AUTO_TEST_CASE(the_last_line_needs_no_newline) { check("a\nb c", {{1, "a"}, {2, "b c"}}); }

BOOST_AUTO_TEST_CASE(a_carriage_return_stays_where_it_counts_as_a_blank) {
    check("a\r\nb\r\n", {{1, "a\r"}, {2, "b\r"}});
}

BOOST_AUTO_TEST_CASE(a_backslash_joins_lines_with_nothing_in_between) {
    check("a\\\nb\nc\n", {{1, "ab"}, {3, "c"}});
    check("a \\\n b \\\n  c\nd", {{1, "a  b   c"}, {4, "d"}});
    check("a\\\r\nb\r\n", {{1, "ab\r"}});
}

BOOST_AUTO_TEST_CASE(a_backslash_elsewhere_is_an_ordinary_character) {
    check("a\\b\n", {{1, "a\\b"}});
    check("a\\ \nb\n", {{1, "a\\ "}, {2, "b"}});
    check("a\\", {{1, "a\\"}});
    check("a\\\r\r\nb\n", {{1, "a\\\r\r"}, {2, "b"}});
}

BOOST_AUTO_TEST_CASE(a_comment_ends_with_its_physical_line) {
    check("a # b \\\nc\n", {{1, "a # b \\"}, {2, "c"}});
    check("a \\\nb # c \\\nd\n", {{1, "a b # c \\"}, {3, "d"}});
    check("a#\\\nb\n", {{1, "a#\\"}, {2, "b"}});
}

BOOST_AUTO_TEST_CASE(a_hash_in_quotes_starts_no_comment) {
    check("a '#' \\\nb\n", {{1, "a '#' b"}});
    check("a \"# \\\n#\" \\\nb\n", {{1, "a \"# #\" b"}});
    // A quote inside a word is an ordinary character, so this # starts a comment.
    check("a b'#' \\\nc\n", {{1, "a b'#' \\"}, {2, "c"}});
    // The backslash that joins is no part of a word: what follows may start with a quote.
    check("a \\\n'# b' \\\nc\n", {{1, "a '# b' c"}});
    check("a\\\n'# b' \\\nc\n", {{1, "a'# b' \\"}, {3, "c"}});
}

BOOST_AUTO_TEST_CASE(a_continuation_at_the_end_of_the_input_is_a_defect) {
    check("a \\\n", {{1, "a ", Defect::unfinished}});
    check("a \\\nb \\\n", {{1, "a b ", Defect::unfinished}});
}

BOOST_AUTO_TEST_CASE(raw_text_is_what_stood_in_the_file) {
    auto const lines = split("a \\\n  b\r\nc\n");
    BOOST_CHECK_EQUAL(lines[0].raw, "a \\\n  b\r");
    BOOST_CHECK_EQUAL(logical_text(lines[0].raw), lines[0].text);
    BOOST_CHECK_EQUAL(lines[1].raw, "c");
}

BOOST_AUTO_TEST_CASE(a_line_may_be_as_long_as_the_limit) {
    std::string const longest(Splitter::max_line, 'x');
    auto const lines = split(longest + "\nb\n", [] { return std::size_t{65536}; });
    BOOST_REQUIRE_EQUAL(lines.size(), 2);
    BOOST_CHECK(lines[0].defect == Defect::none);
    BOOST_CHECK_EQUAL(lines[0].text.size(), longest.size());
    BOOST_CHECK_EQUAL(lines[1].number, 2);
}

BOOST_AUTO_TEST_CASE(a_longer_line_is_passed_over_and_named) {
    std::string const too_long = "start " + std::string(3 * Splitter::max_line, 'x');
    for (std::string const& text :
         {too_long + "\nb\n", too_long + "\\\nmore\nb\n", too_long + "\\\r\nmore # \\\nb\n"}) {
        auto const lines = split(text, [] { return std::size_t{65536}; });
        BOOST_REQUIRE_EQUAL(lines.size(), 2);
        BOOST_CHECK(lines[0].defect == Defect::too_long);
        BOOST_CHECK_EQUAL(lines[0].number, 1);
        BOOST_CHECK_EQUAL(lines[0].text.size(), Splitter::shown_of_too_long);
        BOOST_CHECK(lines[0].text.starts_with("start x"));
        BOOST_CHECK_EQUAL(lines[1].text, "b");
        BOOST_CHECK_EQUAL(lines[1].number, static_cast<u64>(std::ranges::count(text, '\n')));
    }
    auto const at_end = split(too_long, [] { return std::size_t{65536}; });
    BOOST_REQUIRE_EQUAL(at_end.size(), 1);
    BOOST_CHECK(at_end[0].defect == Defect::too_long);
}

BOOST_AUTO_TEST_CASE(how_the_bytes_arrive_makes_no_difference) {
    std::mt19937 random(1);
    constexpr std::string_view letters = "ab \t\r\n\n\\\\#'\"";
    for (int round = 0; round < test::rounds(20000); ++round) {
        std::string text;
        for (auto size = random() % 24; size > 0; --size) text += letters[random() % letters.size()];
        auto const whole = split(text);
        auto const pieces = split(text, [&] { return std::size_t{1} + random() % 5; });
        BOOST_REQUIRE_EQUAL_COLLECTIONS(whole.begin(), whole.end(), pieces.begin(), pieces.end());
        // Every byte is in exactly one line.
        std::string joined;
        for (auto const& line : whole) joined += line.raw + '\n';
        if (!text.empty() && (!text.ends_with('\n') || (!whole.empty() && whole.back().defect == Defect::unfinished)))
            joined.pop_back();
        BOOST_REQUIRE_EQUAL(joined, text);
    }
}
