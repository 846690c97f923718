// Bytes -> logical lines. No I/O.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "netlink/integers.hpp"

namespace nlstream {

/// Why a logical line cannot be read, whatever its words are.
enum class Defect : u8 {
    none,
    too_long,    ///< longer than Splitter::max_line
    unfinished,  ///< ends in a continuation, and the input ends there
};

/// One line of a batch with its continuations joined. The views are valid until the next call of Splitter::next().
struct LogicalLine {
    std::string_view text;  ///< what it says; a view of `raw` unless it is continued
    std::string_view
        raw;         ///< its physical lines as they stood, without the last newline; only the beginning if too long
    u64 number = 0;  ///< its first physical line, from 1
    Defect defect = Defect::none;
};

/// Cuts a stream of bytes into logical lines as `tc -batch` reads them: a line that ends in a backslash goes on in the
/// next one, joined with nothing in between; a comment (# outside quotes) ends with its physical line, backslash or
/// not; the last line needs no newline. A CR before the LF stays in the text, where it counts as a blank.
///
/// The caller shows its buffer from the first byte that was not consumed. Only continued lines are copied.
class Splitter {
  public:
    /// The longest logical line, in bytes as they stand: longer ones are passed over and reported as a defect.
    static constexpr std::size_t max_line = std::size_t{1} << 20;
    /// How much of a line that is too long is kept, to show which one it was.
    static constexpr std::size_t shown_of_too_long = 100;

    /// Reads the next line of `rest`, which starts at the first byte not consumed so far. `at_end`: nothing follows it.
    /// False when `rest` holds no whole line (show more of the stream, from the same place) or, at the end, no line.
    /// Sets `consumed` to what is done with: a line, or bytes of a line that is too long.
    bool next(std::string_view rest, bool at_end, LogicalLine& line, std::size_t& consumed) {
        consumed = 0;
        if (!careful_) {
            auto const end = rest.find('\n', scanned_);
            if (end <= max_line && !ends_in_backslash(rest.substr(0, end))) {
                line = {rest.substr(0, end), rest.substr(0, end), number_++, Defect::none};
                scanned_ = 0;
                consumed = end + 1;
                return true;
            }
            if (end == rest.npos && !at_end && rest.size() <= max_line) {
                scanned_ = rest.size();
                return false;
            }
        }
        return next_careful(rest, at_end, line, consumed);
    }

    /// The physical line at the first byte that was not consumed, from 1.
    u64 number() const { return number_; }

  private:
    /// What the next character of a line means.
    struct Place {
        bool in_word = false;
        bool in_comment = false;
        char quote = 0;
    };

    /// What has been read last; the first two let a newline continue the line.
    enum class Tail : u8 { backslash, backslash_cr, other };

    static bool ends_in_backslash(std::string_view physical) {
        if (physical.ends_with('\r')) physical.remove_suffix(1);
        return physical.ends_with('\\');
    }
    bool next_careful(std::string_view rest, bool at_end, LogicalLine& line, std::size_t& consumed);
    void finish(std::string_view raw, LogicalLine& line);
    void step(char c);

    u64 number_ = 1;
    std::size_t scanned_ = 0;  ///< bytes of `rest` that were looked at

    // Of a line that needs to be read character by character, because it is continued or too long.
    bool careful_ = false;
    bool too_long_ = false;
    u64 more_lines_ = 0;         ///< physical lines before the one being read
    std::size_t begin_ = 0;      ///< where the physical line being read begins in `rest`
    std::size_t backslash_ = 0;  ///< where the last backslash stands in `rest`
    Tail tail_ = Tail::other;
    Place place_, before_backslash_;
    std::string joined_;
    std::string shown_;
};

/// The text of the line whose physical lines are `raw`, as Splitter made it.
std::string logical_text(std::string_view raw);

}  // namespace nlstream
