// The lines that were not applied, as they stood, in a file that can be mended and streamed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/explain.hpp"
#include "pipeline/input.hpp"
#include "pipeline/outcome.hpp"

namespace nlstream {

/// Writes what failed, was rejected, not sent or is unknown, each under a comment that says where it stood and why. A
/// line that cannot stand in a file of others (because it is too long, or ends in a continuation at the end of its
/// file) becomes a comment itself.
///
/// Whatever goes wrong with the file, the stream goes on: see failure().
class Rejects : public Listener {
  public:
    struct Options {
        bool append = false;  ///< keep what is there
        bool unsent_too =
            true;            ///< otherwise lines that were not sent are left out, for a journal tells where to go on
        std::string how_to;  ///< the command that streams the file, for its first line
    };

    /// Opens `path`, "-" is standard output. `files` must outlive it. Throws std::system_error; std::runtime_error if
    /// it is one of `inputs`
    /// ("-": standard input), which would be lost.
    Rejects(std::string const& path, std::vector<std::string> const& inputs, Options options, Files& files,
            Encoder::Options encoder);

    void ended(Ending const& ending) override;
    /// Writes what is waiting.
    void flush();

    /// "PATH: REASON" when writing has failed, else empty.
    std::string failure() const;
    /// How many lines are not there because of that.
    u64 missing() const { return lines_lost_; }

  private:
    Explainer explainer_;
    std::string path_;
    bool unsent_too_;
    Descriptor owned_;
    int number_;
    std::string how_to_;
    std::string waiting_;  ///< text not written yet
    u64 lines_waiting_ = 0;
    u64 lines_lost_ = 0;
    int error_ = 0;
};

}  // namespace nlstream
