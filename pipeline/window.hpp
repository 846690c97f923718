// The requests that the kernel was handed and has not answered yet, and the lines they came from. No I/O.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/expected.hpp"
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
///
/// A message that was refused only for now is tried again, alone: nothing behind it is sent before its line has ended.
/// Answers to what had been sent already are held back until then; of these, one that was refused is tried again, too,
/// once the line before it has succeeded, as it may have been refused for lack of that.
class Window {
  public:
    struct Options {
        u32 limit = 256;  ///< the most messages in flight; at least 1
        bool stop_at_failure = true;
        u32 first_sequence = 1;
        u32 retries = 0;         ///< how often a message is tried again that was refused for now (says_later())
        Expected expected = {};  ///< which refusals make no failure
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
    u32 last_sequence() const { return sequence(retry_in_flight() ? settled_ + 1 : sent_); }
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
    void overrun();
    bool doubtful() const { return retry_in_flight() ? retry_->doubtful : heard() < doubtful_until_; }
    /// No more answers can be had: what is in flight is unknown, the rest is not sent.
    void abandon();

    // Trying again.
    /// True while a message is being tried again, or waits for it.
    bool retrying() const { return retry_ != nullptr; }
    /// True when it is to be sent now, after a pause of retry_pause_ms(): all that had been sent has been answered.
    bool retry_due() const { return retry_ && !retry_->in_flight && in_flight() == 0; }
    /// Twice as long each time.
    u32 retry_pause_ms() const;
    /// The message, numbered as last_sequence() will be.
    Run retry();
    void retry_sent();

    /// Sends no more, except the rest of a line that was begun.
    void stop();
    bool stopped() const { return stopped_; }

    u32 in_flight() const { return retry_in_flight() ? 1 : static_cast<u32>(sent_ - heard()); }
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
    /// The first line that has not ended, or ended as unsent: all before it are done with. Without a file as long as
    /// there was no line.
    Place settled_to() const;
    /// The same, but the line that a stop is due to, if that was rejected: nothing of it or behind it was sent.
    Place resume_at() const { return rejected_ ? *rejected_ : settled_to(); }

  private:
    enum class State : u8 { clean, ignored, unknown, failed };

    /// An answer to a message behind the one that is tried again.
    struct Held {
        u64 message = 0;
        u64 doubtful_until = 0;  ///< as it was when the answer was heard
        bool proven = false;     ///< it is to the very message
        std::optional<Answer> refusal;
    };
    /// Message settled_ + 1 is tried again.
    struct Retry {
        Answer answer;  ///< the last one
        u32 attempts = 0;
        bool in_flight = false;
        bool doubtful = false;       ///< since it was sent the last time answers were lost
        bool for_its_order = false;  ///< it was refused while a line before it was tried again
        bool changed = false;  ///< since the answers held were given, a message before them was tried again and granted
        u64 heard = 0;         ///< messages up to this one have been answered
        std::deque<Held> held;
    };

    u32 sequence(u64 message) const { return static_cast<u32>(options_.first_sequence - 1 + message); }
    bool retry_in_flight() const { return retry_ && retry_->in_flight; }
    /// Messages up to this one have been answered, whether or not their lines have ended.
    u64 heard() const { return retry_ ? retry_->heard : settled_; }
    /// How far behind the answered ones the message with this sequence number is; counts round 2^32.
    u32 distance(u32 sequence_number) const {
        return sequence_number - sequence(retry_in_flight() ? settled_ : heard());
    }

    Batch& sending() const { return *batches_[send_batch_]; }
    bool line_begun() const;
    void pass_empty_lines();
    void skip_rest_of_line();
    void heard_through(u32 sequence_number, bool proven);
    void settle_through(u64 message, bool last_is_proven, u64 doubtful_until);
    void end_refused(u64 message, Answer const& answer, u64 doubtful_until);
    void end_lines();
    void end_line(Batch& batch, u32 index);
    void tell(Batch const& batch, u32 index, Ending ending);
    void tell_ignored(Batch const& batch, u32 index, int error, std::string_view object);
    void note_failure(Batch const& batch, u32 index);
    void retire_front();
    void end_unsent();
    std::span<std::byte> front_message();

    bool may_retry() const;
    void begin_retry(Answer const& answer, u64 heard);
    void hold(u64 message, bool proven, Answer const* refusal);
    void retry_answered(Answer const* refusal, bool proven);
    void give_up_retry();
    void release(bool granted);

    Options options_;
    Listener& listener_;
    std::deque<std::unique_ptr<Batch>> batches_;  ///< with a line that has not ended
    std::vector<std::unique_ptr<Batch>> settled_batches_;
    Account account_;

    u64 sent_ = 0;            ///< messages sent (or skipped) since the beginning
    u64 settled_ = 0;         ///< of these, answered, and not held back
    u64 doubtful_until_ = 0;  ///< answers to messages up to this one may have been lost
    bool stopped_ = false;
    bool halted_ = false;  ///< stopped from outside, or for good
    std::unique_ptr<Retry> retry_;

    // Where sending stands.
    std::size_t send_batch_ = 0;
    u32 send_line_ = 0;     ///< the first line not wholly sent
    u32 send_message_ = 0;  ///< messages of the batch sent
    u32 send_byte_ = 0;
    // Where settling stands: in the first batch.
    u32 front_line_ = 0;
    u32 front_message_ = 0;
    u32 front_rejection_ = 0;
    u32 front_absent_ = 0;
    State state_ = State::clean;  ///< of the line `front_line_`
    int ignored_error_ = 0;       ///< if it is ignored: why
    std::string_view ignored_object_;
    // The message that was looked up last, in the first batch: refusals come in order.
    u32 found_message_ = 0;
    u32 found_byte_ = 0;

    Place behind_;                   ///< behind the lines of the batch that was settled last
    std::optional<Place> unsent_;    ///< the first line that a stop left unsent
    std::optional<Place> rejected_;  ///< the rejected line that was a reason to stop
};

}  // namespace nlstream
