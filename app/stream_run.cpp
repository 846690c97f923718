#include "app/stream_run.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "app/check_run.hpp"
#include "app/journal.hpp"
#include "app/json_report.hpp"
#include "app/progress.hpp"
#include "app/rejects.hpp"
#include "app/report.hpp"
#include "pipeline/system_files.hpp"

namespace nlstream {
namespace {

StreamOptions stream_options(Options const& options, Resumption const& start, Screen& screen,
                             StreamProgress const& progress, Complaints const& complaints) {
    StreamOptions stream;
    stream.files.assign(options.files.begin() + static_cast<std::ptrdiff_t>(start.file - 1), options.files.end());
    stream.from_line = start.line;
    stream.encoder = options.encoder;
    stream.replay = options.replay;
    stream.window = options.window;
    stream.coalesce = options.coalesce;
    if (options.ack) stream.ack = *options.ack;
    stream.stop_at_failure = !options.force;
    stream.expected = options.expected;
    stream.retries = options.retries;
    stream.rest_too = !options.rejects.empty() && options.journal.empty();
    stream.leave_at_once = [&](int signal) {
        screen.say_at_once(left_at_once(progress, complaints.hidden()));
        ::_exit(128 + signal);
    };
    stream.window_clamped = [&](u32 window) {
        screen.say("nlstream: the window is " + std::to_string(window) +
                   ": the receive buffer that was granted holds no more answers\n");
    };
    return stream;
}

bool reads_a_terminal(Options const& options) {
    return std::ranges::count(options.files, "-") > 0 && ::isatty(STDIN_FILENO) == 1;
}

/// A terminal that lines are typed into is no place for a progress line.
bool wants_progress(Options const& options, Screen const& screen) {
    if (options.progress == When::automatic) return screen.is_terminal() && !reads_a_terminal(options);
    return options.progress == When::always;
}

Spent spent_since(std::chrono::steady_clock::time_point start) {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    auto const seconds = [](timeval const& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            .user = seconds(usage.ru_utime),
            .system = seconds(usage.ru_stime)};
}

/// The files that are written beside the stream, and the listener that hears for all.
class Records : public Listener {
  public:
    /// Throws std::runtime_error when one cannot be begun.
    Records(Options const& options, std::vector<std::string> const& files, Resumption const& start, Screen& screen,
            Files& system_files, Listener& report)
        : screen_(screen), report_(report) {
        if (!options.rejects.empty())
            rejects_ = std::make_unique<Rejects>(options.rejects, files,
                                                 Rejects::Options{.append = options.resume,
                                                                  .unsent_too = options.journal.empty(),
                                                                  .how_to = rejects_command(options)},
                                                 system_files, options.encoder);
        if (options.journal.empty()) return;
        journal_ = std::make_unique<Journal>(options.journal, files, start.file);
        journal_->begin(start.line);
    }

    bool any() const { return rejects_ || journal_; }
    void ended(Ending const& ending) override {
        report_.ended(ending);
        if (rejects_) rejects_->ended(ending);
    }

    void update(Place const& settled_to) {
        // In this order: a line that the journal passes is in the rejects.
        if (rejects_)
            say_once(rejects_->failure().empty(), [&] {
                rejects_->flush();
                return rejects_->failure();
            });
        if (journal_)
            say_once(journal_->failure().empty(), [&] {
                journal_->update(settled_to);
                return journal_->failure();
            });
    }
    void end(Place const& settled_to) {
        update(settled_to);
        if (journal_) journal_->end(settled_to);
    }

    /// What is wrong with them in the end; empty: nothing.
    std::string failures() const {
        std::string out;
        if (rejects_ && !rejects_->failure().empty())
            out += "the rejects are not complete: the last " + std::to_string(rejects_->missing()) + " are missing (" +
                   rejects_->failure() + ")\n";
        if (journal_ && !journal_->failure().empty())
            out += "the journal says less than was done (" + journal_->failure() + ")\n";
        return out;
    }

  private:
    /// Says what `write` returns, if all was well before.
    template <class Write>
    void say_once(bool all_was_well, Write&& write) {
        std::string const failure = write();
        if (all_was_well && !failure.empty()) screen_.say("nlstream: " + failure + ": the stream goes on without it\n");
    }

    Screen& screen_;
    Listener& report_;
    std::unique_ptr<Rejects> rejects_;
    std::unique_ptr<Journal> journal_;
};

/// The files from the one on that `place` is in.
std::vector<std::string> files_from(std::vector<std::string> const& files, Place const& place) {
    // The same name may be given twice; the place is a view of the one that is meant.
    auto const first = std::ranges::find_if(files, [&](auto const& file) { return file.data() == place.file.data(); });
    return {first, files.end()};
}

}  // namespace

int stream_run(Options const& options) {
    auto const start = std::chrono::steady_clock::now();
    Screen screen(STDERR_FILENO);
    if (!options.quiet && screen.is_terminal() && reads_a_terminal(options))
        screen.say(
            "nlstream: reads commands from the terminal, up to Ctrl-D; nlstream --help says what else it can do\n");
    Resumption begin{.line = options.from_line.value_or(1)};
    if (options.resume) begin = resume(options.journal, options.files);
    if (!begin.said.empty()) screen.say("nlstream: " + begin.said);
    // One for each of the stream's threads. What explains a refusal encodes the line again, and is not to load its program again.
    SystemFiles files(SystemFiles::Programs::load, [&](std::string_view text) { screen.say(text); });
    SystemFiles report_files(SystemFiles::Programs::check);
    JsonLines json(STDOUT_FILENO);
    JsonReport json_report(json, {report_files, options.encoder, options.replay});
    Complaints complaints(screen, complaints_options(options, screen));
    Report report(complaints, {report_files, options.encoder, options.replay});
    StreamProgress progress;
    auto streamed = stream_options(options, begin, screen, progress, complaints);
    if (options.check_first)
        if (auto const status = check_first(options, streamed.files, streamed.from_line, screen)) return status;
    Records records(options, streamed.files, begin, screen, report_files,
                    options.json ? static_cast<Listener&>(json_report) : report);
    if (records.any()) streamed.watch = [&](Flow const& flow) { records.update(flow.settled_to()); };
    StreamResult result;
    try {
        std::optional<ProgressDisplay> display;
        if (wants_progress(options, screen)) display.emplace(screen, progress, size_of(streamed.files));
        result = stream(streamed, files, records, progress);
    } catch (NoPrivilege const&) {
        screen.say(
            "nlstream: the kernel takes no changes from this user (CAP_NET_ADMIN is missing)\n"
            "Run it with sudo, or try it in a network namespace of its own: unshare -rn nlstream ...\n");
        return 2;
    }
    complaints.end();
    records.end(result.settled_to);
    for (auto const& failure : {result.input_failure, result.kernel_failure})
        if (!failure.empty()) screen.say("nlstream: " + failure + '\n');
    auto const failures = records.failures();
    auto const status = failures.empty() ? exit_status(result) : std::max(exit_status(result), 2);
    auto const spent = spent_since(start);
    if (options.json) {
        json.write(json_summary(result, streamed.window, json_report.errors(), spent, status));
        if (json.error() == 0) {
            screen.say(failures);
            return status;
        }
        screen.say("nlstream: " + cannot_write(json.error()));
    }
    screen.say(stop_report(
        result, resume_command(options, files_from(streamed.files, result.resume_at), result.resume_at.number)));
    if (!options.quiet) screen.say(summary(result, spent.wall));
    screen.say(failures);
    return options.json ? std::max(status, 2) : status;
}

}  // namespace nlstream
