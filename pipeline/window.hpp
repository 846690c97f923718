// The requests that the kernel was handed and has not answered yet, and the lines they came from. No I/O.
#pragma once
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/outcome.hpp"

namespace nlstream {

/// Follows batches from being ready to being settled, message by message.
///
/// Messages are numbered through in the order of the lines, whether or not they are sent; the number, cut to 32 bits,
/// is the sequence number. The kernel answers in the order it was asked, so an answer settles every message before its
/// own: two positions in the line of batches, "sent" and "settled", are all there is to keep. Nothing is stored per
/// message, and a line that was applied costs a comparison.
///
/// After an overrun (ENOBUFS from recv: answers were dropped) what is in flight is doubtful: only an answer to the
/// very message tells what became of it, and the rest ends as unknown.
class Window {
  public:
    struct Options {
        u32 limit = 256;  ///< the most messages in flight; at least 1
        bool stop_at_failure = true;
        u32 first_sequence = 1;
    };

    /// `listener` must outlive the window.
    Window(Options options, Listener& listener) : options_(options), listener_(listener) {}

    /// Puts lines in line, behind those that were added before.
    void add(std::unique_ptr<Batch> batch);

    /// Messages that may be sent next, one behind the other in memory.
    struct Run {
        std::span<std::byte> bytes;
        u32 messages = 0;
    };
    /// The longest run within the limit, `messages` and `bytes` (but at least one message, if there is credit). Empty:
    /// nothing to send now.
    Run ready(u32 messages, std::size_t bytes);
    /// The sequence number for the first message of the run.
    u32 next_sequence() const { return sequence(sent_ + 1); }
    /// The run, or its beginning, was handed to the kernel. REQUIRES: it is what ready() returned last
    void sent(Run const& run);

    /// The sequence number of the message sent last: what a fence bears.
    u32 last_sequence() const { return sequence(sent_); }
    /// True when the message with this sequence number, or one sent after it, is in flight.
    bool in_flight(u32 sequence_number) const {
        return distance(sequence_number) <= in_flight() && distance(sequence_number) > 0;
    }

    // Answers. One that is for nothing in flight is passed over.
    void acknowledged(u32 sequence_number);
    void refused(Answer const& answer);
    /// A fence, which came behind the message with this number, was answered: all up to there have been dealt with.
    void fenced(u32 sequence_number);
    /// Answers were lost.
    void overrun() { doubtful_until_ = sent_; }
    bool doubtful() const { return settled_ < doubtful_until_; }
    /// No more answers can be had: what is in flight is unknown, the rest is not sent.
    void abandon();

    /// Sends no more, except the rest of a line that was begun.
    void stop();
    bool stopped() const { return stopped_; }

    u32 in_flight() const { return static_cast<u32>(sent_ - settled_); }
    u32 credit() const { return in_flight() >= options_.limit ? 0 : options_.limit - in_flight(); }
    /// True when something is to be sent, whether or not there is credit.
    bool has_ready();
    /// True when the encoder waits for something that was sent.
    bool settle_wanted() const;
    /// True when every line that was added has ended.
    bool empty() const { return batches_.empty(); }

    /// A batch whose lines have all ended; nothing if there is none.
    std::unique_ptr<Batch> take_settled();

    Account const& account() const { return account_; }

  private:
    enum class State : u8 { clean, unknown, failed };

    u32 sequence(u64 message) const { return static_cast<u32>(options_.first_sequence - 1 + message); }
    /// How far behind the settled ones the message with this sequence number is; counts round 2^32.
    u32 distance(u32 sequence_number) const { return sequence_number - sequence(settled_); }

    Batch& sending() const { return *batches_[send_batch_]; }
    bool line_begun() const;
    void pass_empty_lines();
    void skip_rest_of_line();
    void settle_through(u64 message, bool last_is_proven);
    void end_lines();
    void end_line(Batch& batch, u32 index);
    void tell(Batch const& batch, u32 index, Outcome outcome, Answer const* answer = nullptr);
    void note_failure(Batch const& batch, u32 index);
    void retire_front();
    void end_unsent();

    Options options_;
    Listener& listener_;
    std::deque<std::unique_ptr<Batch>> batches_;  ///< with a line that has not ended
    std::vector<std::unique_ptr<Batch>> settled_batches_;
    Account account_;

    u64 sent_ = 0;            ///< messages sent (or skipped) since the beginning
    u64 settled_ = 0;         ///< of these, answered
    u64 doubtful_until_ = 0;  ///< answers to messages up to this one may have been lost
    bool stopped_ = false;

    // Where sending stands.
    std::size_t send_batch_ = 0;
    u32 send_line_ = 0;     ///< the first line not wholly sent
    u32 send_message_ = 0;  ///< messages of the batch sent
    u32 send_byte_ = 0;
    // Where settling stands: in the first batch.
    u32 front_line_ = 0;
    u32 front_message_ = 0;
    u32 front_rejection_ = 0;
    State state_ = State::clean;  ///< of the line `front_line_`
};

}  // namespace nlstream
