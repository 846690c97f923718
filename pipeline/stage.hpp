// What the intake does with the bytes that it reads: they become requests, a batch at a time.
#pragma once
#include <cstddef>
#include <stdexcept>

#include "pipeline/batch.hpp"

namespace nlstream {

/// A file cannot be read as what it should be; what() is one sentence.
struct BadFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A file cannot be started at the line that was asked for.
struct NoSuchLine : BadFile {
    using BadFile::BadFile;
};

class Stage {
  public:
    enum class Step : u8 {
        out_of_text,  ///< every whole line of the batch is done: hand it on, read more
        full,         ///< the batch holds enough: hand it on, show the rest of the text in another one
        barrier,   ///< hand the batch on, wait until all is settled, forget its lines, call settled() and go on in the
                   ///< same batch
        rejected,  ///< the last line was refused and nothing after it shall be sent: hand it on, call give_up()
    };

    /// Requests of one batch, in bytes, from which on it is full.
    static constexpr u32 enough = 256 * 1024;

    virtual ~Stage() = default;

    /// Starts another file: lines count from 1 again. Lines before physical line `from_line` are passed over.
    virtual void start_file(u64 from_line) = 0;
    /// The file has ended. Throws NoSuchLine if it ended before the line it was to be started at.
    virtual void end_file() const = 0;

    /// Makes requests of the lines of `batch.text` from `position` on, which is moved behind them. `at_end`: the file
    /// ends with this text. Throws what is no matter of one line: BadFile, std::bad_alloc, std::system_error of a
    /// question to the kernel.
    virtual Step encode(Batch& batch, std::size_t& position, bool at_end) = 0;

    /// Everything handed on so far has been answered. `last_line_failed`: the last line of the batch did not succeed,
    /// so that no further part of it may follow.
    virtual void settled(bool last_line_failed) = 0;

    /// Nothing more will be sent: from now on lines are found, but not encoded, and batches are marked `given_up`.
    virtual void give_up() = 0;
};

}  // namespace nlstream
