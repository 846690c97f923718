#include "pipeline/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <system_error>
#include <utility>

namespace nlstream {

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

int Descriptor::release() { return std::exchange(number_, -1); }

bool is_regular_file(std::string const& path) {
    struct stat found {};
    auto const error = path == "-" ? ::fstat(STDIN_FILENO, &found) : ::stat(path.c_str(), &found);
    return error == 0 && S_ISREG(found.st_mode);
}

Input::Input(boost::asio::any_io_executor executor, std::string const& path, Waits& waits)
    : owned_(path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      number_(path == "-" ? STDIN_FILENO : owned_.get()),
      waits_(waits) {
    if (number_ < 0) throw std::system_error(errno, std::generic_category());
    Descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
    if (epoll.get() < 0) throw std::system_error(errno, std::generic_category());
    epoll_event event{};
    event.events = EPOLLIN;
    if (::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, number_, &event) == 0)
        readiness_.emplace(executor, epoll.release());
    else if (errno != EPERM)
        throw std::system_error(errno, std::generic_category());
}

boost::asio::awaitable<std::size_t> Input::read(std::span<char> into) {
    for (;;) {
        if (cancelled_) co_return 0;
        if (readiness_) {
            pollfd now{.fd = number_, .events = POLLIN, .revents = 0};
            // Nothing, or a signal came.
            if (::poll(&now, 1, 0) <= 0) {
                Timed const timed(waits_);
                boost::system::error_code error;
                co_await readiness_->async_wait(boost::asio::posix::descriptor_base::wait_read,
                                                boost::asio::redirect_error(boost::asio::use_awaitable, error));
                continue;
            }
        }
        auto const got = ::read(number_, into.data(), into.size());
        if (got >= 0) co_return static_cast<std::size_t>(got);
        if (errno != EINTR && errno != EAGAIN) throw std::system_error(errno, std::generic_category());
    }
}

bool Input::is_regular() const {
    struct stat found {};
    return ::fstat(number_, &found) == 0 && S_ISREG(found.st_mode);
}

void Input::cancel() {
    cancelled_ = true;
    if (readiness_) readiness_->cancel();
}

}  // namespace nlstream
