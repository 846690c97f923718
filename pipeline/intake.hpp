// The first stages: files -> text -> lines -> requests, in batches.
#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/input.hpp"
#include "pipeline/stage.hpp"

namespace nlstream {

/// Where full batches go and empty ones come from.
class BatchExchange {
  public:
    using Awaited = boost::asio::awaitable<std::unique_ptr<Batch>>;

    virtual ~BatchExchange() = default;
    /// A batch without lines; `stopped` is set when no more are wanted.
    virtual Awaited take() = 0;
    /// Hands a batch on.
    virtual boost::asio::awaitable<void> give(std::unique_ptr<Batch> batch) = 0;
    /// Hands a batch on, and returns it when all its lines are settled, its lines not yet forgotten.
    virtual Awaited give_and_wait(std::unique_ptr<Batch> batch) = 0;
};

/// Reads files one after the other and hands on their lines.
class Intake {
  public:
    /// Bytes asked for with one read.
    static constexpr std::size_t read_size = 64 * 1024;

    struct Options {
        u64 from_line = 1;  ///< where to start in the first file
        bool rest_too =
            false;  ///< after a stop hand on the lines that follow, too, as far as they are in regular files
        std::function<void()> before_encoding = [] {};  ///< called each time something has been read
    };

    /// `files`: paths, "-" for standard input. `files`, `stage`, `exchange` and `measures` must outlive the intake.
    Intake(boost::asio::any_io_executor executor, std::vector<std::string> const& files, Stage& stage,
           BatchExchange& exchange, TakingMeasures& measures, Options options);

    /// Reads all files; the last batch handed on is marked `last`. What kept a file from being read is in failure().
    /// After a stop (a batch comes back `stopped`, a line is rejected, cancel()) nothing more is encoded: what has been
    /// read already is handed on, and see Options::rest_too.
    boost::asio::awaitable<void> run();

    /// No more waiting for input. From the executor's thread.
    void cancel();

    /// "FILE: REASON" when a file could not be read or the kernel not be asked, which ends the stream.
    std::string const& failure() const { return failure_; }

  private:
    boost::asio::awaitable<bool> read_file(std::string_view name, u64 from_line);
    boost::asio::awaitable<bool> read_more(Batch& batch);
    void stop();
    bool reads_on() const;
    Stage::Step encode(std::size_t& position, bool at_end);

    boost::asio::any_io_executor executor_;
    std::vector<std::string> const& files_;
    Stage& stage_;
    BatchExchange& exchange_;
    TakingMeasures& measures_;
    Options options_;
    std::unique_ptr<Input> input_;
    std::unique_ptr<Batch> batch_;
    std::vector<char> tail_;  ///< text that was read and waits for the next batch
    u64 input_bytes_ = 0;     ///< done with, and not told by a batch yet
    std::string failure_;
    bool cancelled_ = false;
    bool stopped_ = false;
};

}  // namespace nlstream
