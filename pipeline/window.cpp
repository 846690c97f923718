#include "pipeline/window.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

namespace nlstream {
namespace {

u32 padded_length(std::span<std::byte const> message) {
    nlmsghdr head;
    std::memcpy(&head, message.data(), sizeof head);
    return NLMSG_ALIGN(head.nlmsg_len);
}

Place place_of(Batch const& batch, BatchLine const& line) { return {batch.file, batch.first_number + line.number}; }

u64 last_physical_line(Batch const& batch, BatchLine const& line) {
    auto const first = batch.first_number + line.number;
    return line.continued ? first + static_cast<u64>(std::ranges::count(batch.raw(line), '\n')) : first;
}

}  // namespace

void Window::add(std::unique_ptr<Batch> batch) {
    batches_.push_back(std::move(batch));
    pass_empty_lines();
    end_lines();
    if (stopped_) end_unsent();
}

/// True when some, not all, of a line's messages were sent.
bool Window::line_begun() const {
    if (send_batch_ == batches_.size() || send_line_ == sending().lines.size()) return false;
    return send_message_ > (send_line_ == 0 ? 0 : sending().lines[send_line_ - 1].messages_end);
}

/// Moves the place of sending behind lines without messages, and on to the next batch.
void Window::pass_empty_lines() {
    while (send_batch_ < batches_.size()) {
        auto const& batch = sending();
        if (batch.given_up) {
            stopped_ = true;
            return;
        }
        while (send_line_ < batch.lines.size() && batch.lines[send_line_].messages_end <= send_message_) {
            if (stopped_) return;
            if (batch.lines[send_line_].rejected && options_.stop_at_failure) stopped_ = true;
            ++send_line_;
        }
        if (send_line_ < batch.lines.size()) return;
        ++send_batch_;
        send_line_ = send_message_ = send_byte_ = 0;
    }
}

bool Window::has_ready() {
    if (retry_ || send_batch_ == batches_.size()) return false;
    return !stopped_ || line_begun();
}

Window::Run Window::ready(u32 messages, std::size_t bytes) {
    if (!has_ready()) return {};
    auto& batch = sending();
    auto end = batch.message_count;
    if (options_.stop_at_failure && !batch.rejections.empty())
        end = batch.lines[batch.rejections.front().line].messages_end;
    // A line that was begun is finished even after a stop: half of it says nothing that a report could name.
    if (stopped_) end = batch.lines[send_line_].messages_end;
    auto const most = std::min({messages, credit(), end - send_message_});
    auto const rest = batch.messages.bytes().subspan(send_byte_);
    Run run;
    std::size_t size = 0;
    while (run.messages < most) {
        auto const length = padded_length(rest.subspan(size));
        if (run.messages > 0 && size + length > bytes) break;
        size += length;
        ++run.messages;
    }
    run.bytes = rest.first(size);
    return run;
}

void Window::sent(Run const& run) {
    sent_ += run.messages;
    account_.messages += run.messages;
    send_message_ += run.messages;
    send_byte_ += static_cast<u32>(run.bytes.size());
    auto const& batch = sending();
    while (send_line_ < batch.lines.size() && batch.lines[send_line_].messages_end < send_message_) ++send_line_;
    auto const& line = batch.lines[send_line_];
    account_.last_sent = place_of(batch, line);
    if (line.messages_end == send_message_) ++send_line_;
    pass_empty_lines();
}

void Window::skip_rest_of_line() {
    auto const& batch = sending();
    auto const rest = batch.lines[send_line_].messages_end - send_message_;
    for (u32 i = 0; i < rest; ++i) send_byte_ += padded_length(batch.messages.bytes().subspan(send_byte_));
    send_message_ += rest;
    bool const nothing_in_flight = sent_ == settled_;
    sent_ += rest;
    ++send_line_;
    pass_empty_lines();
    // Otherwise they are settled with what is sent after them.
    if (nothing_in_flight) settle_through(sent_, true, doubtful_until_);
}

/// An answer has come to the message with this number, which was not refused; `proven`: it says so itself.
void Window::heard_through(u32 sequence_number, bool proven) {
    if (!in_flight(sequence_number)) return;
    if (retry_in_flight()) return retry_answered(nullptr, proven);
    auto const message = heard() + distance(sequence_number);
    if (retry_) return hold(message, proven, nullptr);
    settle_through(message, proven, doubtful_until_);
    if (stopped_) end_unsent();
}

void Window::acknowledged(u32 sequence_number) { heard_through(sequence_number, true); }

void Window::fenced(u32 sequence_number) {
    // One that came behind an earlier attempt says nothing of this one.
    if (retry_in_flight() && !retry_->doubtful) return;
    heard_through(sequence_number, false);
}

void Window::refused(Answer const& answer) {
    if (!in_flight(answer.sequence)) return;
    if (retry_in_flight()) return retry_answered(&answer, true);
    auto const message = heard() + distance(answer.sequence);
    if (retry_) return hold(message, true, &answer);
    settle_through(message - 1, false, doubtful_until_);
    if (says_later(answer.error) && may_retry()) return begin_retry(answer, message);
    end_refused(message, answer, doubtful_until_);
    if (stopped_) end_unsent();
}

void Window::overrun() {
    if (retry_in_flight())
        retry_->doubtful = true;
    else
        doubtful_until_ = sent_;
}

/// Message `message`, the first one not settled, was refused for good.
void Window::end_refused(u64 message, Answer const& answer, u64 doubtful_until) {
    auto& batch = *batches_.front();
    auto const& line = batch.lines[front_line_];
    if (state_ != State::failed && !(line.absence_is_success && says_absent(answer.error))) {
        auto const kind = kind_of(front_message());
        if (options_.expected.covers(answer, kind)) {
            if (state_ == State::clean) {
                state_ = State::ignored;
                ignored_error_ = answer.error;
                ignored_object_ = kind.object;
            }
        } else {
            state_ = State::failed;
            note_failure(batch, front_line_);
            auto const line_start = front_line_ == 0 ? 0 : batch.lines[front_line_ - 1].messages_end;
            tell(batch, front_line_,
                 {.outcome = Outcome::failed,
                  .error = answer.error,
                  .message = front_message_ - line_start,
                  .answer = &answer});
        }
    }
    bool const rest_is_vain = state_ == State::failed && send_batch_ == 0 && send_line_ == front_line_ && line_begun();
    settle_through(message, true, doubtful_until);
    if (rest_is_vain) skip_rest_of_line();
}

/// The first message that is not settled.
std::span<std::byte> Window::front_message() {
    auto& batch = *batches_.front();
    for (; found_message_ < front_message_; ++found_message_)
        found_byte_ += padded_length(batch.messages.bytes().subspan(found_byte_));
    auto const rest = batch.messages.bytes().subspan(found_byte_);
    return rest.first(padded_length(rest));
}

void Window::settle_through(u64 message, bool last_is_proven, u64 doubtful_until) {
    while (settled_ < message) {
        auto const in_front = batches_.front()->message_count - front_message_;
        u64 step = std::min<u64>(message - settled_, in_front);
        if (settled_ < doubtful_until) {
            step = 1;
            bool const proven = last_is_proven && settled_ + 1 == message;
            if (!proven && state_ != State::failed) state_ = State::unknown;
        }
        settled_ += step;
        front_message_ += static_cast<u32>(step);
        end_lines();
    }
}

/// Ends the lines whose messages are settled, up to the place of sending, and retires batches that have no other.
void Window::end_lines() {
    while (!batches_.empty()) {
        auto& batch = *batches_.front();
        auto const reached = send_batch_ == 0 ? send_line_ : static_cast<u32>(batch.lines.size());
        while (front_line_ < reached && batch.lines[front_line_].messages_end <= front_message_)
            end_line(batch, front_line_++);
        if (send_batch_ == 0 || front_line_ < batch.lines.size()) return;
        retire_front();
    }
}

void Window::end_line(Batch& batch, u32 index) {
    auto const& line = batch.lines[index];
    if (line.rejected) {
        note_failure(batch, index);
        if (options_.stop_at_failure && !rejected_) rejected_ = place_of(batch, line);
        tell(batch, index, {.outcome = Outcome::rejected, .rejection = &batch.rejections[front_rejection_++]});
    } else if (line.absent) {
        tell_ignored(batch, index, ENODEV, batch.absent_objects[front_absent_++]);
    } else if (state_ == State::unknown) {
        note_failure(batch, index);
        tell(batch, index, {.outcome = Outcome::unknown});
    } else if (state_ == State::ignored) {
        tell_ignored(batch, index, ignored_error_, ignored_object_);
    } else if (state_ == State::clean && !line.goes_on) {
        ++account_.lines[Outcome::applied];
        if (account_.first_failure) ++account_.applied_after_failure;
    }
    batch.last_line_failed = line.rejected || line.absent || state_ != State::clean;
    state_ = State::clean;
}

void Window::note_failure(Batch const& batch, u32 index) {
    if (!account_.first_failure) account_.first_failure = place_of(batch, batch.lines[index]);
    if (options_.stop_at_failure) stopped_ = true;
}

void Window::tell(Batch const& batch, u32 index, Ending ending) {
    ++account_.lines[ending.outcome];
    auto const& line = batch.lines[index];
    ending.file = batch.file;
    ending.number = batch.first_number + line.number;
    ending.raw = batch.raw(line);
    ending.continued = line.continued;
    ending.origin = batch.origin(line);
    listener_.ended(ending);
}

void Window::tell_ignored(Batch const& batch, u32 index, int error, std::string_view object) {
    auto& all = account_.ignored;
    auto same = std::ranges::find_if(all, [&](auto const& one) { return one.error == error && one.object == object; });
    if (same == all.end()) same = all.insert(all.end(), {error, object, 0});
    ++same->lines;
    tell(batch, index, {.outcome = Outcome::ignored, .error = error, .object = object});
}

void Window::retire_front() {
    auto const& batch = *batches_.front();
    if (!batch.lines.empty()) {
        auto const& line = batch.lines.back();
        behind_ = place_of(batch, line);
        if (!line.goes_on || batch.last_line_failed) behind_.number = last_physical_line(batch, line) + 1;
    }
    settled_batches_.push_back(std::move(batches_.front()));
    batches_.pop_front();
    --send_batch_;
    front_line_ = front_message_ = front_rejection_ = front_absent_ = found_message_ = found_byte_ = 0;
}

Place Window::settled_to() const {
    if (unsent_) return *unsent_;
    if (batches_.empty() || front_line_ == batches_.front()->lines.size()) return behind_;
    return place_of(*batches_.front(), batches_.front()->lines[front_line_]);
}

void Window::stop() {
    stopped_ = halted_ = true;
    if (retry_ && !retry_->in_flight) give_up_retry();
    end_unsent();
}

/// After the stop, when all that was sent is settled: ends the other lines.
void Window::end_unsent() {
    if (retry_ || in_flight() > 0 || line_begun()) return;
    while (!batches_.empty()) {
        auto& batch = *batches_.front();
        if (!unsent_ && front_line_ < batch.lines.size()) unsent_ = place_of(batch, batch.lines[front_line_]);
        for (auto index = front_line_; index < batch.lines.size(); ++index)
            tell(batch, index, {.outcome = Outcome::unsent});
        batch.last_line_failed = true;
        send_batch_ = 1;
        retire_front();
        send_line_ = send_message_ = send_byte_ = 0;
    }
}

void Window::abandon() {
    halted_ = true;
    if (retry_in_flight()) {
        retry_->doubtful = true;
        retry_answered(nullptr, false);
    } else if (retry_) {
        give_up_retry();
    }
    doubtful_until_ = sent_;
    settle_through(sent_, false, doubtful_until_);
    stopped_ = true;
    if (line_begun()) {
        state_ = State::unknown;
        skip_rest_of_line();
    }
    end_unsent();
}

bool Window::settle_wanted() const {
    return std::ranges::any_of(batches_, [](auto const& batch) { return batch->settle || batch->last; });
}

std::unique_ptr<Batch> Window::take_settled() {
    if (settled_batches_.empty()) return {};
    auto batch = std::move(settled_batches_.front());
    settled_batches_.erase(settled_batches_.begin());
    batch->stopped = stopped_;
    return batch;
}

}  // namespace nlstream
