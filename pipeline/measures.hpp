// What a stream's stages did with their time. No I/O but the clock's.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <deque>

#include "netlink/integers.hpp"

namespace nlstream {

using MeasuringClock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

/// How often, and for how long altogether, somebody had to wait.
struct Waits {
    u64 count = 0;
    Nanoseconds time{};
};

/// Adds the time it lives to a sum.
class Timed {
  public:
    explicit Timed(Nanoseconds& sum) : sum_(sum) {}
    /// One more wait.
    explicit Timed(Waits& waits) : sum_(waits.time) { ++waits.count; }
    ~Timed() { sum_ += MeasuringClock::now() - start_; }
    Timed(Timed const&) = delete;
    Timed& operator=(Timed const&) = delete;

  private:
    Nanoseconds& sum_;
    MeasuringClock::time_point start_ = MeasuringClock::now();
};

/// Durations, counted in buckets whose upper end is at most an eighth above the lower.
class Durations {
  public:
    void add(Nanoseconds duration) {
        auto const nanoseconds = static_cast<u64>(std::max<Nanoseconds::rep>(duration.count(), 0));
        ++counts_[bucket(nanoseconds)];
        ++count_;
        longest_ = std::max(longest_, nanoseconds);
    }
    u64 count() const { return count_; }
    Nanoseconds longest() const { return Nanoseconds(longest_); }
    /// What `share` (above 0, at most 1) of the durations do not exceed, at most an eighth too much; 0 if there are
    /// none.
    Nanoseconds percentile(double share) const;

  private:
    static constexpr u64 steps = 8;  ///< buckets a power of two
    static std::size_t bucket(u64 nanoseconds) {
        if (nanoseconds < steps) return nanoseconds;
        auto const power = static_cast<std::size_t>(std::bit_width(nanoseconds)) - 4;
        return power * steps + (nanoseconds >> power);
    }
    static u64 end_of(std::size_t bucket);

    std::array<u64, 62 * steps> counts_{};
    u64 count_ = 0;
    u64 longest_ = 0;
};

/// How long sends wait for the answers they asked for.
class AnswerTimes {
  public:
    /// A send began at `begun` and asked for an answer; its last message was number `message` of all sent.
    void asked(u64 message, MeasuringClock::time_point begun) { waiting_.push_back({message, begun}); }
    /// All messages up to this one have been answered.
    void answered(u64 message, MeasuringClock::time_point now) {
        while (!waiting_.empty() && waiting_.front().message <= message) {
            durations_.add(now - waiting_.front().begun);
            waiting_.pop_front();
        }
    }
    Durations const& durations() const { return durations_; }

  private:
    struct Asked {
        u64 message;
        MeasuringClock::time_point begun;
    };
    std::deque<Asked> waiting_;
    Durations durations_;
};

/// Of the thread that takes lines in.
struct TakingMeasures {
    Nanoseconds reading{};  ///< in read()
    Waits input;            ///< nothing to read was there
    Nanoseconds encoding{};
    Waits batches;   ///< all batches were on their way: the kernel is behind
    Waits barriers;  ///< a line depended on what had been sent before it
};

/// Of the thread that sends.
struct SendingMeasures {
    Nanoseconds sending{};  ///< in sendmsg, where the kernel carries requests out
    Waits lines;            ///< no line was ready: the taking thread is behind
    Nanoseconds receiving{};
    Waits answers;      ///< the kernel's answers were late
    Waits kernel;       ///< the kernel took no more requests for the moment
    Durations latency;  ///< from a send to the answer it asked for
};

}  // namespace nlstream
