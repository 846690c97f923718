#include "pipeline/flow.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "netlink/received.hpp"

namespace nlstream {
namespace {

/// The last pause for a kernel without memory; each is twice the one before.
constexpr u32 longest_pause_ms = 512;

/// How long a pause before a retry goes on until a driver is asked again whether to stop.
constexpr u32 slice_ms = 50;

}  // namespace

Flow::Step Flow::step() {
    if (drain_due_) return Step::receive;
    if (std::exchange(pause_due_, false)) return Step::pause;
    if (std::exchange(wait_writable_, false)) return Step::wait_writable;
    if (window_.retry_due()) {
        if (pause_before_retry()) return Step::pause;
        prepare_retry();
        return Step::send;
    }
    retry_wait_ms_.reset();
    if (too_long_ && window_.in_flight() == 0) refuse_too_long();

    // While answers may have been lost nothing is sent on top of what is doubtful.
    bool const may_send = !window_.doubtful() && !too_long_;
    if (may_send && window_.credit() > 0 && window_.has_ready()) {
        prepare();
        return Step::send;
    }
    if (window_.in_flight() == 0) return input_ended_ ? Step::finished : Step::input;
    if (!answer_due()) {
        if (!settling_due()) return Step::input;
        prepare_fence();
        return Step::send;
    }
    // Answers are late. Let others be sent meanwhile, if there are any.
    if (may_send && window_.credit() > 0 && !input_ended_ && !std::exchange(polled_, true)) return Step::poll_input;
    polled_ = false;
    drain_due_ = true;
    return Step::wait_readable;
}

/// True when what is in flight has to be settled although it has not asked for an acknowledgement.
bool Flow::settling_due() const {
    return window_.credit() == 0 || window_.retrying() || window_.doubtful() || window_.stopped() ||
           window_.settle_wanted() || too_long_ || input_ended_;
}

void Flow::prepare() {
    run_ = window_.ready(options_.coalesce, options_.max_send_bytes);
    bool const ack_last = options_.ack != AckMode::none || run_.messages == window_.credit();
    auto sequence = window_.next_sequence();
    auto rest = run_.bytes;
    for (u32 i = 1; i <= run_.messages; ++i) {
        auto& head = *reinterpret_cast<nlmsghdr*>(rest.data());
        head.nlmsg_seq = sequence++;
        bool const ack = options_.ack == AckMode::each || (ack_last && i == run_.messages);
        head.nlmsg_flags = static_cast<u16>(ack ? head.nlmsg_flags | NLM_F_ACK : head.nlmsg_flags & ~NLM_F_ACK);
        rest = rest.subspan(netlink_padded(head.nlmsg_len));
    }
    asks_ack_ = ack_last;
    is_retry_ = false;
    message_ = run_.bytes;
}

/// True while the pause goes on.
bool Flow::pause_before_retry() {
    if (!retry_wait_ms_) retry_wait_ms_ = window_.retry_pause_ms();
    wait_ms_ = std::min(*retry_wait_ms_, slice_ms);
    *retry_wait_ms_ -= wait_ms_;
    return wait_ms_ > 0;
}

void Flow::prepare_retry() {
    run_ = window_.retry();
    auto& head = *reinterpret_cast<nlmsghdr*>(run_.bytes.data());
    head.nlmsg_flags |= NLM_F_ACK;
    asks_ack_ = is_retry_ = true;
    message_ = run_.bytes;
}

/// A message that does nothing, bears the number of the last one and is acknowledged behind it
/// (net/netlink/af_netlink.c, netlink_rcv_skb(): control messages skip the handler).
void Flow::prepare_fence() {
    run_ = {};
    is_retry_ = false;
    fence_ = {.nlmsg_len = sizeof fence_,
              .nlmsg_type = NLMSG_NOOP,
              .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
              .nlmsg_seq = window_.last_sequence(),
              .nlmsg_pid = 0};
    asks_ack_ = true;
    message_ = std::as_bytes(std::span(&fence_, 1));
}

void Flow::send_done(int error) {
    switch (error) {
        case 0: break;
        case EINTR: return;
        case EAGAIN: wait_writable_ = drain_due_ = true; return;
        case ENOBUFS:
        case ENOMEM:
            wait_ms_ = memory_pause_ms_ = std::max(1u, 2 * memory_pause_ms_);
            pause_due_ = drain_due_ = true;
            if (memory_pause_ms_ > longest_pause_ms) fail("the kernel takes no more requests", error);
            return;
        case EMSGSIZE:
            if (is_retry_) return fail("cannot send once more what had been sent", error);
            if (run_.messages > 1)
                options_.max_send_bytes = run_.bytes.size() / 2;
            else
                too_long_ = true;
            return;
        default: return fail("cannot send to the kernel", error);
    }
    if (is_retry_)
        window_.retry_sent();
    else if (run_.messages > 0)
        window_.sent(run_);
    else
        ++counters_.fences;
    ++counters_.sends;
    counters_.bytes += message_.size();
    counters_.most_in_flight = std::max(counters_.most_in_flight, window_.in_flight());
    ack_sequence_ = window_.last_sequence();
    ack_asked_ = asks_ack_;
    drain_due_ = true;
    polled_ = false;
    memory_pause_ms_ = 0;
    retry_wait_ms_.reset();
}

/// The next message can never be sent: its line has failed as if the kernel had said so, in its place in the order.
void Flow::refuse_too_long() {
    too_long_ = false;
    run_ = window_.ready(1, 0);
    if (run_.messages == 0) return;
    Answer answer;
    answer.sequence = window_.next_sequence();
    answer.error = EMSGSIZE;
    answer.request_length = static_cast<u32>(run_.bytes.size());
    window_.sent(run_);
    window_.refused(answer);
}

void Flow::received(std::span<std::byte const> datagram) {
    for_each_message(datagram, [&](nlmsghdr const& message) {
        auto const* body = message.nlmsg_type == NLMSG_ERROR ? body_of<nlmsgerr>(message) : nullptr;
        if (!body) return;
        ++counters_.answers;
        counters_.acks += body->error == 0;
        if (body->error != 0) {
            if (auto const answer = read_answer(message)) window_.refused(*answer);
        } else if (body->msg.nlmsg_type == NLMSG_NOOP) {
            window_.fenced(message.nlmsg_seq);
        } else {
            window_.acknowledged(message.nlmsg_seq);
        }
    });
}

void Flow::receive_done(int error) {
    drain_due_ = false;
    switch (error) {
        case 0:
        case EAGAIN: return;
        case EINTR: drain_due_ = true; return;
        case ENOBUFS:
            ++counters_.overruns;
            window_.overrun();
            // An acknowledgement that was asked for may be among what was dropped.
            ack_asked_ = false;
            drain_due_ = true;
            return;
        default: fail("cannot hear the kernel's answers", error);
    }
}

void Flow::input(std::unique_ptr<Batch> batch) {
    if (!batch) return;
    input_ended_ = batch->last;
    polled_ = false;
    window_.add(std::move(batch));
}

void Flow::fail(char const* what, int error) {
    failure_ = std::string(what) + ": " + std::strerror(error);
    drain_due_ = wait_writable_ = pause_due_ = too_long_ = false;
    window_.abandon();
}

}  // namespace nlstream
