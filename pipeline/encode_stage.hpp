// Text -> requests, a batch at a time. No I/O but what the encoder's Kernel does.
#pragma once
#include <stdexcept>
#include <string>

#include "netlink/encoder.hpp"
#include "pipeline/batch.hpp"
#include "pipeline/second_look.hpp"
#include "pipeline/splitter.hpp"

namespace nlstream {

/// A file cannot be started at the line that was asked for; what() is one sentence.
struct NoSuchLine : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Encodes the lines of batches, one batch after the other, and is the only place that catches what encoding throws.
class EncodeStage {
  public:
    enum class Step : u8 {
        out_of_text,  ///< every whole line of the batch is done: hand it on, read more
        full,         ///< the batch holds enough: hand it on, show the rest of the text in another one
        barrier,   ///< hand the batch on, wait until all is settled, forget its lines, call settled() and go on in the
                   ///< same batch
        rejected,  ///< the last line was refused and nothing after it shall be sent: hand it on, call give_up()
    };
    struct Options {
        bool stop_at_rejection = true;  ///< see Step::rejected
        /// Tells which lines delete something of a link that does not exist, which then is no reason to reject them;
        /// nullptr: it is. Must outlive the stage.
        SecondLook* absences = nullptr;
    };

    /// Requests of one batch, in bytes, from which on it is full.
    static constexpr u32 enough = 256 * 1024;

    /// `encoder` must outlive the stage.
    EncodeStage(Encoder& encoder, Options options) : encoder_(encoder), options_(options) {}

    /// Starts another file: lines count from 1 again. Lines before physical line `from_line` are passed over.
    void start_file(u64 from_line = 1);
    /// The file has ended. Throws NoSuchLine if it ended before the line it was to be started at.
    void end_file() const;

    /// Encodes the lines of `batch.text` from `position` on, which is moved behind them. `at_end`: the file ends with
    /// this text. Throws what is no matter of one line: std::bad_alloc, std::system_error of a question to the kernel,
    /// NoSuchLine.
    Step encode(Batch& batch, std::size_t& position, bool at_end);

    /// Everything handed on so far has been answered. `last_line_failed`: the last line of the batch did not succeed,
    /// so that no further part of it may follow.
    void settled(bool last_line_failed);

    /// Nothing more will be sent: from now on lines are found, but not encoded, and batches are marked `given_up`.
    void give_up() { given_up_ = true; }

  private:
    enum class Pending : u8 { none, again, next_part };

    void begin(Batch& batch) const;
    void note_marker(Batch& batch);
    bool passes_over() const;
    BatchLine entry(Batch const& batch) const;
    Step encode_line(Batch& batch);
    void add(Batch& batch, Encoded& encoded) const;
    Step reject(Batch& batch, Diagnostic why) const;
    bool add_absent(Batch& batch, Diagnostic const& why) const;

    Encoder& encoder_;
    Options options_;
    Splitter splitter_;
    LogicalLine line_;  ///< the line being encoded; across a barrier its views stay good, as batch and splitter rest
    char const* text_ = nullptr;
    std::size_t consumed_ = 0;
    Pending pending_ = Pending::none;
    bool just_settled_ = false;
    bool given_up_ = false;
    u64 from_line_ = 1;

    // The last line marker of the file.
    u64 marker_number_ = 0;  ///< its own line
    u64 marked_line_ = 0;
    std::string marked_file_;  ///< empty: there was none
};

}  // namespace nlstream
