// What the sending side does next. No I/O.
#pragma once
#include <linux/netlink.h>

#include <optional>
#include <string>

#include "pipeline/ack_mode.hpp"
#include "pipeline/window.hpp"

namespace nlstream {

/// Decides what to send when, which messages ask for an acknowledgement, and what an error of the socket means. A
/// driver asks step(), does it, and tells what came of it:
///
///     send            send(message())             -> send_done(errno or 0)
///     receive         all datagrams that are there -> received(bytes) each, then receive_done(EAGAIN or errno)
///     wait_readable, wait_writable, pause         nothing to tell; pause: pause_ms()
///     input           the next batch, waiting for it -> input(batch)
///     poll_input      the same without waiting    -> input(batch or nullptr)
///     finished
///
/// The kernel carries out requests inside sendmsg and has put every answer into the receive buffer when that returns:
/// so answers are drained after each send, and waiting for the socket is the exception.
class Flow {
  public:
    struct Options {
        Window::Options window;
        u32 coalesce = 64;  ///< messages per send at the most; at least 1
        AckMode ack = AckMode::last;
        std::size_t max_send_bytes = 32 * 1024;  ///< of one send, but for a single message that is longer
    };
    enum class Step : u8 { send, receive, wait_readable, wait_writable, pause, input, poll_input, finished };

    /// `listener` must outlive the flow.
    Flow(Options options, Listener& listener) : options_(options), window_(options.window, listener) {}

    Step step();

    /// What to send. Only after step() said so.
    std::span<std::byte const> message() const { return message_; }
    void send_done(int error);
    void received(std::span<std::byte const> datagram);
    void receive_done(int error);
    u32 pause_ms() const { return wait_ms_; }
    void input(std::unique_ptr<Batch> batch);

    /// From now on, so many messages per send at the most; at least 1.
    void coalesce(u32 messages) { options_.coalesce = messages; }
    /// No more sends.
    void stop() { window_.stop(); }
    bool stopped() const { return window_.stopped(); }
    /// A batch to hand back; nothing if there is none.
    std::unique_ptr<Batch> take_settled() { return window_.take_settled(); }

    Account const& account() const { return window_.account(); }
    u32 in_flight() const { return window_.in_flight(); }
    /// Messages of what message() is.
    u32 being_sent() const { return run_.messages; }
    /// Whether the last send asked for an answer.
    bool answer_asked() const { return ack_asked_; }
    Place settled_to() const { return window_.settled_to(); }
    Place resume_at() const { return window_.resume_at(); }
    struct Counters {
        u64 sends = 0;
        u64 fences = 0;
        u64 answers = 0;
        u64 acks = 0;  ///< of these, acknowledgements
        u64 overruns = 0;
        u64 bytes = 0;
        u32 most_in_flight = 0;
    };
    Counters const& counters() const { return counters_; }
    /// What made the socket unusable; empty: nothing did.
    std::string const& failure() const { return failure_; }

  private:
    void prepare();
    void prepare_fence();
    void prepare_retry();
    bool pause_before_retry();
    bool answer_due() const { return ack_asked_ && ack_sequence_ == window_.last_sequence(); }
    bool settling_due() const;
    void refuse_too_long();
    void fail(char const* what, int error);

    Options options_;
    Window window_;
    Counters counters_;
    std::string failure_;

    // Between step() and send_done(): what is being sent.
    std::span<std::byte const> message_;
    Window::Run run_;  ///< empty: the fence
    bool is_retry_ = false;
    nlmsghdr fence_{};
    bool asks_ack_ = false;

    /// The message with this sequence number, when it was the last one, asked to be acknowledged.
    u32 ack_sequence_ = 0;
    bool ack_asked_ = false;
    bool drain_due_ = false;
    bool wait_writable_ = false;
    bool pause_due_ = false;
    bool polled_ = false;
    bool too_long_ = false;  ///< the message to be sent next does not fit the send buffer
    bool input_ended_ = false;
    u32 memory_pause_ms_ = 0;           ///< the last one for a kernel without memory
    std::optional<u32> retry_wait_ms_;  ///< what is left of the pause before the retry that is due
    u32 wait_ms_ = 0;                   ///< how long to pause now
};

}  // namespace nlstream
