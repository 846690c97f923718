#include "pipeline/exchange.hpp"

#include <boost/asio/use_awaitable.hpp>

namespace nlstream {

using boost::asio::use_awaitable;

namespace {

/// A pipe that is full may hold less than one read asks for, as its writer's pieces need not fill its pages.
constexpr std::size_t much_text = Intake::read_size / 2;

}  // namespace

void CirculatingBatches::put_aside(std::unique_ptr<Batch> batch) {
    stopped_ = stopped_ || batch->stopped;
    batch->kept.clear();
    spare_.push_back(std::move(batch));
}

void CirculatingBatches::take_back() {
    while (settled_.try_receive(
        [this](boost::system::error_code, std::unique_ptr<Batch> batch) { put_aside(std::move(batch)); })) {
    }
}

BatchExchange::Awaited CirculatingBatches::take() {
    take_back();
    if (spare_.empty() && made_ < batches) {
        ++made_;
        spare_.push_back(std::make_unique<Batch>());
    }
    if (spare_.empty()) {
        Timed const timed(measures_.batches);
        put_aside(co_await settled_.async_receive(use_awaitable));
    }
    auto batch = std::move(spare_.back());
    spare_.pop_back();
    batch->forget_lines();
    batch->stopped = stopped_;
    co_return batch;
}

boost::asio::awaitable<void> CirculatingBatches::give(std::unique_ptr<Batch> batch) {
    take_back();
    // Where nothing asks for answers, and the window never fills, no batch would ever come back.
    if (spare_.empty() && made_ == batches) batch->settle = true;
    plenty_ = plenty_ || batch->text_size >= much_text;
    co_await filled_.async_send(boost::system::error_code(), std::move(batch), use_awaitable);
}

void CirculatingBatches::hand_back(std::unique_ptr<Batch> batch) {
    if (!held_) {
        held_ = std::move(batch);
        return;
    }
    hand_back_all();
    settled_.try_send(boost::system::error_code(), std::move(batch));
}

void CirculatingBatches::hand_back_all() {
    if (held_) settled_.try_send(boost::system::error_code(), std::move(held_));
}

BatchExchange::Awaited CirculatingBatches::give_and_wait(std::unique_ptr<Batch> batch) {
    auto const* const awaited = batch.get();
    co_await give(std::move(batch));
    Timed const timed(measures_.barriers);
    for (;;) {
        auto back = co_await settled_.async_receive(use_awaitable);
        if (back.get() == awaited) co_return back;
        put_aside(std::move(back));
    }
}

}  // namespace nlstream
