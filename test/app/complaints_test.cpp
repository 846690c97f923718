// Many lines with the same fault.
#define BOOST_TEST_MODULE complaints
#include "app/complaints.hpp"

#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>

using namespace nlstream;

namespace {

Complaints::Clock::time_point time_now{std::chrono::hours(1)};

/// What is shown of complaints.
class World {
  public:
    explicit World(bool all = false) : complaints_(screen_, {.all = all, .now = [] { return time_now; }}) {}
    ~World() { ::close(ends_[0]), ::close(ends_[1]); }

    /// The text that appears when lines from `first` to `last` say `what` of their first word.
    std::string add(u64 first, u64 last, std::string const& what, std::string const& word = "word") {
        for (auto number = first; number <= last; ++number)
            complaints_.add({word + " of the line", {what, {0, static_cast<u32>(word.size())}, {}, {}, code::syntax}, {}},
                            "rules", number);
        return taken();
    }
    std::string end() {
        complaints_.end();
        return taken();
    }
    u64 hidden() const { return complaints_.hidden(); }

  private:
    std::string taken() const {
        std::array<char, 60000> text;
        // So that there is something to read.
        BOOST_REQUIRE_EQUAL(::write(ends_[1], ".", 1), 1);
        auto const got = ::read(ends_[0], text.data(), text.size());
        return {text.data(), static_cast<std::size_t>(got - 1)};
    }

    std::array<int, 2> ends_ = [] {
        std::array<int, 2> ends{};
        BOOST_REQUIRE(::pipe(ends.data()) == 0);
        return ends;
    }();
    Screen screen_{ends_[1]};
    Complaints complaints_;
};

std::size_t errors(std::string const& text) {
    std::size_t count = 0;
    for (auto at = text.find("error: "); at != text.npos; at = text.find("error: ", at + 1)) ++count;
    return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_three_are_shown_and_the_others_counted) {
    World world;
    BOOST_CHECK_EQUAL(world.add(1, 2, "it is wrong"),
                      "error: it is wrong\n"
                      " --> rules:1:1\n"
                      "  |\n"
                      "1 | word of the line\n"
                      "  | ^^^^\n"
                      "\n"
                      "error: it is wrong\n"
                      " --> rules:2:1\n"
                      "  |\n"
                      "2 | word of the line\n"
                      "  | ^^^^\n"
                      "\n");
    BOOST_CHECK_EQUAL(errors(world.add(3, 1000, "it is wrong")), 1);
    BOOST_CHECK_EQUAL(errors(world.add(1001, 1004, "\"a\" is unknown", "a")), 3);
    BOOST_CHECK_EQUAL(world.hidden(), 998);
    BOOST_CHECK_EQUAL(world.end(),
                      "and 997 more lines, the last one rules:1000: it is wrong, at \"word\"\n"
                      "and 1 more line, rules:1004: \"a\" is unknown\n"
                      "  --errors all shows each of them\n"
                      "\n");
    BOOST_CHECK_EQUAL(world.hidden(), 0);
    BOOST_CHECK_EQUAL(world.end(), "");
}

BOOST_AUTO_TEST_CASE(the_same_of_another_word_is_another_fault) {
    World world;
    BOOST_CHECK_EQUAL(errors(world.add(1, 3, "it is wrong", "a")), 3);
    BOOST_CHECK_EQUAL(errors(world.add(4, 6, "it is wrong", "b")), 3);
    BOOST_CHECK_EQUAL(errors(world.add(7, 9, "it is wrong", "a")), 0);
}

BOOST_AUTO_TEST_CASE(after_a_silence_one_is_shown_again) {
    World world;
    world.add(1, 5, "it is wrong");
    time_now += std::chrono::milliseconds(999);
    BOOST_CHECK_EQUAL(errors(world.add(6, 7, "it is wrong")), 0);
    time_now += std::chrono::milliseconds(1);
    BOOST_CHECK(world.add(8, 9, "it is wrong").find("rules:8:1") != std::string::npos);
    BOOST_CHECK(world.end().starts_with("and 5 more lines, the last one rules:9: "));
}

BOOST_AUTO_TEST_CASE(different_faults_are_told_apart_up_to_a_number) {
    World world;
    std::size_t shown = 0;
    for (u64 number = 1; number <= 100000; ++number) shown += errors(world.add(number, number, "fault " + std::to_string(number)));
    BOOST_CHECK_EQUAL(shown, 103);
    BOOST_CHECK_EQUAL(world.end(),
                      "and 99897 more lines, the last one rules:100000: other faults\n"
                      "  --errors all shows each of them\n"
                      "\n");
}

BOOST_AUTO_TEST_CASE(all_are_shown_on_demand) {
    World world(true);
    BOOST_CHECK_EQUAL(errors(world.add(1, 500, "it is wrong")), 500);
    BOOST_CHECK_EQUAL(world.end(), "");
}
