#include "pipeline/measures.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

using namespace nlstream;

BOOST_AUTO_TEST_CASE(without_durations_all_is_zero) {
    Durations const none;
    BOOST_CHECK_EQUAL(none.count(), 0);
    BOOST_CHECK(none.percentile(0.5) == Nanoseconds(0) && none.longest() == Nanoseconds(0));
}

BOOST_AUTO_TEST_CASE(small_ones_are_exact) {
    Durations durations;
    for (int i = 0; i < 16; ++i) durations.add(Nanoseconds(i));
    BOOST_CHECK_EQUAL(durations.percentile(0.5).count(), 7);
    BOOST_CHECK_EQUAL(durations.percentile(1).count(), 15);
    BOOST_CHECK_EQUAL(durations.longest().count(), 15);
}

BOOST_AUTO_TEST_CASE(percentiles_are_at_most_an_eighth_too_long) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
        Durations durations;
        std::vector<u64> all;
        for (int i = 0; i < 300; ++i) all.push_back(random() >> (1 + random() % 63));
        for (auto const one : all) durations.add(Nanoseconds(one));
        std::ranges::sort(all);
        for (double const share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
            auto const exact = all[static_cast<std::size_t>(std::ceil(share * 300)) - 1];
            auto const said = static_cast<u64>(durations.percentile(share).count());
            BOOST_TEST_REQUIRE(said >= exact);
            BOOST_TEST_REQUIRE(said - exact <= exact / 8);
        }
        BOOST_TEST(static_cast<u64>(durations.longest().count()) == all.back());
    }
}

BOOST_AUTO_TEST_CASE(a_clock_that_goes_back_counts_as_nothing) {
    Durations durations;
    durations.add(Nanoseconds(-5));
    BOOST_CHECK_EQUAL(durations.percentile(1).count(), 0);
    BOOST_CHECK_EQUAL(durations.count(), 1);
}

BOOST_AUTO_TEST_CASE(sends_are_answered_in_their_order) {
    MeasuringClock::time_point const start{};
    auto const at = [&](int microseconds) { return start + std::chrono::microseconds(microseconds); };
    AnswerTimes times;
    times.asked(64, at(0));
    times.asked(128, at(10));
    times.answered(63, at(20));
    BOOST_CHECK_EQUAL(times.durations().count(), 0);
    times.answered(100, at(30));
    BOOST_CHECK_EQUAL(times.durations().count(), 1);
    times.answered(128, at(40));
    BOOST_CHECK_EQUAL(times.durations().count(), 2);
    BOOST_CHECK(times.durations().longest() == std::chrono::microseconds(30));
}

BOOST_AUTO_TEST_CASE(time_is_added_up) {
    Waits waits;
    Nanoseconds sum{};
    for (int i = 0; i < 3; ++i) {
        Timed const one(waits);
        Timed const other(sum);
    }
    BOOST_CHECK_EQUAL(waits.count, 3);
    BOOST_CHECK(waits.time >= sum && waits.time < std::chrono::seconds(10));
}
