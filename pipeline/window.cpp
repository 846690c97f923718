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

bool says_absent(int error) { return error == ENOENT || error == ESRCH || error == ENODEV || error == EADDRNOTAVAIL; }

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
    if (send_batch_ == batches_.size()) return false;
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
    account_.last_sent = Place{batch.file, batch.first_number + line.number};
    account_.resume_at = last_physical_line(batch, line) + 1;
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
    if (nothing_in_flight) settle_through(sent_, true);
}

void Window::acknowledged(u32 sequence_number) {
    if (!in_flight(sequence_number)) return;
    settle_through(settled_ + distance(sequence_number), true);
    if (stopped_) end_unsent();
}

void Window::fenced(u32 sequence_number) {
    if (!in_flight(sequence_number)) return;
    settle_through(settled_ + distance(sequence_number), false);
    if (stopped_) end_unsent();
}

void Window::refused(Answer const& answer) {
    if (!in_flight(answer.sequence)) return;
    auto const message = settled_ + distance(answer.sequence);
    settle_through(message - 1, false);
    auto& batch = *batches_.front();
    auto const& line = batch.lines[front_line_];
    if (state_ != State::failed && !(line.absence_is_success && says_absent(answer.error))) {
        state_ = State::failed;
        note_failure(batch, front_line_);
        tell(batch, front_line_, Outcome::failed, &answer);
    }
    bool const rest_is_vain = state_ == State::failed && send_batch_ == 0 && send_line_ == front_line_ && line_begun();
    settle_through(message, true);
    if (rest_is_vain) skip_rest_of_line();
    if (stopped_) end_unsent();
}

void Window::settle_through(u64 message, bool last_is_proven) {
    while (settled_ < message) {
        auto const in_front = batches_.front()->message_count - front_message_;
        u64 step = std::min<u64>(message - settled_, in_front);
        if (doubtful()) {
            step = 1;
            bool const proven = last_is_proven && settled_ + 1 == message;
            if (!proven && state_ == State::clean) state_ = State::unknown;
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
        tell(batch, index, Outcome::rejected);
        ++front_rejection_;
    } else if (state_ == State::unknown) {
        note_failure(batch, index);
        tell(batch, index, Outcome::unknown);
    } else if (state_ == State::clean && !line.goes_on) {
        ++account_.lines[Outcome::applied];
        if (account_.first_failure) ++account_.applied_after_failure;
    }
    batch.last_line_failed = line.rejected || state_ != State::clean;
    state_ = State::clean;
}

void Window::note_failure(Batch const& batch, u32 index) {
    if (!account_.first_failure)
        account_.first_failure = Place{batch.file, batch.first_number + batch.lines[index].number};
    if (options_.stop_at_failure) stopped_ = true;
}

void Window::tell(Batch const& batch, u32 index, Outcome outcome, Answer const* answer) {
    ++account_.lines[outcome];
    auto const& line = batch.lines[index];
    auto const line_start = index == 0 ? 0 : batch.lines[index - 1].messages_end;
    listener_.ended({
        .outcome = outcome,
        .file = batch.file,
        .number = batch.first_number + line.number,
        .raw = batch.raw(line),
        .continued = line.continued,
        .message = answer ? front_message_ - line_start : 0,
        .answer = answer,
        .rejection = outcome == Outcome::rejected ? &batch.rejections[front_rejection_] : nullptr,
    });
}

void Window::retire_front() {
    settled_batches_.push_back(std::move(batches_.front()));
    batches_.pop_front();
    --send_batch_;
    front_line_ = front_message_ = front_rejection_ = 0;
}

void Window::stop() {
    stopped_ = true;
    end_unsent();
}

/// After the stop, when all that was sent is settled: ends the other lines.
void Window::end_unsent() {
    if (in_flight() > 0 || line_begun()) return;
    while (!batches_.empty()) {
        auto& batch = *batches_.front();
        for (auto index = front_line_; index < batch.lines.size(); ++index) tell(batch, index, Outcome::unsent);
        batch.last_line_failed = true;
        send_batch_ = 1;
        retire_front();
        send_line_ = send_message_ = send_byte_ = 0;
    }
}

void Window::abandon() {
    overrun();
    settle_through(sent_, false);
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
