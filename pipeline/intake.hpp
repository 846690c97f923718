// The first stages: files -> text -> lines -> requests, in batches.
#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/encode_stage.hpp"
#include "pipeline/input.hpp"

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

    /// `files`: paths, "-" for standard input. `before_encoding` is called each time something has been read. `files`,
    /// `stage`, `exchange` and `measures` must outlive the intake.
    Intake(boost::asio::any_io_executor executor, std::vector<std::string> const& files, EncodeStage& stage,
           BatchExchange& exchange, TakingMeasures& measures, std::function<void()> before_encoding);

    /// Reads all files; the last batch handed on is marked `last`. What kept a file from being read is in failure().
    boost::asio::awaitable<void> run();

    /// No more reads. From the executor's thread.
    void cancel();

    /// "FILE: REASON" when a file could not be read or the kernel not be asked, which ends the stream.
    std::string const& failure() const { return failure_; }

  private:
    boost::asio::awaitable<bool> read_file(std::string_view name);
    boost::asio::awaitable<bool> read_more(Batch& batch);
    EncodeStage::Step encode(std::size_t& position, bool at_end);

    boost::asio::any_io_executor executor_;
    std::vector<std::string> const& files_;
    EncodeStage& stage_;
    BatchExchange& exchange_;
    TakingMeasures& measures_;
    std::function<void()> before_encoding_;
    std::unique_ptr<Input> input_;
    std::unique_ptr<Batch> batch_;
    std::vector<char> tail_;  ///< text that was read and waits for the next batch
    u64 input_bytes_ = 0;     ///< done with, and not told by a batch yet
    std::string failure_;
    bool cancelled_ = false;
};

}  // namespace nlstream
