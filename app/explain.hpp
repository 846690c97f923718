// Why a line did not end well.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "pipeline/outcome.hpp"
#include "pipeline/second_look.hpp"

namespace nlstream {

struct Explained {
    std::string text;  ///< the logical line, which the spans of `why` count in; of a message: its title
    Diagnostic why;
    std::optional<Origin> origin;  ///< where a generator took the line from
};

class Explainer {
  public:
    /// `files` must outlive it. `replay`: what ends are messages, not lines.
    Explainer(Files& files, Encoder::Options options, bool replay = false)
        : files_(files), options_(options), replay_(replay) {}

    /// Of a line that failed, was rejected or is unknown; nothing for other lines.
    std::optional<Explained> explain(Ending const& ending);

  private:
    std::string text(Ending const& ending) const;

    Files& files_;
    Encoder::Options options_;
    bool replay_;
    std::unique_ptr<SecondLook> second_look_;  ///< made when the first line fails
};

}  // namespace nlstream
