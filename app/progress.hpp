// --progress: how far the stream has come, while it runs.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/screen.hpp"
#include "pipeline/progress.hpp"

namespace nlstream {

/// Makes lines of text of what is seen from time to time.
class ProgressText {
  public:
    struct Seen {
        std::chrono::duration<double> at{};  ///< since the beginning
        u64 lines = 0;
        u64 failures = 0;
        u32 in_flight = 0;
        u64 bytes = 0;
    };

    /// `total`: bytes of all files, where that is known.
    explicit ProgressText(std::optional<u64> total) : total_(total) { seen_.push_back({}); }

    /// "1200000 lines, 400000/s, 256 in flight, 3 failed, 41%, 7 s left". Rate and time left are those of the last
    /// seconds.
    std::string at(Seen const& now);

  private:
    std::optional<u64> total_;
    std::deque<Seen> seen_;  ///< in the last seconds; the first is what rates count from
};

/// The sum of the files' sizes; nothing if one of them is no regular file. "-": standard input, from where it stands.
std::optional<u64> size_of(std::vector<std::string> const& files);

/// Shows progress as long as it lives: one line that is redrawn on a terminal, else a line every few seconds.
class ProgressDisplay {
  public:
    /// `screen` and `progress` must outlive it.
    ProgressDisplay(Screen& screen, StreamProgress const& progress, std::optional<u64> total);
    ~ProgressDisplay();
    ProgressDisplay(ProgressDisplay const&) = delete;
    ProgressDisplay& operator=(ProgressDisplay const&) = delete;

  private:
    void run(std::stop_token const& stop);
    bool wait(std::stop_token const& stop, std::chrono::milliseconds time);
    std::string text();

    Screen& screen_;
    StreamProgress const& progress_;
    ProgressText text_;
    std::chrono::steady_clock::time_point const start_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::jthread thread_;
};

}  // namespace nlstream
