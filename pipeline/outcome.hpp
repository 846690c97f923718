// What becomes of lines.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "netlink/answer.hpp"
#include "pipeline/batch.hpp"

namespace nlstream {

/// What a line that holds a command ends as: one of these.
enum class Outcome : u8 {
    applied,
    ignored,   ///< refused with an error that was expected
    failed,    ///< refused by the kernel
    rejected,  ///< refused before it was sent
    unsent,    ///< after the stop
    unknown,   ///< the answer was lost
};

/// Lines by outcome.
class Tally {
  public:
    u64& operator[](Outcome outcome) { return lines_[static_cast<std::size_t>(outcome)]; }
    u64 operator[](Outcome outcome) const { return lines_[static_cast<std::size_t>(outcome)]; }
    u64 all() const {
        u64 sum = 0;
        for (auto const lines : lines_) sum += lines;
        return sum;
    }
    friend bool operator==(Tally const&, Tally const&) = default;

  private:
    std::array<u64, 6> lines_{};
};

/// The end of a line that was not simply applied. Its views are good while it is told.
struct Ending {
    Outcome outcome = Outcome::failed;
    std::string_view file;
    u64 number = 0;                        ///< the line's first physical line
    std::string_view raw;                  ///< its physical lines
    bool continued = false;                ///< more than one
    std::optional<Origin> origin;          ///< where a generator took it from
    int error = 0;                         ///< failed, ignored: errno
    std::string_view object;               ///< ignored: what the refused request was about, "route"
    u32 message = 0;                       ///< failed: which of the line's messages was refused, from 0
    Answer const* answer = nullptr;        ///< failed: what the kernel said
    Rejection const* rejection = nullptr;  ///< rejected: what is wrong with it
};

/// Hears how lines end, in the order of the lines.
class Listener {
  public:
    virtual ~Listener() = default;
    virtual void ended(Ending const& ending) = 0;
};

/// A line, as reports name it.
struct Place {
    std::string_view file;
    u64 number = 0;
    friend bool operator==(Place const&, Place const&) = default;
};

/// Ignored lines, by what they were refused for first.
struct Ignored {
    int error = 0;
    std::string_view object;
    u64 lines = 0;
    friend bool operator==(Ignored const&, Ignored const&) = default;
};

/// Everything that is known in the end, or so far.
struct Account {
    Tally lines;
    std::vector<Ignored> ignored;        ///< add up to the ignored lines
    std::optional<Place> first_failure;  ///< the first line that failed, was rejected or is unknown
    u64 applied_after_failure = 0;       ///< lines after it that were applied all the same
    std::optional<Place> last_sent;      ///< the last line of which anything was sent
    u64 messages = 0;                    ///< handed to the kernel
    u64 retries = 0;                     ///< of these, handed to it once more
};

}  // namespace nlstream
