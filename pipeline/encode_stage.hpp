// Text -> requests, a batch at a time. No I/O but what the encoder's Kernel does.
#pragma once
#include <string>

#include "netlink/encoder.hpp"
#include "pipeline/second_look.hpp"
#include "pipeline/splitter.hpp"
#include "pipeline/stage.hpp"

namespace nlstream {

/// Encodes the lines of batches, one batch after the other, and is the only place that catches what encoding throws.
class EncodeStage : public Stage {
  public:
    struct Options {
        bool stop_at_rejection = true;  ///< see Step::rejected
        /// Tells which lines delete something of a link that does not exist, which then is no reason to reject them;
        /// nullptr: it is. Must outlive the stage.
        SecondLook* absences = nullptr;
    };

    /// `encoder` must outlive the stage.
    EncodeStage(Encoder& encoder, Options options) : encoder_(encoder), options_(options) {}

    void start_file(u64 from_line) override;
    void end_file() const override;
    Step encode(Batch& batch, std::size_t& position, bool at_end) override;
    void settled(bool last_line_failed) override;
    void give_up() override { given_up_ = true; }

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
