#include "pipeline/check.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>

#include "pipeline/intake.hpp"

namespace nlstream {
namespace {

/// One batch that is looked at and used again.
class Looked : public BatchExchange {
  public:
    explicit Looked(std::function<bool(Batch const&)> const& each) : each_(each) {}

    Awaited take() override { co_return std::move(batch_); }
    boost::asio::awaitable<void> give(std::unique_ptr<Batch> batch) override {
        look(*batch);
        batch->forget_lines();
        batch->stopped = stopped_;
        batch_ = std::move(batch);
        co_return;
    }
    Awaited give_and_wait(std::unique_ptr<Batch> batch) override {
        look(*batch);
        batch->stopped = stopped_;
        co_return batch;
    }

  private:
    void look(Batch const& batch) { stopped_ = stopped_ || !each_(batch); }

    std::function<bool(Batch const&)> const& each_;
    std::unique_ptr<Batch> batch_ = std::make_unique<Batch>();
    bool stopped_ = false;
};

}  // namespace

std::string check(std::vector<std::string> const& files, Stage& stage, std::function<bool(Batch const&)> const& each,
                  u64 from_line) {
    boost::asio::io_context context(1);
    Looked exchange(each);
    TakingMeasures measures;
    Intake intake(context.get_executor(), files, stage, exchange, measures, {.from_line = from_line});
    std::exception_ptr thrown;
    boost::asio::co_spawn(context, intake.run(), [&](std::exception_ptr error) { thrown = error; });
    context.run();
    if (thrown) std::rethrow_exception(thrown);
    return intake.failure();
}

}  // namespace nlstream
