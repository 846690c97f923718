#include "app/stream_run.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "app/report.hpp"
#include "pipeline/system_files.hpp"

namespace nlstream {
namespace {

void say(std::string const& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

StreamOptions stream_options(Options const& options) {
    StreamOptions stream;
    stream.files = options.files;
    stream.encoder = options.encoder;
    if (options.window) stream.window = *options.window;
    if (options.coalesce) stream.coalesce = *options.coalesce;
    if (options.ack) stream.ack = *options.ack;
    stream.stop_at_failure = !options.force;
    stream.leave_at_once = [](int signal) {
        say("nlstream: left at once: what has become of the lines sent last is unknown\n");
        ::_exit(128 + signal);
    };
    stream.window_clamped = [](u32 window) {
        say("nlstream: the window is " + std::to_string(window) +
            ": the receive buffer that was granted holds no more answers\n");
    };
    return stream;
}

}  // namespace

int stream_run(Options const& options) {
    auto const start = std::chrono::steady_clock::now();
    // One for each of the stream's threads.
    SystemFiles files, report_files;
    Report report(report_files, options.encoder);
    auto const streamed = stream_options(options);
    StreamResult result;
    try {
        result = stream(streamed, files, report);
    } catch (NoPrivilege const&) {
        say("nlstream: the kernel takes no changes from this user (CAP_NET_ADMIN is missing)\n"
            "Run it with sudo, or try it in a namespace of its own: unshare --map-root-user --net nlstream ...\n");
        return 2;
    }
    for (auto const& failure : {result.input_failure, result.kernel_failure})
        if (!failure.empty()) say("nlstream: " + failure + '\n');
    say(stop_report(result));
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    if (!options.quiet) say(summary(result, seconds.count()));
    return exit_status(result);
}

}  // namespace nlstream
