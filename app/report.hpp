// What is said on standard error.
#pragma once
#include <string>

#include "app/explain.hpp"
#include "app/options.hpp"
#include "app/screen.hpp"
#include "pipeline/stream.hpp"

namespace nlstream {

bool wants_colours(When when, Screen const& screen);

/// "<stdin>" for "-".
std::string_view shown_name(std::string_view file);

/// The line, with the word at fault, and the reason; ends in an empty line.
std::string render_failure(Explained const& failure, std::string_view file, u64 number, bool colours);

/// What a stream that stopped leaves behind: the first failed line, the last one sent, what was applied after the
/// failure, where to go on. Empty if it did not stop. `resume`: the command that goes on.
std::string stop_report(StreamResult const& result, std::string const& resume);

/// The outcomes that occurred, the rate and the time, in one line.
std::string summary(StreamResult const& result, double seconds);

/// What is known when a stream is broken off without waiting for what is in flight.
std::string left_at_once(StreamProgress const& progress);

/// 0: all applied; 1: some line was refused or not sent; 2: could not run, or an answer was lost; 128 + signal.
int exit_status(StreamResult const& result);

/// Writes a diagnostic for each line that failed, was rejected, or is unknown, as they end.
class Report : public Listener {
  public:
    /// `screen` must outlive it.
    Report(Screen& screen, Explainer explainer, bool colours)
        : screen_(screen), explainer_(std::move(explainer)), colours_(colours) {}
    void ended(Ending const& ending) override { screen_.say(text(ending)); }

    /// The text for `ending`; empty for lines that need none.
    std::string text(Ending const& ending);

  private:
    Screen& screen_;
    Explainer explainer_;
    bool colours_;
};

}  // namespace nlstream
