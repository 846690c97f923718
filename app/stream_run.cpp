#include "app/stream_run.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "app/json_report.hpp"
#include "app/progress.hpp"
#include "app/report.hpp"
#include "pipeline/system_files.hpp"

namespace nlstream {
namespace {

StreamOptions stream_options(Options const& options, Screen& screen, StreamProgress const& progress) {
    StreamOptions stream;
    stream.files = options.files;
    stream.encoder = options.encoder;
    if (options.window) stream.window = *options.window;
    if (options.coalesce) stream.coalesce = *options.coalesce;
    if (options.ack) stream.ack = *options.ack;
    stream.stop_at_failure = !options.force;
    stream.leave_at_once = [&](int signal) {
        screen.say(left_at_once(progress));
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

}  // namespace

int stream_run(Options const& options) {
    auto const start = std::chrono::steady_clock::now();
    Screen screen(STDERR_FILENO);
    if (!options.quiet && screen.is_terminal() && reads_a_terminal(options))
        screen.say(
            "nlstream: reads commands from the terminal, up to Ctrl-D; nlstream --help says what else it can do\n");
    // One for each of the stream's threads.
    SystemFiles files, report_files;
    JsonLines json(STDOUT_FILENO);
    JsonReport json_report(json, report_files, options.encoder);
    Report report(screen, report_files, options.encoder, wants_colours(options.colours, screen));
    Listener& listener = options.json ? static_cast<Listener&>(json_report) : report;
    StreamProgress progress;
    auto const streamed = stream_options(options, screen, progress);
    StreamResult result;
    try {
        std::optional<ProgressDisplay> display;
        if (wants_progress(options, screen)) display.emplace(screen, progress, size_of(options.files));
        result = stream(streamed, files, listener, progress);
    } catch (NoPrivilege const&) {
        screen.say(
            "nlstream: the kernel takes no changes from this user (CAP_NET_ADMIN is missing)\n"
            "Run it with sudo, or try it in a network namespace of its own: unshare -rn nlstream ...\n");
        return 2;
    }
    for (auto const& failure : {result.input_failure, result.kernel_failure})
        if (!failure.empty()) screen.say("nlstream: " + failure + '\n');
    auto const status = exit_status(result);
    auto const spent = spent_since(start);
    if (options.json) {
        json.write(json_summary(result, streamed.window, json_report.errors(), spent, status));
        if (json.error() == 0) return status;
        screen.say("nlstream: " + cannot_write(json.error()));
    }
    screen.say(stop_report(result));
    if (!options.quiet) screen.say(summary(result, spent.wall));
    return options.json ? std::max(status, 2) : status;
}

}  // namespace nlstream
