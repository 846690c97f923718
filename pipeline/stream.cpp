#include "pipeline/stream.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <system_error>
#include <thread>

#include "netlink/links.hpp"
#include "pipeline/encode_stage.hpp"
#include "pipeline/exchange.hpp"
#include "pipeline/intake.hpp"
#include "pipeline/kernel_links.hpp"
#include "pipeline/replay_stage.hpp"
#include "pipeline/send_size.hpp"

namespace nlstream {
namespace {

namespace asio = boost::asio;

/// True for a signal that whoever started us wants to be ignored, as nohup(1) does.
bool is_ignored(int signal) {
    struct sigaction action {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Reads, splits and encodes, and hears signals. It has a thread of its own once there is plenty to read, as the other
/// thread spends its time in the kernel. Until then that one does all: to wake another for a line costs more than the
/// line, and to make one as much as dozens.
class TakingSide {
  public:
    TakingSide(StreamOptions const& options, Files& files, asio::io_context& sender, std::atomic<bool>& stop)
        : options_(options),
          exchange_(context_, sender, measures_),
          kernel_(KernelLinks::Mode::stream),
          encoder_(kernel_, files, options.encoder),
          stage_(stage_for(options, files)),
          intake_(context_.get_executor(), options.files, *stage_, exchange_, measures_,
                  {.from_line = options.from_line,
                   .rest_too = options.rest_too,
                   .before_encoding = [this] { kernel_.poll_changes(); }}),
          signals_(context_),
          stop_(stop) {
        kernel_.watch(encoder_.links());
        for (int const signal : {SIGINT, SIGTERM, SIGHUP})
            if (!is_ignored(signal)) signals_.add(signal);
    }

    ~TakingSide() { context_.stop(); }

    CirculatingBatches& exchange() { return exchange_; }
    Intake const& intake() const { return intake_; }
    TakingMeasures const& measures() const { return measures_; }
    int signal() const { return signal_; }

    void start() {
        await_signal();
        asio::co_spawn(context_, intake_.run(), [this](std::exception_ptr thrown) {
            if (!thrown) return;
            thrown_ = thrown;
            // The sender waits for an end, whatever has happened.
            auto end = std::make_unique<Batch>();
            end->last = true;
            asio::co_spawn(context_, exchange_.give(std::move(end)), asio::detached);
        });
    }
    bool has_thread() const { return thread_.joinable(); }
    /// One step of the work in the calling thread, which waits for it.
    void take_some() {
        context_.run_one();
        if (exchange_.plenty()) need_thread();
    }
    /// To be called before the calling thread may have to wait for anything: signals shall be heard.
    void need_thread() {
        if (has_thread()) return;
        try {
            thread_ = std::jthread([this] { context_.run(); });
        } catch (std::system_error const&) {
            // No more threads may be had. One is enough, but hears of signals late.
        }
    }
    /// Ends the thread.
    void finish() {
        context_.stop();
        if (has_thread()) return thread_.join();
        // The signals that came meanwhile.
        context_.restart();
        context_.poll();
    }
    // From the other thread.
    void cancel() {
        asio::post(context_, [this] { intake_.cancel(); });
    }

    /// Throws what made the intake end. After finish().
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

  private:
    std::unique_ptr<Stage> stage_for(StreamOptions const& options, Files& files) {
        if (options.replay) return std::make_unique<ReplayStage>(options.stop_at_failure);
        if (options.expected.missing()) absences_ = std::make_unique<SecondLook>(files, options.encoder);
        return std::make_unique<EncodeStage>(
            encoder_,
            EncodeStage::Options{.stop_at_rejection = options.stop_at_failure, .absences = absences_.get()});
    }
    void await_signal() {
        signals_.async_wait([this](boost::system::error_code error, int signal) {
            if (error) return;
            if (signal_ != 0) options_.leave_at_once(signal);
            signal_ = signal;
            stop_ = true;
            intake_.cancel();
            await_signal();
        });
    }

    StreamOptions const& options_;
    TakingMeasures measures_;
    asio::io_context context_{1};
    asio::executor_work_guard<asio::io_context::executor_type> keep_ = asio::make_work_guard(context_);
    CirculatingBatches exchange_;
    KernelLinks kernel_;
    Encoder encoder_;
    std::unique_ptr<SecondLook> absences_;  ///< for lines that delete what may be absent
    std::unique_ptr<Stage> stage_;
    Intake intake_;
    asio::signal_set signals_;
    std::atomic<bool>& stop_;
    int signal_ = 0;
    std::exception_ptr thrown_;
    std::jthread thread_;
};

/// Before a line's end is told, which may be written to somebody who does not read.
class AttentiveListener : public Listener {
  public:
    AttentiveListener(TakingSide& taking, Listener& listener) : taking_(taking), listener_(listener) {}
    void ended(Ending const& ending) override {
        taking_.need_thread();
        listener_.ended(ending);
    }

  private:
    TakingSide& taking_;
    Listener& listener_;
};

/// Does what the flow says.
class SendingSide {
  public:
    SendingSide(asio::io_context& context, RequestSocket& socket, Flow& flow, StreamProgress& progress,
                std::atomic<bool>& stop, StreamOptions const& options)
        : context_(context),
          socket_(socket),
          flow_(flow),
          progress_(progress),
          stop_(stop),
          options_(options) {
        if (!options_.watch) return;
        watch_timer_.emplace(context);
        watch_while_waiting();
    }

    SendingMeasures measures() const {
        auto measures = measures_;
        measures.latency = answer_times_.durations();
        return measures;
    }
    u32 coalesce() const { return options_.coalesce.value_or(send_size_.messages()); }

    asio::awaitable<void> run(TakingSide& taking) {
        bool cancelled = false;
        if (options_.watch) taking.need_thread();
        auto& filled = taking.exchange().filled();
        for (;;) {
            if (stop_ && !flow_.stopped()) flow_.stop();
            if (flow_.stopped() && !std::exchange(cancelled, true)) taking.cancel();
            hand_back_settled(taking);
            publish();
            if (options_.watch) watch_when_due();
            switch (flow_.step()) {
                case Flow::Step::send:
                    send();
                    if (measures_.sending - sending_before_input_ > patience) taking.need_thread();
                    break;
                case Flow::Step::receive: receive(); break;
                case Flow::Step::wait_readable: {
                    taking.need_thread();
                    Timed const timed(measures_.answers);
                    co_await wait(asio::posix::descriptor_base::wait_read);
                    break;
                }
                case Flow::Step::wait_writable: {
                    taking.need_thread();
                    Timed const timed(measures_.kernel);
                    co_await wait(asio::posix::descriptor_base::wait_write);
                    break;
                }
                case Flow::Step::pause: {
                    taking.need_thread();
                    Timed const timed(measures_.kernel);
                    asio::steady_timer timer(context_, std::chrono::milliseconds(flow_.pause_ms()));
                    co_await timer.async_wait(asio::use_awaitable);
                    break;
                }
                case Flow::Step::poll_input: poll_input(filled); break;
                case Flow::Step::input: {
                    // A step may settle a batch, too, and somebody may wait for that.
                    if (poll_input(filled) || hand_back_settled(taking)) break;
                    taking.exchange().hand_back_all();
                    if (!taking.has_thread()) {
                        taking.take_some();
                        sending_before_input_ = measures_.sending;
                        break;
                    }
                    Timed const timed(measures_.lines);
                    flow_.input(co_await filled.async_receive(asio::use_awaitable));
                    break;
                }
                case Flow::Step::finished:
                    if (options_.watch) options_.watch(flow_);
                    co_return;
            }
        }
    }

  private:
    /// Whoever sends a signal shall not have to wait longer until it is heard: a read may bring a thousand links to
    /// delete.
    static constexpr std::chrono::milliseconds patience{20};

    /// False if there was none.
    bool hand_back_settled(TakingSide& taking) {
        bool any = false;
        for (; auto batch = flow_.take_settled(); any = true) {
            progress_.bytes.fetch_add(batch->input_bytes, std::memory_order_relaxed);
            taking.exchange().hand_back(std::move(batch));
        }
        return any;
    }
    bool poll_input(BatchChannel& filled) {
        return filled.try_receive(
            [this](boost::system::error_code, std::unique_ptr<Batch> batch) { flow_.input(std::move(batch)); });
    }
    void send() {
        // The kernel may take long: whoever looks meanwhile shall see them.
        progress_.in_flight.store(flow_.in_flight() + flow_.being_sent(), std::memory_order_relaxed);
        auto const begun = MeasuringClock::now();
        auto const error = socket_.send(flow_.message());
        auto const took = MeasuringClock::now() - begun;
        measures_.sending += took;
        if (!options_.coalesce && error == 0 && flow_.being_sent() > 0) {
            send_size_.took(flow_.being_sent(), took);
            flow_.coalesce(send_size_.messages());
        }
        flow_.send_done(error);
        if (error == 0 && flow_.answer_asked()) answer_times_.asked(flow_.account().messages, begun);
    }
    void receive() {
        auto const begun = MeasuringClock::now();
        flow_.receive_done(socket_.receive([this](std::span<std::byte const> datagram) { flow_.received(datagram); }));
        auto const done = MeasuringClock::now();
        measures_.receiving += done - begun;
        answer_times_.answered(flow_.account().messages - flow_.in_flight(), done);
    }
    void publish() {
        auto const& lines = flow_.account().lines;
        auto const store = [](auto& to, auto value) { to.store(value, std::memory_order_relaxed); };
        store(progress_.lines, lines.all());
        store(progress_.applied, lines[Outcome::applied]);
        store(progress_.failures, lines[Outcome::failed] + lines[Outcome::rejected] + lines[Outcome::unknown]);
        store(progress_.in_flight, flow_.in_flight());
    }
    using Clock = std::chrono::steady_clock;

    void watch_when_due() {
        auto const now = Clock::now();
        if (now < next_watch_) return;
        next_watch_ = now + options_.watch_period;
        options_.watch(flow_);
    }
    /// The steps of the flow look at the clock; this is for the time in between.
    void watch_while_waiting() {
        watch_timer_->expires_after(options_.watch_period);
        watch_timer_->async_wait([this](boost::system::error_code error) {
            if (error) return;
            watch_when_due();
            watch_while_waiting();
        });
    }

    asio::awaitable<void> wait(asio::posix::descriptor_base::wait_type what) {
        // Registered only when it comes to that: an epoll that watches the socket makes every answer dearer.
        if (!readiness_) readiness_.emplace(context_, ::dup(socket_.descriptor()));
        boost::system::error_code error;
        co_await readiness_->async_wait(what, asio::redirect_error(asio::use_awaitable, error));
    }

    asio::io_context& context_;
    RequestSocket& socket_;
    Flow& flow_;
    StreamProgress& progress_;
    std::atomic<bool>& stop_;
    SendingMeasures measures_;
    Nanoseconds sending_before_input_{};  ///< measures_.sending when input was taken last
    AnswerTimes answer_times_;
    SendSize send_size_;
    StreamOptions const& options_;
    std::optional<asio::steady_timer> watch_timer_;
    Clock::time_point next_watch_ = Clock::now() + options_.watch_period;
    std::optional<asio::posix::stream_descriptor> readiness_;
};

void block_stop_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

StreamResult stream(StreamOptions const& options, Files& files, Listener& listener, StreamProgress& progress) {
    RequestSocket socket;
    auto const window = options.window.value_or(std::max(options.coalesce.value_or(0), SendSize::most));
    auto const limits = socket.prepare(window);
    if (!limits.privileged) throw NoPrivilege{};
    if (options.window && limits.window < window) options.window_clamped(limits.window);
    asio::io_context context(1);
    // Waiting for a channel is no work that keeps a context running; and one that ran out of work stays stopped.
    auto const keep = asio::make_work_guard(context);
    std::atomic<bool> stop = false;
    TakingSide taking(options, files, context, stop);
    AttentiveListener attentive(taking, listener);
    Flow flow({.window = {.limit = limits.window,
                          .stop_at_failure = options.stop_at_failure,
                          .retries = options.retries,
                          .expected = options.expected},
               .coalesce = options.coalesce.value_or(SendSize::first),
               .ack = options.ack,
               .max_send_bytes = limits.max_send_bytes},
              attentive);
    SendingSide sending(context, socket, flow, progress, stop, options);
    std::exception_ptr thrown;
    taking.start();
    asio::co_spawn(context, sending.run(taking), [&](std::exception_ptr error) {
        thrown = error;
        context.stop();
    });
    context.run();
    taking.finish();
    block_stop_signals();
    if (thrown) std::rethrow_exception(thrown);
    taking.rethrow();
    return {.account = flow.account(),
            .counters = flow.counters(),
            .taking = taking.measures(),
            .sending = sending.measures(),
            .limits = limits,
            .coalesce = sending.coalesce(),
            .settled_to = flow.settled_to(),
            .resume_at = flow.resume_at(),
            .stopped = flow.stopped(),
            .signal = taking.signal(),
            .input_failure = taking.intake().failure(),
            .kernel_failure = flow.failure()};
}

}  // namespace nlstream
