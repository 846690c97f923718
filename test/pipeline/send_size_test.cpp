#include "pipeline/send_size.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace nlstream;
using namespace std::chrono_literals;

namespace {

/// The sizes of so many full sends to a kernel that takes that long for a send and for a message.
std::vector<u32> sizes(SendSize& size, int sends, std::chrono::nanoseconds a_send, std::chrono::nanoseconds a_message) {
    std::vector<u32> all;
    for (int i = 0; i < sends; ++i) {
        size.took(size.messages(), a_send + size.messages() * a_message);
        all.push_back(size.messages());
    }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_doubles_up_to_the_most) {
    SendSize size;
    BOOST_CHECK_EQUAL(size.messages(), SendSize::first);
    BOOST_CHECK((sizes(size, 6, 5us, 600ns) == std::vector<u32>{64, 128, 256, 512, 1024, 1024}));
}

BOOST_AUTO_TEST_CASE(a_send_lasts_as_long_as_it_aims_at) {
    for (auto const a_message : {5us, 20us, 300us, 1000us}) {
        SendSize size;
        auto const last = sizes(size, 60, 5us, a_message).back();
        BOOST_TEST_CONTEXT(a_message.count() << " us a message") {
            BOOST_CHECK_LE(last * a_message + 5us, SendSize::aim);
            BOOST_CHECK_GE((last + 1) * a_message + 5us, SendSize::aim * 98 / 100);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_takes_longer_than_that_goes_alone) {
    SendSize size;
    BOOST_CHECK_EQUAL(sizes(size, 1, 0us, 8ms).back(), 1);
    BOOST_CHECK_EQUAL(sizes(size, 3, 0us, 8ms).back(), 1);
}

BOOST_AUTO_TEST_CASE(other_work_is_found_out) {
    SendSize size;
    sizes(size, 10, 5us, 1us);
    BOOST_CHECK_EQUAL(size.messages(), 1024);
    BOOST_CHECK_LE(sizes(size, 30, 5us, 100us).back(), 20);
    BOOST_CHECK_EQUAL(sizes(size, 60, 5us, 1us).back(), 1024);
}

BOOST_AUTO_TEST_CASE(an_interruption_is_soon_forgotten) {
    SendSize size;
    sizes(size, 10, 5us, 1us);
    size.took(1024, 30ms);
    BOOST_CHECK_LT(size.messages(), 1024);
    BOOST_CHECK_EQUAL(sizes(size, 10, 5us, 1us).back(), 1024);
}

BOOST_AUTO_TEST_CASE(a_clock_that_stands_still_does_no_harm) {
    SendSize size;
    BOOST_CHECK_EQUAL(sizes(size, 8, 0us, 0us).back(), SendSize::most);
}
