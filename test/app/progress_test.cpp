#include "app/progress.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <fstream>

using namespace nlstream;
using Seconds = std::chrono::duration<double>;

namespace {

/// What is written to a pipe.
class Pipe {
  public:
    Pipe() { BOOST_REQUIRE(::pipe2(ends_.data(), O_NONBLOCK) == 0); }
    ~Pipe() {
        for (int const end : ends_) ::close(end);
    }
    int in() const { return ends_[1]; }
    std::string take() const {
        std::array<char, 4096> text;
        auto const got = ::read(ends_[0], text.data(), text.size());
        return {text.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
    }

  private:
    std::array<int, 2> ends_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(rates_are_those_of_the_last_seconds) {
    ProgressText text(std::nullopt);
    BOOST_CHECK_EQUAL(text.at({.at = Seconds(1), .lines = 1000, .failures = 0, .in_flight = 64}),
                      "1000 lines, 1000/s, 64 in flight, 0 failed");
    BOOST_CHECK_EQUAL(text.at({.at = Seconds(5), .lines = 1000, .failures = 2, .in_flight = 0}),
                      "1000 lines, 0/s, 0 in flight, 2 failed");
    BOOST_CHECK_EQUAL(text.at({.at = Seconds(6), .lines = 4000, .failures = 2, .in_flight = 0}),
                      "4000 lines, 3000/s, 0 in flight, 2 failed");
}

BOOST_AUTO_TEST_CASE(a_known_size_gives_share_and_time_left) {
    ProgressText text(u64{1000});
    BOOST_CHECK_EQUAL(text.at({.at = Seconds(2), .lines = 10, .bytes = 100}),
                      "10 lines, 5/s, 0 in flight, 0 failed, 10%, 18 s left");
    BOOST_CHECK_EQUAL(text.at({.at = Seconds(3), .lines = 10, .bytes = 1000}),
                      "10 lines, 3/s, 0 in flight, 0 failed, 100%, 0 s left");
    // The file grew while it was read.
    BOOST_CHECK_EQUAL(text.at({.at = Seconds(4), .lines = 10, .bytes = 2000}),
                      "10 lines, 3/s, 0 in flight, 0 failed, 100%, 0 s left");
    ProgressText slow(u64{1} << 40);
    BOOST_CHECK_EQUAL(slow.at({.at = Seconds(1), .bytes = u64{1} << 31}),
                      "0 lines, 0/s, 0 in flight, 0 failed, 0%, 9 min left");
    BOOST_CHECK_EQUAL(ProgressText(u64{0}).at({.at = Seconds(1)}), "0 lines, 0/s, 0 in flight, 0 failed");
}

BOOST_AUTO_TEST_CASE(a_suspension_does_not_count) {
    ProgressText text(std::nullopt);
    text.at({.at = Seconds(1), .lines = 1000});
    text.at({.at = Seconds(100), .lines = 1000});
    BOOST_CHECK_EQUAL(text.at({.at = Seconds(101), .lines = 3000}), "3000 lines, 2000/s, 0 in flight, 0 failed");
}

BOOST_AUTO_TEST_CASE(what_is_said_replaces_what_is_drawn) {
    Pipe const pipe;
    {
        Screen screen(pipe.in());
        BOOST_CHECK(!screen.is_terminal());
        BOOST_CHECK_EQUAL(screen.columns(), 80);
        screen.say("plain\n");
        BOOST_CHECK_EQUAL(pipe.take(), "plain\n");
        screen.draw("5 lines");
        screen.draw("6 lines");
        BOOST_CHECK_EQUAL(pipe.take(), "\r\33[K5 lines\r\33[K6 lines");
        screen.say("error\n");
        screen.say("error\n");
        BOOST_CHECK_EQUAL(pipe.take(), "\r\33[Kerror\nerror\n");
        screen.draw("7 lines");
        screen.erase();
        screen.erase();
        BOOST_CHECK_EQUAL(pipe.take(), "\r\33[K7 lines\r\33[K");
        screen.draw("8 lines");
    }
    BOOST_CHECK_EQUAL(pipe.take(), "\r\33[K8 lines\r\33[K");
}

BOOST_AUTO_TEST_CASE(lines_that_stay_where_there_is_no_terminal) {
    Pipe const pipe;
    Screen screen(pipe.in());
    StreamProgress progress;
    progress.lines = 12;
    {
        ProgressDisplay const display(screen, progress, {});
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
    }
    auto const text = pipe.take();
    BOOST_CHECK_MESSAGE(text.starts_with("nlstream: 12 lines, ") && text.ends_with(" failed\n"), text);
    BOOST_CHECK_EQUAL(std::ranges::count(text, '\n'), 1);
}

BOOST_AUTO_TEST_CASE(a_short_run_shows_nothing) {
    Pipe const pipe;
    Screen screen(pipe.in());
    StreamProgress progress;
    { ProgressDisplay const display(screen, progress, {}); }
    BOOST_CHECK_EQUAL(pipe.take(), "");
}

BOOST_AUTO_TEST_CASE(the_size_of_files) {
    char path[] = "/tmp/nlstream-progress-XXXXXX";
    int const file = ::mkstemp(path);
    BOOST_REQUIRE(file >= 0);
    BOOST_REQUIRE_EQUAL(::write(file, "12345", 5), 5);
    ::close(file);
    BOOST_CHECK(size_of({path, path}) == 10);
    BOOST_CHECK(!size_of({path, "/dev/null"}));
    BOOST_CHECK(!size_of({"/nonexistent"}));
    ::unlink(path);
}
