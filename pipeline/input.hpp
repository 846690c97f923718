// Where the bytes come from: a regular file, a pipe, a FIFO, a socket, a terminal.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <optional>
#include <span>
#include <string>

#include "pipeline/measures.hpp"

namespace nlstream {

/// An open file descriptor, closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    int get() const { return number_; }
    int release();

  private:
    int number_;
};

/// True if `path` names a regular file; "-" is standard input. Opens nothing.
bool is_regular_file(std::string const& path);

/// Reads one file. Never changes the flags of an open file that others share (standard input's terminal).
class Input {
  public:
    /// Opens `path`; "-" is standard input. `waits`, which must outlive it: when nothing was there to be read. Throws
    /// std::system_error.
    Input(boost::asio::any_io_executor executor, std::string const& path, Waits& waits);

    /// What is there, as soon as something is: one read. 0 at the end, or when cancelled.
    /// Throws std::system_error.
    boost::asio::awaitable<std::size_t> read(std::span<char> into);
    /// Lets a read that waits end. From the executor's thread.
    void cancel();

    /// True when reading waits for somebody: bytes trickle in.
    bool can_wait() const { return readiness_.has_value(); }
    /// True for a regular file: it can be read to its end at any time.
    bool is_regular() const;

  private:
    Descriptor owned_;
    int number_;
    /// An epoll instance that watches the file. Asio waits for that one: it would make the file itself non-blocking,
    /// and so a terminal's or a pipe's other users, too. Nothing for a regular file, which epoll refuses.
    std::optional<boost::asio::posix::stream_descriptor> readiness_;
    Waits& waits_;
    bool cancelled_ = false;
};

}  // namespace nlstream
