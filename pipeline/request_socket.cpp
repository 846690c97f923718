#include "pipeline/request_socket.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <poll.h>

#include <algorithm>
#include <system_error>

#include "netlink/received.hpp"

namespace nlstream {
namespace {

/// An answer's charge grows by steps (slabs of the kernel's allocator) with its texts. The longest answers fit the step
/// after that of the shortest, which is less than twice as much.
constexpr u32 longest_to_shortest_answer = 2;
/// One answer more than the window has messages: a fence's.
constexpr u32 spare_answers = 1;
/// Room for any single message, and to spare.
constexpr u32 wanted_send_buffer = 256 * 1024;
/// netlink_sendmsg() takes this much less than the send buffer (net/netlink/af_netlink.c).
constexpr u32 send_overhead = 32;

[[noreturn]] void fail(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

RequestSocket::RequestSocket()
    : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(batch * datagram_size)) {
    if (socket_.get() < 0) fail("no netlink socket");
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) fail("no netlink socket");
    // Refusals without the request they refuse, and with the reason. A kernel without either still works.
    int const on = 1;
    ::setsockopt(socket_.get(), SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on);
    ::setsockopt(socket_.get(), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
    for (std::size_t i = 0; i < batch; ++i) {
        rooms_[i] = {.iov_base = buffer_.get() + i * datagram_size, .iov_len = datagram_size};
        headers_[i].msg_hdr.msg_iov = &rooms_[i];
        headers_[i].msg_hdr.msg_iovlen = 1;
    }
}

int RequestSocket::send(std::span<std::byte const> message) {
    return ::send(socket_.get(), message.data(), message.size(), MSG_DONTWAIT) < 0 ? errno : 0;
}

int RequestSocket::receive_some() { return ::recvmmsg(socket_.get(), headers_.data(), batch, MSG_DONTWAIT, nullptr); }

std::span<std::byte const> RequestSocket::datagram(std::size_t index) const {
    return {buffer_.get() + index * datagram_size, std::min<std::size_t>(headers_[index].msg_len, datagram_size)};
}

u32 RequestSocket::option(int name) const {
    int value = 0;
    socklen_t size = sizeof value;
    if (::getsockopt(socket_.get(), SOL_SOCKET, name, &value, &size) < 0) fail("the netlink socket's buffers");
    return static_cast<u32>(value);
}

/// Sends a request that changes nothing; returns what its answer takes of the receive buffer, and sets `error` to what
/// it says.
u32 RequestSocket::probe(std::span<std::byte const> request, int& error) {
    if ((errno = send(request)) != 0) fail("cannot send to the kernel");
    pollfd ready{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    while (::poll(&ready, 1, -1) < 0)
        if (errno != EINTR) fail("no answer from the kernel");
    std::array<u32, SK_MEMINFO_VARS> memory{};
    socklen_t size = sizeof memory;
    if (::getsockopt(socket_.get(), SOL_SOCKET, SO_MEMINFO, memory.data(), &size) < 0)
        fail("the netlink socket's buffers");
    receive([&](std::span<std::byte const> bytes) {
        for_each_message(bytes, [&](nlmsghdr const& message) {
            if (auto const* body = body_of<nlmsgerr>(message)) error = -body->error;
        });
    });
    return memory[SK_MEMINFO_RMEM_ALLOC];
}

RequestSocket::Limits RequestSocket::prepare(u32 window) {
    Limits limits;
    int error = 0;
    struct {
        nlmsghdr head;
        u32 family;  // struct rtgenmsg, padded
    } const request{{sizeof request, RTM_DELNEIGH, NLM_F_REQUEST | NLM_F_ACK, 0, 0}, AF_UNSPEC};
    // Too short to be carried out, but the right to do so is asked for first (net/core/rtnetlink.c,
    // rtnetlink_rcv_msg()).
    limits.answer_charge = longest_to_shortest_answer * probe(std::as_bytes(std::span(&request, 1)), error);
    limits.privileged = error != EPERM;

    auto const wanted = static_cast<u64>(window + spare_answers) * limits.answer_charge;
    // The kernel doubles what is asked for.
    if (int const half = static_cast<int>(std::min<u64>(wanted / 2 + 1, 1u << 30)); option(SO_RCVBUF) < wanted)
        if (::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUFFORCE, &half, sizeof half) < 0)
            ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &half, sizeof half);
    if (int const half = wanted_send_buffer / 2; option(SO_SNDBUF) < wanted_send_buffer)
        if (::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDBUFFORCE, &half, sizeof half) < 0)
            ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDBUF, &half, sizeof half);
    limits.receive_buffer = option(SO_RCVBUF);
    auto const answers =
        limits.answer_charge > 0 ? limits.receive_buffer / limits.answer_charge : window + spare_answers;
    limits.window = std::min(window, std::max(answers, 1 + spare_answers) - spare_answers);
    limits.max_send_bytes = option(SO_SNDBUF) - send_overhead;
    return limits;
}

}  // namespace nlstream
