// Which keyword puts an attribute that the kernel missed.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netlink/answer.hpp"
#include "netlink/message.hpp"

namespace nlstream {

/// A line that was encoded for its trail.
struct TriedLine {
    std::span<std::byte const> message;  ///< its last one, valid until another line is encoded; empty if the line is wrong
    Span fault = {};                     ///< what is wrong then
};
using TryLine = std::function<TriedLine(std::string_view line, Trail& trail)>;

/// Finds the keyword that would put what the kernel missed (NLMSGERR_ATTR_MISS_TYPE) where it missed it
/// (NLMSGERR_ATTR_MISS_NEST). Tables do not say which attributes a keyword puts, so each that may be meant is tried:
/// written into the line, which is encoded then. That takes milliseconds, so what was found is kept for lines alike.
class MissingKeywords {
  public:
    explicit MissingKeywords(TryLine encode) : try_(std::move(encode)) {}

    /// A sentence that names the keyword; empty if none is known to do it, or many are.
    std::string find(Answer const& answer, std::string_view line);

  private:
    TryLine try_;
    std::map<std::vector<std::uintptr_t>, std::string> found_;
};

}  // namespace nlstream
