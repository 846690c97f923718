// Walking over bytes that came from the kernel.
#pragma once
#include <linux/netlink.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "netlink/integers.hpp"

namespace nlstream {

/// `size` up to the boundary that messages and attributes are padded to.
constexpr std::size_t netlink_padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

/// The struct at the beginning of what follows the head of `message`; nothing if the message ends before.
template <class Body>
Body const* body_of(nlmsghdr const& message) {
    if (message.nlmsg_len < sizeof message + sizeof(Body)) return nullptr;
    return reinterpret_cast<Body const*>(reinterpret_cast<std::byte const*>(&message) + sizeof message);
}

/// What stands behind the head and the struct of `fixed` bytes: the attributes.
inline std::span<std::byte const> attributes_of(nlmsghdr const& message, std::size_t fixed) {
    auto const* begin = reinterpret_cast<std::byte const*>(&message);
    auto const skipped = std::min<std::size_t>(sizeof message + netlink_padded(fixed), message.nlmsg_len);
    return {begin + skipped, message.nlmsg_len - skipped};
}

/// Calls `each` for the messages of one datagram, up to the first that is not whole.
template <class Each>
void for_each_message(std::span<std::byte const> bytes, Each&& each) {
    while (bytes.size() >= sizeof(nlmsghdr)) {
        auto const& message = *reinterpret_cast<nlmsghdr const*>(bytes.data());
        if (message.nlmsg_len < sizeof message || message.nlmsg_len > bytes.size()) return;
        each(message);
        bytes = bytes.subspan(std::min(netlink_padded(message.nlmsg_len), bytes.size()));
    }
}

/// Calls `each` with type (without flags) and payload of every attribute.
template <class Each>
void for_each_attribute(std::span<std::byte const> bytes, Each&& each) {
    while (bytes.size() >= sizeof(nlattr)) {
        nlattr head;
        std::memcpy(&head, bytes.data(), sizeof head);
        if (head.nla_len < sizeof head || head.nla_len > bytes.size()) return;
        each(static_cast<u16>(head.nla_type & 0x3fff), bytes.subspan(sizeof head, head.nla_len - sizeof head));
        bytes = bytes.subspan(std::min(netlink_padded(head.nla_len), bytes.size()));
    }
}

}  // namespace nlstream
