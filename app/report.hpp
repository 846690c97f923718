// What is said on standard error.
#pragma once
#include <memory>
#include <string>

#include "app/options.hpp"
#include "pipeline/second_look.hpp"
#include "pipeline/stream.hpp"

namespace nlstream {

/// "standard input" for "-".
std::string_view shown_name(std::string_view file);

/// The line that was refused, with the word at fault, and the reason; ends in an empty line.
std::string render_rejection(Rejection const& rejection, std::string_view file, u64 number);

/// What a stream that stopped leaves behind: the first failed line, the last one sent, what was applied after the
/// failure, where to go on. Empty if it did not stop.
std::string stop_report(StreamResult const& result);

/// The outcomes that occurred, the rate and the time, in one line.
std::string summary(StreamResult const& result, double seconds);

/// 0: all applied; 1: some line was refused or not sent; 2: could not run, or an answer was lost; 128 + signal.
int exit_status(StreamResult const& result);

/// Writes a diagnostic for each line that failed, was rejected, or is unknown, as they end.
class Report : public Listener {
  public:
    /// `files` must outlive it.
    Report(Files& files, Encoder::Options options) : files_(files), options_(options) {}
    void ended(Ending const& ending) override;

    /// The text for `ending`; empty for lines that need none.
    std::string text(Ending const& ending);

  private:
    Files& files_;
    Encoder::Options options_;
    std::unique_ptr<SecondLook> second_look_;  ///< made when the first line fails
};

}  // namespace nlstream
