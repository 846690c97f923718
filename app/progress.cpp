#include "app/progress.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

namespace nlstream {
namespace {

using std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;

/// Rates are those of this time.
constexpr Seconds window{4};
/// After a longer one nothing was seen: the program had been suspended.
constexpr Seconds longest_gap{6};
constexpr milliseconds redraw_every{100};
/// Lines that stay get rarer: each pause is twice as long as the one before, up to the last.
constexpr milliseconds first_pause{500}, last_pause{4000};

std::string time_left(double seconds) {
    auto const whole = static_cast<u64>(std::ceil(seconds));
    if (whole < 100) return std::to_string(whole) + " s";
    if (whole < 100 * 60) return std::to_string((whole + 59) / 60) + " min";
    return std::to_string((whole + 3599) / 3600) + " h";
}

}  // namespace

std::string ProgressText::at(Seen const& now) {
    if (now.at - seen_.back().at > longest_gap) seen_.clear();
    while (seen_.size() > 1 && now.at - seen_.front().at > window) seen_.pop_front();
    seen_.push_back(now);
    auto const& first = seen_.front();
    auto const seconds = (now.at - first.at).count();
    auto const a_second = [&](u64 from, u64 to) {
        return seconds > 0 ? static_cast<double>(to - from) / seconds : 0.0;
    };

    auto out = std::to_string(now.lines) + " lines, " + std::to_string(static_cast<u64>(a_second(first.lines, now.lines) + 0.5)) +
               "/s, " + std::to_string(now.in_flight) + " in flight, " + std::to_string(now.failures) + " failed";
    if (!total_ || *total_ == 0) return out;
    // A file may grow while it is read.
    auto const done = std::min(now.bytes, *total_);
    out += ", " + std::to_string(done * 100 / *total_) + '%';
    if (auto const rate = a_second(first.bytes, now.bytes); rate > 0)
        out += ", " + time_left(static_cast<double>(*total_ - done) / rate) + " left";
    return out;
}

std::optional<u64> size_of(std::vector<std::string> const& files) {
    u64 sum = 0;
    for (auto const& file : files) {
        bool const standard_input = file == "-";
        struct stat status {};
        if ((standard_input ? ::fstat(STDIN_FILENO, &status) : ::stat(file.c_str(), &status)) < 0 ||
            !S_ISREG(status.st_mode))
            return {};
        auto const position = standard_input ? std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0) : 0;
        sum += static_cast<u64>(std::max<off_t>(status.st_size - position, 0));
    }
    return sum;
}

ProgressDisplay::ProgressDisplay(Screen& screen, StreamProgress const& progress, std::optional<u64> total)
    : screen_(screen), progress_(progress), text_(total), thread_([this](std::stop_token const& stop) { run(stop); }) {}

ProgressDisplay::~ProgressDisplay() {
    thread_.request_stop();
    thread_.join();
    screen_.erase();
}

/// False when it is to end.
bool ProgressDisplay::wait(std::stop_token const& stop, milliseconds time) {
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

std::string ProgressDisplay::text() {
    auto const load = [](auto const& from) { return from.load(std::memory_order_relaxed); };
    return text_.at({.at = std::chrono::steady_clock::now() - start_,
                     .lines = load(progress_.lines),
                     .failures = load(progress_.failures),
                     .in_flight = load(progress_.in_flight),
                     .bytes = load(progress_.bytes)});
}

void ProgressDisplay::run(std::stop_token const& stop) {
    // Signals are others' business, which may have blocked them.
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    if (screen_.is_terminal()) {
        while (wait(stop, redraw_every)) {
            // The last column stays free: some terminals wrap once it is filled.
            auto const line = text();
            if (screen_.in_foreground()) screen_.draw(std::string_view(line).substr(0, screen_.columns() - 1));
        }
    } else {
        for (auto pause = first_pause; wait(stop, pause); pause = std::min(2 * pause, last_pause))
            screen_.say("nlstream: " + text() + '\n');
    }
}

}  // namespace nlstream
