// Text -> requests, a batch at a time. No I/O but what the encoder's Kernel does.
#pragma once
#include "netlink/encoder.hpp"
#include "pipeline/batch.hpp"
#include "pipeline/splitter.hpp"

namespace nlstream {

/// Encodes the lines of batches, one batch after the other, and is the only place that catches what encoding throws.
class EncodeStage {
  public:
    enum class Step : u8 {
        out_of_text,  ///< every whole line of the batch is done: hand it on, read more
        full,         ///< the batch holds enough: hand it on, show the rest of the text in another one
        barrier,   ///< hand the batch on, wait until all is settled, forget its lines, call settled() and go on in the
                   ///< same batch
        rejected,  ///< the last line was refused and nothing after it shall be encoded
    };

    /// Requests of one batch, in bytes, from which on it is full.
    static constexpr u32 enough = 256 * 1024;

    /// `encoder` must outlive the stage. `stop_at_rejection`: see Step::rejected.
    EncodeStage(Encoder& encoder, bool stop_at_rejection) : encoder_(encoder), stop_at_rejection_(stop_at_rejection) {}

    /// Starts another file: lines count from 1 again.
    void start_file() { splitter_ = Splitter(); }

    /// Encodes the lines of `batch.text` from `position` on, which is moved behind them. `at_end`: the file ends with
    /// this text. Throws what is no matter of one line: std::bad_alloc, std::system_error of a question to the kernel.
    Step encode(Batch& batch, std::size_t& position, bool at_end);

    /// Everything handed on so far has been answered. `last_line_failed`: the last line of the batch did not succeed,
    /// so that no further part of it may follow.
    void settled(bool last_line_failed);

  private:
    enum class Pending : u8 { none, again, next_part };

    Step encode_line(Batch& batch);
    void add(Batch& batch, Encoded& encoded) const;
    Step reject(Batch& batch, Diagnostic why) const;

    Encoder& encoder_;
    bool stop_at_rejection_;
    Splitter splitter_;
    LogicalLine line_;  ///< the line being encoded; across a barrier its views stay good, as batch and splitter rest
    char const* text_ = nullptr;
    std::size_t consumed_ = 0;
    Pending pending_ = Pending::none;
    bool just_settled_ = false;
};

}  // namespace nlstream
