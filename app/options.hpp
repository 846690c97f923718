// The command line.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "netlink/encoder.hpp"
#include "pipeline/ack_mode.hpp"
#include "pipeline/expected.hpp"

namespace nlstream {

enum class Emit : u8 { nothing, hex, text, bin };
/// Automatic: when standard error is a terminal that wants it.
enum class When : u8 { automatic, always, never };
/// Which errors are shown: each, or of those that say the same the first. automatic: grouped on a terminal.
enum class ErrorList : u8 { automatic, all, grouped };

struct Options {
    std::vector<std::string> files;  ///< "-": standard input; never empty
    Encoder::Options encoder;
    bool replay = false;        ///< the files hold messages
    std::optional<u32> window;  ///< nothing: automatic
    std::optional<u32> coalesce;
    std::optional<AckMode> ack;
    bool force = false;
    Expected expected;
    u32 retries = 0;
    std::string rejects;  ///< a file for lines that are not applied; empty: none
    std::optional<u64> from_line;
    std::string journal;  ///< a file; empty: none
    bool resume = false;
    bool check_first = false;
    std::string netns;  ///< a name below /run/netns, or a path; empty: the one we are in
    bool check = false;
    Emit emit = Emit::nothing;
    std::string links;  ///< a file of links; empty: ask the kernel
    bool quiet = false;
    When progress = When::automatic;
    When colours = When::automatic;
    ErrorList errors = ErrorList::automatic;
    bool json = false;
    std::vector<std::string> command_line;  ///< the program and its arguments as given
    std::string answer;                     ///< --help or --version: what to print, and nothing else to do
};

/// A command line that cannot be understood; what() is one sentence.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The command line that goes on at line `line` of the first of `files`, as a shell reads it.
std::string resume_command(Options const& options, std::vector<std::string> const& files, u64 line);
/// The command line that streams the rejects of this one, once they have been mended.
std::string rejects_command(Options const& options);

/// Throws UsageError.
Options read_options(int argc, char const* const* argv);

}  // namespace nlstream
