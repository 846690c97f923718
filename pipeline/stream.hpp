// The whole way: files -> requests -> kernel -> outcomes.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "netlink/encoder.hpp"
#include "pipeline/flow.hpp"
#include "pipeline/measures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/request_socket.hpp"

namespace nlstream {

struct StreamOptions {
    std::vector<std::string> files;  ///< "-": standard input
    Encoder::Options encoder;
    bool replay = false;  ///< the files hold messages instead of lines: see ReplayStage
    /// Messages in flight at the most; clamped to what the receive buffer holds. Nothing: as many as the sends need.
    std::optional<u32> window;
    std::optional<u32> coalesce;  ///< messages per send at the most; nothing: see SendSize
    AckMode ack = AckMode::last;
    bool stop_at_failure = true;
    u64 from_line = 1;  ///< where to start in the first file
    u32 retries = 0;    ///< see Window::Options
    Expected expected = {};
    bool rest_too = false;  ///< after a stop, tell of the lines that follow, too, as far as they are in regular files
    /// Called on a second SIGINT, SIGTERM or SIGHUP, on any thread, even while the listener is being told something; not
    /// expected to return.
    std::function<void(int signal)> leave_at_once;
    /// Called once before anything is read, with what the socket was granted, if a greater window was asked for.
    std::function<void(u32 window)> window_clamped;
    /// Called about every `watch_period` with how things stand, and after the last line has ended. Nothing: nobody
    /// watches.
    std::function<void(Flow const&)> watch;
    std::chrono::milliseconds watch_period{100};
};

/// Its places are views of StreamOptions::files.
struct StreamResult {
    Account account;
    Flow::Counters counters;
    TakingMeasures taking;
    SendingMeasures sending;
    RequestSocket::Limits limits;
    u32 coalesce = 0;  ///< messages per send at the most, in the end
    Place settled_to;  ///< see Window::settled_to()
    Place resume_at;   ///< see Window::resume_at()
    bool stopped = false;
    int signal = 0;              ///< that ended the reading; 0: none
    std::string input_failure;   ///< why a file could not be read to its end
    std::string kernel_failure;  ///< why nothing more could be sent or heard
};

/// Streams all lines to the kernel of the calling thread's network namespace. `listener` and `options.watch` are called
/// by the calling thread; `files` may be used by another one while this runs, and `progress` looked at by any. SIGINT,
/// SIGTERM and SIGHUP stop the stream, unless they were ignored before. They are left blocked in the calling thread:
/// once all is known, no signal shall keep it from being reported. Throws std::system_error when the kernel cannot be
/// talked to, NoPrivilege.
StreamResult stream(StreamOptions const& options, Files& files, Listener& listener, StreamProgress& progress);

/// The kernel takes no changes from this process.
struct NoPrivilege {};

}  // namespace nlstream
