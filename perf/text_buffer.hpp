// Text put together faster than printf and written to a file descriptor a megabyte at a time.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace nlstream::perf {

class TextBuffer {
 public:
    explicit TextBuffer(int fd) : fd_(fd) { text_.reserve(flush_at + 4096); }

    TextBuffer& operator<<(std::string_view text) {
        text_.append(text);
        return *this;
    }

    TextBuffer& operator<<(char c) {
        text_.push_back(c);
        return *this;
    }

    TextBuffer& decimal(std::uint64_t value) { return number(value, 10); }
    TextBuffer& hex(std::uint64_t value) { return number(value, 16); }

    /// Two hexadecimal digits.
    TextBuffer& octet(std::uint8_t value) {
        static constexpr char const* digits = "0123456789abcdef";
        text_.push_back(digits[value >> 4]);
        text_.push_back(digits[value & 15]);
        return *this;
    }

    /// Ends a line; writes when enough has gathered.
    void end_line() {
        text_.push_back('\n');
        if (text_.size() >= flush_at) flush();
    }

    /// Throws std::system_error (EPIPE when the reader has gone).
    void flush() {
        for (std::string_view rest = text_; !rest.empty();) {
            auto const written = ::write(fd_, rest.data(), rest.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw std::system_error(errno, std::generic_category(), "write");
            rest.remove_prefix(static_cast<std::size_t>(written));
        }
        text_.clear();
    }

 private:
    static constexpr std::size_t flush_at = std::size_t{1} << 20;

    TextBuffer& number(std::uint64_t value, int base) {
        char digits[20];
        auto const end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
        text_.append(digits, end);
        return *this;
    }

    int fd_;
    std::string text_;
};

}  // namespace nlstream::perf
