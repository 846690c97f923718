// The socket that requests are sent through.
#pragma once
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>
#include <span>

#include "netlink/integers.hpp"
#include "pipeline/input.hpp"

namespace nlstream {

/// An rtnetlink socket whose buffers fit a window. Does not wait, except in probe().
class RequestSocket {
  public:
    /// Opens it in the network namespace of the calling thread. Throws std::system_error.
    RequestSocket();

    struct Limits {
        u32 window = 0;  ///< messages in flight whose answers fit the receive buffer, even if all are refused
        std::size_t max_send_bytes = 0;  ///< what one send may carry
        u32 receive_buffer = 0;          ///< granted, in the kernel's count
        u32 answer_charge = 0;           ///< what one answer is taken to use of it
        bool privileged = true;          ///< the kernel takes changes from us (CAP_NET_ADMIN)
    };
    /// Measures what an answer costs and asks for buffers that fit `window` messages. Throws std::system_error.
    Limits prepare(u32 window);

    /// 0, or errno.
    int send(std::span<std::byte const> message);
    /// Calls `each` for every datagram that is there. EAGAIN when there are no more, or another errno.
    template <class Each>
    int receive(Each&& each) {
        for (;;) {
            auto const got = receive_some();
            if (got < 0) return errno;
            for (int i = 0; i < got; ++i) each(datagram(static_cast<std::size_t>(i)));
            if (static_cast<std::size_t>(got) < batch) return EAGAIN;
        }
    }

    int descriptor() const { return socket_.get(); }

  private:
    /// Datagrams read with one call, and room for each: an answer without the request it is to, and its texts.
    static constexpr std::size_t batch = 32;
    static constexpr std::size_t datagram_size = 2048;

    int receive_some();
    std::span<std::byte const> datagram(std::size_t index) const;
    u32 probe(std::span<std::byte const> request, int& error);
    u32 option(int name) const;

    Descriptor socket_;
    std::array<mmsghdr, batch> headers_{};
    std::array<iovec, batch> rooms_{};
    std::unique_ptr<std::byte[]> buffer_;
};

}  // namespace nlstream
