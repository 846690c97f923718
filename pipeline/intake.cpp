#include "pipeline/intake.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace nlstream {

Intake::Intake(boost::asio::any_io_executor executor, std::vector<std::string> const& files, Stage& stage,
               BatchExchange& exchange, TakingMeasures& measures, Options options)
    : executor_(std::move(executor)),
      files_(files),
      stage_(stage),
      exchange_(exchange),
      measures_(measures),
      options_(std::move(options)) {}

boost::asio::awaitable<void> Intake::run() {
    auto from_line = options_.from_line;
    for (auto const& file : files_) {
        if (stopped_ && !is_regular_file(file)) continue;
        try {
            input_ = std::make_unique<Input>(executor_, file, measures_.input);
            if (!co_await read_file(file, std::exchange(from_line, 1))) break;
            continue;
        } catch (std::system_error const& error) {
            failure_ = error.what();
        } catch (BadFile const& error) {
            failure_ = error.what();
        }
        failure_.insert(0, (file == "-" ? "standard input" : file) + ": ");
        break;
    }
    input_.reset();
    if (!batch_) batch_ = co_await exchange_.take();
    batch_->last = true;
    batch_->input_bytes = std::exchange(input_bytes_, 0);
    co_await exchange_.give(std::move(batch_));
}

void Intake::cancel() {
    cancelled_ = true;
    if (input_ && !reads_on()) input_->cancel();
}

/// True when the file is read to its end even after a stop.
bool Intake::reads_on() const { return options_.rest_too && input_->is_regular(); }

void Intake::stop() {
    stopped_ = true;
    stage_.give_up();
}

boost::asio::awaitable<bool> Intake::read_more(Batch& batch) {
    // Not zeroed: touching memory that a short input does not need is a good part of what starting costs.
    if (batch.text.size() < batch.text_size + read_size)
        batch.text.resize(batch.text_size + read_size, boost::container::default_init);
    auto const waited = measures_.input.time;
    auto const begun = MeasuringClock::now();
    auto const got = co_await input_->read({batch.text.data() + batch.text_size, read_size});
    measures_.reading += MeasuringClock::now() - begun - (measures_.input.time - waited);
    batch.text_size += got;
    co_return got > 0;
}

Stage::Step Intake::encode(std::size_t& position, bool at_end) {
    Timed const timed(measures_.encoding);
    auto const before = position;
    auto const step = stage_.encode(*batch_, position, at_end);
    input_bytes_ += position - before;
    return step;
}

/// False when nothing more shall be read.
boost::asio::awaitable<bool> Intake::read_file(std::string_view name, u64 from_line) {
    stage_.start_file(from_line);
    bool at_end = false;
    auto step = Stage::Step::out_of_text;
    tail_.clear();
    for (;;) {
        if (!batch_) batch_ = co_await exchange_.take();
        if (batch_->stopped || cancelled_) stop();
        batch_->file = name;
        if (batch_->text.size() < tail_.size()) batch_->text.resize(tail_.size());
        std::ranges::copy(tail_, batch_->text.begin());
        batch_->text_size = tail_.size();
        if (step == Stage::Step::out_of_text) {
            // What is left is the beginning of a line that was not read to its end: no line.
            if (stopped_ && !reads_on()) co_return false;
            at_end = !co_await read_more(*batch_);
            if (cancelled_) stop();
            if (at_end && stopped_ && !reads_on()) co_return false;
        }
        if (!stopped_) options_.before_encoding();

        std::size_t position = 0;
        while ((step = encode(position, at_end)) == Stage::Step::barrier) {
            batch_->settle = true;
            batch_->input_bytes = std::exchange(input_bytes_, 0);
            batch_ = co_await exchange_.give_and_wait(std::move(batch_));
            if (batch_->stopped) stop();
            stage_.settled(batch_->last_line_failed);
            batch_->forget_lines();
        }
        if (step == Stage::Step::rejected) stop();
        auto const rest = std::span(batch_->text.data(), batch_->text_size).subspan(position);
        tail_.assign(rest.begin(), rest.end());
        if (!batch_->lines.empty()) {
            batch_->input_bytes = std::exchange(input_bytes_, 0);
            co_await exchange_.give(std::move(batch_));
        }
        if (!at_end || step != Stage::Step::out_of_text) continue;
        stage_.end_file();
        co_return !stopped_ || options_.rest_too;
    }
}

}  // namespace nlstream
