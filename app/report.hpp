// What is said on standard error.
#pragma once
#include <string>

#include "app/complaints.hpp"
#include "app/explain.hpp"
#include "app/options.hpp"
#include "app/screen.hpp"
#include "pipeline/stream.hpp"

namespace nlstream {

bool wants_colours(When when, Screen const& screen);
Complaints::Options complaints_options(Options const& options, Screen const& screen);

/// What a stream that stopped leaves behind: the first failed line, the last one sent, what was applied after the
/// failure, where to go on. Empty if it did not stop. `resume`: the command that goes on.
std::string stop_report(StreamResult const& result, std::string const& resume);

/// The outcomes that occurred, the rate and the time, in one line.
std::string summary(StreamResult const& result, double seconds);

/// What is known when a stream is broken off without waiting for what is in flight. `hidden`: errors that were not shown.
std::string left_at_once(StreamProgress const& progress, u64 hidden);

/// 0: all applied; 1: some line was refused or not sent; 2: could not run, or an answer was lost; 128 + signal.
int exit_status(StreamResult const& result);

/// Complains of each line that failed, was rejected, or is unknown, as they end.
class Report : public Listener {
  public:
    /// `complaints` must outlive it.
    Report(Complaints& complaints, Explainer explainer) : complaints_(complaints), explainer_(std::move(explainer)) {}
    void ended(Ending const& ending) override {
        if (auto const explained = explainer_.explain(ending)) complaints_.add(*explained, ending.file, ending.number);
    }

  private:
    Complaints& complaints_;
    Explainer explainer_;
};

}  // namespace nlstream
