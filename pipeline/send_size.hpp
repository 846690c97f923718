// How many messages a send shall carry.
#pragma once
#include <algorithm>
#include <chrono>

#include "netlink/integers.hpp"

namespace nlstream {

/// Finds the size of sends from how long they take. No clock.
///
/// The kernel carries the messages of a send out before the send returns. Each send costs some microseconds beside (the
/// call, its buffer, its acknowledgement), which is less than a hundredth of one that lasts `aim`. Longer ones would
/// gain nothing: only a stop would have to wait for them, and more of what follows a failed line would be applied. So a
/// send has as many messages as the kernel carries out in that time: a thousand neighbours, but two links to delete.
class SendSize {
  public:
    static constexpr std::chrono::microseconds aim{2000};
    static constexpr u32 most = 1024;
    static constexpr u32 first = 32;

    u32 messages() const { return messages_; }

    /// A send of so many messages, at least one, took so long.
    void took(u32 messages, std::chrono::nanoseconds time) {
        auto const each = static_cast<double>(time.count()) / messages;
        // Smoothed, as one that was interrupted says little of the next.
        each_ = each_ == 0 ? each : each_ + (each - each_) / smoothing;
        auto const affordable = std::chrono::nanoseconds(aim).count() / std::max(each_, 1.0);
        // What few messages cost says little of many.
        auto const limit = std::min(2 * messages_, most);
        messages_ = static_cast<u32>(std::clamp(affordable, 1.0, static_cast<double>(limit)));
    }

  private:
    static constexpr double smoothing = 8;
    double each_ = 0;  ///< nanoseconds a message
    u32 messages_ = first;
};

}  // namespace nlstream
