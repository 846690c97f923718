// Standard error, which diagnostics, messages and the progress line share.
#pragma once
#include <mutex>
#include <string>
#include <string_view>

namespace nlstream {

/// Writes all of `text` to an open file. Returns 0, or errno.
int write_all(int file, std::string_view text);

/// "standard output: REASON" and a newline.
std::string cannot_write(int error);

/// What one writes to it, from any thread, never mixes: the progress line is erased before anything else is said.
class Screen {
  public:
    explicit Screen(int file) : file_(file) {}
    ~Screen() { erase(); }
    Screen(Screen const&) = delete;
    Screen& operator=(Screen const&) = delete;

    bool is_terminal() const;
    /// Columns of the terminal; 80 if it does not tell.
    std::size_t columns() const;
    /// True unless the terminal is another job's: a job in the background must not draw.
    bool in_foreground() const;

    /// Whole lines. What cannot be written is lost: there is nobody left to be told.
    void say(std::string_view text);
    /// The same, but only if nobody has to be waited for: the last words of a program that shall end.
    void say_at_once(std::string_view text);
    /// Draws `line` in place of the one drawn before. No control characters.
    void draw(std::string_view line);
    void erase();

  private:
    void write_over_drawing(std::string_view text);

    int const file_;
    std::mutex mutex_;
    bool drawn_ = false;
};

}  // namespace nlstream
