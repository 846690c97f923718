// A kernel that is one function from request to errno, behind a socket that misbehaves as told; and a driver that does
// what a Flow says, against it.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "pipeline/flow.hpp"

namespace nlstream::test {

/// A request that names its line and its place in it.
struct Request {
    u32 line = 0;
    u32 part = 0;
    friend auto operator<=>(Request const&, Request const&) = default;
};

/// Lines of a stream in the making: numbers count from 1.
class Lines {
  public:
    explicit Lines(std::string_view file = "rules") : file_(file) {}
    /// A line of `messages` messages, which change something.
    Lines& line(u32 messages = 1);
    /// The same, but they add or delete something.
    Lines& adds(u32 messages = 1);
    Lines& deletes(u32 messages = 1);
    /// A line without messages that would have deleted something of a missing link.
    Lines& absent();
    /// A line that was read after a stop; `next_batch()` has to be called before the first one.
    Lines& given_up();
    Lines& rejected();
    /// A line whose messages fail with "no such thing" in vain.
    Lines& flush(u32 messages = 1);
    /// A part of a line that goes on in the next one that is added.
    Lines& part(u32 messages = 1);
    /// Starts another batch.
    Lines& next_batch();
    /// The lines so far, the last batch marked as such.
    std::deque<std::unique_ptr<Batch>> take();
    u32 count() const { return number_; }

  private:
    BatchLine& add(u32 messages, u16 type, u16 flags);
    std::string_view file_;
    std::deque<std::unique_ptr<Batch>> batches_;
    u32 number_ = 0;
};

/// Runs requests inside send(), as the kernel does, and keeps the answers until they are received.
class FakeKernel {
  public:
    /// The errno that a request gets; 0: applied.
    std::function<int(Request)> answer_to = [](Request) { return 0; };
    /// What the next send, or receive, fails with before it does anything; 0: nothing.
    std::function<int()> send_fault = [] { return 0; };
    std::function<int()> receive_fault = [] { return 0; };
    /// How many answers the receive buffer holds. One more is dropped, and so are all after it until the buffer is
    /// empty.
    std::size_t capacity = 1'000'000;
    /// Answers reach the receive buffer only when one waits for them.
    bool late = false;
    /// The longest message that can be sent, in bytes.
    std::size_t max_send = 1'000'000;

    int send(std::span<std::byte const> bytes);
    /// All that can be received now; EAGAIN in the end, or another errno.
    int receive(std::function<void(std::span<std::byte const>)> const& each);
    void wait();

    std::vector<Request> applied;
    std::map<Request, int> refused;  ///< the last answer, unless it was applied in the end
    std::map<Request, u32> attempts;
    u32 answers_lost = 0;
    std::vector<u32> messages_per_send;  ///< fences count as 0
    u32 acks_asked = 0;
    u32 fences = 0;
    u32 waits = 0;
    std::size_t most_waiting = 0;  ///< answers in the buffer

  private:
    void answer(nlmsghdr const& request, int error);
    void deliver(std::vector<std::byte> answer);

    std::deque<std::vector<std::byte>> pending_;  ///< that come late
    std::deque<std::vector<std::byte>> answers_;
    bool congested_ = false;
    bool overrun_ = false;
};

/// Keeps what it hears.
struct Endings : Listener {
    struct Ended {
        u64 number;
        Outcome outcome;
        int error = 0;
        u32 message = 0;
        friend bool operator==(Ended const&, Ended const&) = default;
        friend std::ostream& operator<<(std::ostream& out, Ended const& e) {
            return out << "line " << e.number << ": outcome " << static_cast<int>(e.outcome) << ", error " << e.error
                       << ", message " << e.message;
        }
    };
    std::vector<Ended> all;
    void ended(Ending const& ending) override {
        all.push_back({ending.number, ending.outcome, ending.error, ending.message});
    }
};

struct Run {
    std::vector<std::unique_ptr<Batch>> settled;
    u32 inputs = 0;
    u32 steps = 0;
    u32 paused_ms = 0;
};

/// Does what `flow` says until it is finished. `arrives`: whether a batch is there when it is asked for without
/// waiting. `before_step` is called before each step. Throws when the flow does not come to an end.
Run drive(
    Flow& flow, FakeKernel& kernel, std::deque<std::unique_ptr<Batch>> input,
    std::function<bool()> const& arrives = [] { return true; },
    std::function<void(u32 step)> const& before_step = [](u32) {});

}  // namespace nlstream::test
