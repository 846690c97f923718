#include "fake_kernel.hpp"

#include <linux/rtnetlink.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "netlink/received.hpp"

namespace nlstream::test {

BatchLine& Lines::add(u32 messages, u16 type, u16 flags) {
    if (batches_.empty()) next_batch();
    auto& batch = *batches_.back();
    auto const index = static_cast<u32>(batch.lines.size());
    ++number_;
    if (index == 0) batch.first_number = number_;
    for (u32 part = 0; part < messages; ++part) {
        batch.messages.begin(type, static_cast<u16>(NLM_F_REQUEST | NLM_F_ACK | flags));
        batch.messages.fixed_header<Request>() = {number_, part};
        batch.messages.end();
    }
    batch.message_count += messages;
    auto const text = "line " + std::to_string(number_) + '\n';
    auto const begin = static_cast<u32>(batch.text.size());
    batch.text.insert(batch.text.end(), text.begin(), text.end());
    batch.lines.push_back({.begin = begin,
                           .end = begin + static_cast<u32>(text.size()) - 1,
                           .number = number_ - static_cast<u32>(batch.first_number),
                           .messages_end = batch.message_count});
    return batch.lines.back();
}

Lines& Lines::line(u32 messages) {
    add(messages, RTM_NEWNEIGH, 0);
    return *this;
}

Lines& Lines::adds(u32 messages) {
    add(messages, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL);
    return *this;
}

Lines& Lines::deletes(u32 messages) {
    add(messages, RTM_DELROUTE, 0);
    return *this;
}

Lines& Lines::absent() {
    add(0, 0, 0).absent = true;
    batches_.back()->absent_objects.emplace_back("link");
    return *this;
}

Lines& Lines::given_up() {
    add(0, 0, 0);
    batches_.back()->given_up = true;
    return *this;
}

Lines& Lines::rejected() {
    add(0, 0, 0).rejected = true;
    auto& batch = *batches_.back();
    batch.rejections.push_back(
        {static_cast<u32>(batch.lines.size() - 1), "line", {"wrong " + std::to_string(number_), {}, {}, {}}});
    return *this;
}

Lines& Lines::flush(u32 messages) {
    add(messages, RTM_DELROUTE, 0).absence_is_success = true;
    return *this;
}

Lines& Lines::part(u32 messages) {
    add(messages, RTM_NEWNEIGH, 0).goes_on = true;
    return *this;
}

Lines& Lines::next_batch() {
    batches_.push_back(std::make_unique<Batch>());
    batches_.back()->file = file_;
    return *this;
}

std::deque<std::unique_ptr<Batch>> Lines::take() {
    if (batches_.empty()) next_batch();
    batches_.back()->last = true;
    return std::move(batches_);
}

void FakeKernel::answer(nlmsghdr const& request, int error) {
    struct {
        nlmsghdr head;
        nlmsgerr error;
    } const message{{sizeof(nlmsghdr) + sizeof(nlmsgerr), NLMSG_ERROR, NLM_F_CAPPED, request.nlmsg_seq, 0},
                    {-error, request}};
    auto const bytes = std::as_bytes(std::span(&message, 1));
    std::vector<std::byte> answer(bytes.begin(), bytes.end());
    if (late)
        pending_.push_back(std::move(answer));
    else
        deliver(std::move(answer));
}

void FakeKernel::deliver(std::vector<std::byte> answer) {
    if (congested_ || answers_.size() >= capacity) {
        overrun_ = overrun_ || !congested_;
        congested_ = true;
        ++answers_lost;
        return;
    }
    answers_.push_back(std::move(answer));
    most_waiting = std::max(most_waiting, answers_.size());
}

int FakeKernel::send(std::span<std::byte const> bytes) {
    if (auto const fault = send_fault()) return fault;
    if (bytes.size() > max_send) return EMSGSIZE;
    u32 messages = 0;
    for_each_message(bytes, [&](nlmsghdr const& message) {
        bool const ack = message.nlmsg_flags & NLM_F_ACK;
        acks_asked += ack;
        if (message.nlmsg_type == NLMSG_NOOP) {
            ++fences;
            if (ack) answer(message, 0);
            return;
        }
        ++messages;
        Request request;
        std::memcpy(&request, body_of<Request>(message), sizeof request);
        ++attempts[request];
        auto const error = answer_to(request);
        if (error == 0) {
            applied.push_back(request);
            refused.erase(request);
        } else {
            refused[request] = error;
        }
        if (error != 0 || ack) answer(message, error);
    });
    messages_per_send.push_back(messages);
    return 0;
}

int FakeKernel::receive(std::function<void(std::span<std::byte const>)> const& each) {
    if (auto const fault = receive_fault()) return fault;
    if (std::exchange(overrun_, false)) {
        congested_ = congested_ && !answers_.empty();
        return ENOBUFS;
    }
    while (!answers_.empty()) {
        auto const bytes = std::move(answers_.front());
        answers_.pop_front();
        if (answers_.empty()) congested_ = false;
        each(bytes);
    }
    return EAGAIN;
}

void FakeKernel::wait() {
    ++waits;
    for (auto& answer : pending_) deliver(std::move(answer));
    pending_.clear();
    if (answers_.empty() && !overrun_) throw std::runtime_error("waits for an answer that will never come");
}

Run drive(Flow& flow, FakeKernel& kernel, std::deque<std::unique_ptr<Batch>> input,
          std::function<bool()> const& arrives, std::function<void(u32 step)> const& before_step) {
    Run run;
    auto const next = [&] {
        if (input.empty()) throw std::runtime_error("asks for a batch after the last one");
        auto batch = std::move(input.front());
        input.pop_front();
        ++run.inputs;
        return batch;
    };
    for (;;) {
        before_step(run.steps);
        auto const step = flow.step();
        if (++run.steps > 1'000'000) throw std::runtime_error("comes to no end");
        switch (step) {
            case Flow::Step::send: flow.send_done(kernel.send(flow.message())); break;
            case Flow::Step::receive:
                flow.receive_done(kernel.receive([&](auto bytes) { flow.received(bytes); }));
                break;
            case Flow::Step::wait_readable: kernel.wait(); break;
            case Flow::Step::wait_writable: break;
            case Flow::Step::pause: run.paused_ms += flow.pause_ms(); break;
            case Flow::Step::input: flow.input(next()); break;
            case Flow::Step::poll_input: flow.input(!input.empty() && arrives() ? next() : nullptr); break;
            case Flow::Step::finished: break;
        }
        while (auto batch = flow.take_settled()) run.settled.push_back(std::move(batch));
        if (step == Flow::Step::finished) return run;
    }
}

}  // namespace nlstream::test
