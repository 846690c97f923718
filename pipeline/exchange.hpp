// The way of batches between the two threads.
#pragma once
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>

#include "pipeline/intake.hpp"

namespace nlstream {

using BatchChannel =
    boost::asio::experimental::concurrent_channel<void(boost::system::error_code, std::unique_ptr<Batch>)>;

/// A fixed number of batches that go to the sender through one channel and come back through another, so that memory is
/// bounded and its pages stay warm. Neither channel can overflow, as each has room for all batches. The end travels in
/// the last batch: closing a channel would drop what is in it.
class CirculatingBatches : public BatchExchange {
  public:
    /// One that is being sent, one that waits, one that is being filled, and one against hiccups.
    static constexpr std::size_t batches = 4;

    /// `taker`: where batches are filled; `sender`: where they are sent. `measures` must outlive it.
    CirculatingBatches(boost::asio::io_context& taker, boost::asio::io_context& sender, TakingMeasures& measures)
        : filled_(sender, batches), settled_(taker, batches), measures_(measures) {}

    Awaited take() override;
    boost::asio::awaitable<void> give(std::unique_ptr<Batch> batch) override;
    Awaited give_and_wait(std::unique_ptr<Batch> batch) override;

    /// True once there was so much to read at a time that lines came faster than they were sent. For the taker's side.
    bool plenty() const { return plenty_; }

    // The sender's side.
    BatchChannel& filled() { return filled_; }
    /// A settled batch goes back together with the next one, or with hand_back_all(): waking the taker costs as much as
    /// a hundred requests.
    void hand_back(std::unique_ptr<Batch> batch);
    /// To be called before the sender waits for a batch.
    void hand_back_all();

  private:
    void take_back();
    void put_aside(std::unique_ptr<Batch> batch);

    BatchChannel filled_;
    BatchChannel settled_;
    std::unique_ptr<Batch> held_;  ///< the sender's: settled, and not yet handed back
    // Of the taker's side only.
    TakingMeasures& measures_;
    std::vector<std::unique_ptr<Batch>> spare_;
    std::size_t made_ = 0;
    bool stopped_ = false;
    bool plenty_ = false;
};

}  // namespace nlstream
