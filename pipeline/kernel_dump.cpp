#include "pipeline/kernel_dump.hpp"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "netlink/answer.hpp"
#include "netlink/received.hpp"

namespace nlstream {
namespace {

/// The kernel puts up to 32 KiB into one datagram of a dump, more only for a single message that is longer (a link with
/// hundreds of virtual functions).
constexpr std::size_t datagram = 256 * 1024;

[[noreturn]] void fail(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

/// The refusal that ends a dump; nothing if it ended well.
std::optional<Answer> refusal_in(nlmsghdr const& message) {
    if (message.nlmsg_type == NLMSG_ERROR) {
        auto answer = read_answer(message);
        return answer && answer->error ? answer : Answer{.error = EBADMSG};
    }
    auto const* error = body_of<int>(message);
    if (!error || *error >= 0) return {};
    Answer answer{.error = -*error};
    if (message.nlmsg_flags & NLM_F_ACK_TLVS)
        for_each_attribute(attributes_of(message, sizeof *error), [&](nlattr const& attribute) {
            if (type_of(attribute) == NLMSGERR_ATTR_MSG) answer.text = text_of(attribute);
        });
    return answer;
}

}  // namespace

KernelDump::KernelDump(std::span<std::byte const> request)
    : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)), buffer_(std::make_unique_for_overwrite<std::byte[]>(datagram)) {
    if (socket_.get() < 0) fail("no netlink socket");
    int const on = 1;
    ::setsockopt(socket_.get(), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
    // Strict: the kernel filters by what the request says instead of listing everything.
    ::setsockopt(socket_.get(), SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on);
    while (::send(socket_.get(), request.data(), request.size(), 0) < 0)
        if (errno != EINTR && errno != ENOBUFS && errno != EAGAIN) fail("cannot ask the kernel");
}

bool KernelDump::next(std::function<void(nlmsghdr const&)> const& each) {
    auto const size = ::recv(socket_.get(), buffer_.get(), datagram, MSG_TRUNC);
    if (size < 0 && errno == EINTR) return true;
    if (size < 0) fail("no answer from the kernel");
    if (static_cast<std::size_t>(size) > datagram) {
        errno = EMSGSIZE;
        fail("the kernel lists more at once than was expected");
    }
    bool done = false;
    for_each_message({buffer_.get(), static_cast<std::size_t>(size)}, [&](nlmsghdr const& message) {
        if (done) return;
        done = message.nlmsg_type == NLMSG_DONE || message.nlmsg_type == NLMSG_ERROR;
        if (!done) return each(message);
        if (auto refusal = refusal_in(message)) throw std::move(*refusal);
    });
    return !done;
}

}  // namespace nlstream
