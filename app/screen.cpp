#include "app/screen.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace nlstream {
namespace {

/// To the first column, and nothing from there on.
constexpr std::string_view erase_line = "\r\33[K";

}  // namespace

int write_all(int file, std::string_view text) {
    while (!text.empty()) {
        auto const written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

std::string cannot_write(int error) { return std::string("standard output: ") + std::strerror(error) + '\n'; }

bool Screen::is_terminal() const { return ::isatty(file_) == 1; }

std::size_t Screen::columns() const {
    winsize size{};
    return ::ioctl(file_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool Screen::in_foreground() const {
    auto const foreground = ::tcgetpgrp(file_);
    return foreground < 0 || foreground == ::getpgrp();
}

void Screen::say(std::string_view text) {
    if (text.empty()) return;
    std::lock_guard const lock(mutex_);
    write_over_drawing(text);
}

void Screen::say_at_once(std::string_view text) {
    // Whoever has the lock may wait for a reader that never comes.
    std::unique_lock const lock(mutex_, std::try_to_lock);
    pollfd writable{.fd = file_, .events = POLLOUT, .revents = 0};
    if (lock && ::poll(&writable, 1, 0) == 1) write_over_drawing(text);
}

void Screen::write_over_drawing(std::string_view text) {
    // In one write, so that no other program's words come in between.
    if (std::exchange(drawn_, false))
        write_all(file_, std::string(erase_line).append(text));
    else
        write_all(file_, text);
}

void Screen::draw(std::string_view line) {
    std::lock_guard const lock(mutex_);
    write_all(file_, std::string(erase_line).append(line));
    drawn_ = true;
}

void Screen::erase() {
    std::lock_guard const lock(mutex_);
    if (std::exchange(drawn_, false)) write_all(file_, erase_line);
}

}  // namespace nlstream
