// The command line.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "netlink/encoder.hpp"
#include "pipeline/ack_mode.hpp"

namespace nlstream {

enum class Emit : u8 { nothing, hex, text };
/// Automatic: when standard error is a terminal that wants it.
enum class When : u8 { automatic, always, never };

struct Options {
    std::vector<std::string> files;  ///< "-": standard input; never empty
    Encoder::Options encoder;
    std::optional<u32> window;  ///< nothing: the default
    std::optional<u32> coalesce;
    std::optional<AckMode> ack;
    bool force = false;
    std::string netns;  ///< a name below /run/netns, or a path; empty: the one we are in
    bool check = false;
    Emit emit = Emit::nothing;
    std::string links;  ///< a file of links; empty: ask the kernel
    bool quiet = false;
    When progress = When::automatic;
    When colours = When::automatic;
    bool json = false;
    std::string answer;  ///< --help or --version: what to print, and nothing else to do
};

/// A command line that cannot be understood; what() is one sentence.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws UsageError.
Options read_options(int argc, char const* const* argv);

}  // namespace nlstream
