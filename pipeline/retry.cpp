// What Window does about a message that was refused for now.
#include <algorithm>
#include <utility>

#include "pipeline/window.hpp"

namespace nlstream {
namespace {

constexpr u32 first_pause_ms = 10;
constexpr u32 longest_pause_ms = 1000;

}  // namespace

/// False once the stream has stopped at something before the message.
bool Window::may_retry() const {
    return options_.retries > 0 && !halted_ && !(options_.stop_at_failure && account_.first_failure);
}

/// Message settled_ + 1 was refused with `answer`; messages up to `heard` have been answered.
void Window::begin_retry(Answer const& answer, u64 heard) {
    retry_ = std::make_unique<Retry>();
    retry_->answer = answer;
    retry_->heard = heard;
}

u32 Window::retry_pause_ms() const {
    if (retry_->for_its_order && retry_->attempts == 0) return 0;
    auto const doublings = retry_->attempts - (retry_->for_its_order ? 1 : 0);
    return doublings > 6 ? longest_pause_ms : std::min(longest_pause_ms, first_pause_ms << doublings);
}

Window::Run Window::retry() { return {front_message(), 1}; }

void Window::retry_sent() {
    ++retry_->attempts;
    retry_->in_flight = true;
    retry_->doubtful = false;
    ++account_.messages;
    ++account_.retries;
}

void Window::hold(u64 message, bool proven, Answer const* refusal) {
    retry_->heard = message;
    retry_->held.push_back({message, doubtful_until_, proven, refusal ? std::optional(*refusal) : std::nullopt});
}

/// The attempt in flight was answered: refused, or not. Without proof what became of it is unknown.
void Window::retry_answered(Answer const* refusal, bool proven) {
    auto& retry = *retry_;
    retry.in_flight = false;
    if (refusal) {
        retry.answer = *refusal;
        auto const allowed = options_.retries + (retry.for_its_order ? 1 : 0);
        if (says_later(refusal->error) && retry.attempts < allowed && may_retry()) return;
        return give_up_retry();
    }
    auto const message = settled_ + 1;
    settle_through(message, proven, proven ? settled_ : message);
    release(proven);
}

/// The last answer counts.
void Window::give_up_retry() {
    auto const answer = std::move(retry_->answer);
    end_refused(settled_ + 1, answer, settled_);
    release(false);
}

/// The message that was tried again is settled: so are those behind it now, up to one that has to be tried again in its
/// turn.
void Window::release(bool granted) {
    auto const retry = std::move(retry_);
    auto& held = retry->held;
    bool const changed = retry->changed || granted;
    while (!held.empty()) {
        auto const entry = std::move(held.front());
        held.pop_front();
        if (!entry.refusal) {
            settle_through(entry.message, entry.proven, entry.doubtful_until);
            continue;
        }
        settle_through(entry.message - 1, false, entry.doubtful_until);
        bool const later = says_later(entry.refusal->error);
        if ((changed || later) && may_retry()) {
            begin_retry(*entry.refusal, retry->heard);
            retry_->for_its_order = !later;
            retry_->changed = changed;
            retry_->held = std::move(held);
            return;
        }
        end_refused(entry.message, *entry.refusal, entry.doubtful_until);
    }
    if (stopped_) end_unsent();
}

}  // namespace nlstream
