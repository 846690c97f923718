// --json: what happened, for machines. docs/json.schema.json describes every object.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/explain.hpp"
#include "pipeline/stream.hpp"

namespace nlstream {

/// Writes one object a line to an open file. What cannot be written is said by error(), and nothing more is written.
class JsonLines {
  public:
    explicit JsonLines(int file) : file_(file) {}
    void write(std::string line);
    /// 0, or errno.
    int error() const { return error_; }

  private:
    int file_;
    int error_ = 0;
};

/// The object for a line that did not end well. `text`: the logical line.
std::string json_failure(Ending const& ending, std::string_view text, Diagnostic const& why);

/// Writes an object for each line that failed, was rejected, or is unknown, as they end.
class JsonReport : public Listener {
  public:
    /// `lines` must outlive it.
    JsonReport(JsonLines& lines, Explainer explainer) : lines_(lines), explainer_(std::move(explainer)) {}
    void ended(Ending const& ending) override;
    /// Lines that the kernel refused, by errno.
    std::map<int, u64> const& errors() const { return errors_; }

  private:
    JsonLines& lines_;
    Explainer explainer_;
    std::map<int, u64> errors_;
};

struct Spent {
    double wall = 0;  ///< seconds
    double user = 0;
    double system = 0;
};

/// The last object of a stream.
std::string json_summary(StreamResult const& result, std::optional<u32> window_asked, std::map<int, u64> const& errors,
                         Spent const& spent, int exit_status);

/// The last object of a check.
std::string json_checked(u64 lines, u64 rejected, std::string_view input_failure, double seconds, int exit_status);

}  // namespace nlstream
