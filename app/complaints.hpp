// Diagnostics on standard error, which many lines with the same fault do not flood.
#pragma once
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/explain.hpp"
#include "app/screen.hpp"

namespace nlstream {

/// "<stdin>" for "-".
std::string_view shown_name(std::string_view file);

/// The line, with the word at fault, and the reason; ends in an empty line.
std::string render_failure(Explained const& failure, std::string_view file, u64 number, bool colours);

/// Shows the first complaints of each fault in full, and counts the others. The same fault is what is wrong and the
/// word that is blamed.
class Complaints {
  public:
    using Clock = std::chrono::steady_clock;
    struct Options {
        bool colours = false;
        bool all = false;                          ///< show each
        Clock::time_point (*now)() = &Clock::now;  ///< for tests
    };

    /// `screen` must outlive it.
    Complaints(Screen& screen, Options options) : screen_(screen), options_(options) {}

    void add(Explained const& failure, std::string_view file, u64 number);
    /// Says how many were not shown.
    void end();
    /// How many were not shown, and end() has not told of. From any thread.
    u64 hidden() const { return hidden_.load(std::memory_order_relaxed); }

  private:
    struct Fault {
        std::string what;
        u64 shown = 0;
        u64 hidden = 0;
        std::string last;  ///< the place of the last hidden one
    };

    Fault& fault_of(Explained const& failure);

    Screen& screen_;
    Options options_;
    std::vector<Fault> faults_;  ///< in the order in which they appeared
    std::unordered_map<std::string, std::size_t> by_key_;
    Clock::time_point said_at_{};
    std::atomic<u64> hidden_ = 0;
};

}  // namespace nlstream
