#include "pipeline/intake.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace nlstream {

Intake::Intake(boost::asio::any_io_executor executor, std::vector<std::string> const& files, EncodeStage& stage,
               BatchExchange& exchange, TakingMeasures& measures, std::function<void()> before_encoding)
    : executor_(std::move(executor)),
      files_(files),
      stage_(stage),
      exchange_(exchange),
      measures_(measures),
      before_encoding_(std::move(before_encoding)) {}

boost::asio::awaitable<void> Intake::run() {
    for (auto const& file : files_) {
        try {
            input_ = std::make_unique<Input>(executor_, file, measures_.input);
            if (!co_await read_file(file)) break;
        } catch (std::system_error const& error) {
            failure_ = (file == "-" ? "standard input" : file) + ": " + error.what();
            break;
        }
    }
    input_.reset();
    if (!batch_) batch_ = co_await exchange_.take();
    batch_->last = true;
    batch_->input_bytes = std::exchange(input_bytes_, 0);
    co_await exchange_.give(std::move(batch_));
}

void Intake::cancel() {
    cancelled_ = true;
    if (input_) input_->cancel();
}

boost::asio::awaitable<bool> Intake::read_more(Batch& batch) {
    if (batch.text.size() < batch.text_size + read_size) batch.text.resize(batch.text_size + read_size);
    auto const waited = measures_.input.time;
    auto const begun = MeasuringClock::now();
    auto const got = co_await input_->read({batch.text.data() + batch.text_size, read_size});
    measures_.reading += MeasuringClock::now() - begun - (measures_.input.time - waited);
    batch.text_size += got;
    co_return got > 0;
}

EncodeStage::Step Intake::encode(std::size_t& position, bool at_end) {
    Timed const timed(measures_.encoding);
    auto const before = position;
    auto const step = stage_.encode(*batch_, position, at_end);
    input_bytes_ += position - before;
    return step;
}

/// False when nothing more shall be read.
boost::asio::awaitable<bool> Intake::read_file(std::string_view name) {
    stage_.start_file();
    bool at_end = false;
    auto step = EncodeStage::Step::out_of_text;
    tail_.clear();
    for (;;) {
        if (!batch_) batch_ = co_await exchange_.take();
        if (batch_->stopped) co_return false;
        batch_->file = name;
        if (batch_->text.size() < tail_.size()) batch_->text.resize(tail_.size());
        std::ranges::copy(tail_, batch_->text.begin());
        batch_->text_size = tail_.size();
        if (step == EncodeStage::Step::out_of_text) at_end = !co_await read_more(*batch_);
        // A cut line at the point where reading was broken off is no line.
        if (cancelled_) co_return false;
        before_encoding_();

        std::size_t position = 0;
        while ((step = encode(position, at_end)) == EncodeStage::Step::barrier) {
            batch_->settle = true;
            batch_->input_bytes = std::exchange(input_bytes_, 0);
            batch_ = co_await exchange_.give_and_wait(std::move(batch_));
            bool const stopped = batch_->stopped;
            stage_.settled(batch_->last_line_failed);
            batch_->forget_lines();
            if (stopped) co_return false;
        }
        if (step == EncodeStage::Step::rejected) co_return false;
        auto const rest = std::span(batch_->text).subspan(position, batch_->text_size - position);
        tail_.assign(rest.begin(), rest.end());
        if (!batch_->lines.empty()) {
            batch_->input_bytes = std::exchange(input_bytes_, 0);
            co_await exchange_.give(std::move(batch_));
        }
        if (at_end && step == EncodeStage::Step::out_of_text) co_return true;
    }
}

}  // namespace nlstream
