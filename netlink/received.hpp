// Walking over messages and attributes. <linux/netlink.h> says how they lie in memory.
#pragma once
#include <linux/netlink.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

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

/// What stands behind the head and `fixed` bytes: the attributes.
inline std::span<std::byte const> attributes_of(nlmsghdr const& message, std::size_t fixed) {
    auto const* begin = reinterpret_cast<std::byte const*>(&message);
    auto const skipped = std::min<std::size_t>(sizeof message + netlink_padded(fixed), message.nlmsg_len);
    return {begin + skipped, message.nlmsg_len - skipped};
}

/// Without the flags that a type can carry.
inline u16 type_of(nlattr const& attribute) { return static_cast<u16>(attribute.nla_type & NLA_TYPE_MASK); }

inline std::span<std::byte const> payload_of(nlattr const& attribute) {
    return {reinterpret_cast<std::byte const*>(&attribute) + sizeof attribute, attribute.nla_len - sizeof attribute};
}

/// The payload up to its end or a NUL.
inline std::string_view text_of(nlattr const& attribute) {
    auto const payload = payload_of(attribute);
    auto const* text = reinterpret_cast<char const*>(payload.data());
    return {text, ::strnlen(text, payload.size())};
}

/// The beginning of the payload as it is in memory; `absent` where it is shorter.
template <class T>
T value_of(nlattr const& attribute, T absent = {}) {
    auto const payload = payload_of(attribute);
    if (payload.size() >= sizeof absent) std::memcpy(&absent, payload.data(), sizeof absent);
    return absent;
}

/// Calls `each` with what lies padded one behind the other, as long as its `Head` says in `length` and up to the first that
/// is not whole. Returns what is left from there on.
template <class Head, auto length, class Each>
std::span<std::byte const> for_each_whole(std::span<std::byte const> bytes, Each&& each) {
    while (bytes.size() >= sizeof(Head)) {
        auto const& head = *reinterpret_cast<Head const*>(bytes.data());
        if (head.*length < sizeof head || head.*length > bytes.size()) break;
        each(head);
        bytes = bytes.subspan(std::min(netlink_padded(head.*length), bytes.size()));
    }
    return bytes;
}

/// Of the messages of a datagram, with their nlmsghdr.
template <class Each>
std::span<std::byte const> for_each_message(std::span<std::byte const> bytes, Each&& each) {
    return for_each_whole<nlmsghdr, &nlmsghdr::nlmsg_len>(bytes, each);
}

/// Of attributes, with their nlattr.
template <class Each>
std::span<std::byte const> for_each_attribute(std::span<std::byte const> bytes, Each&& each) {
    return for_each_whole<nlattr, &nlattr::nla_len>(bytes, each);
}

/// Of the attributes in an attribute.
template <class Each>
std::span<std::byte const> for_each_attribute(nlattr const& nest, Each&& each) {
    return for_each_attribute(payload_of(nest), each);
}

/// Attributes by their type, up to `Max`; of several with one type the last. REQUIRES: what they are in outlives it.
template <u16 Max>
class Attributes {
  public:
    /// Those of a message, behind its head and `fixed` bytes.
    Attributes(nlmsghdr const& message, std::size_t fixed) {
        for_each_attribute(attributes_of(message, fixed), [this](nlattr const& attribute) {
            if (auto const type = type_of(attribute); type <= Max) found_[type] = &attribute;
        });
    }

    /// nullptr: there is none.
    nlattr const* operator[](u16 type) const { return found_.at(type); }
    std::span<u8 const> payload(u16 type) const {
        auto const* attribute = found_.at(type);
        if (!attribute) return {};
        auto const bytes = payload_of(*attribute);
        return {reinterpret_cast<u8 const*>(bytes.data()), bytes.size()};
    }
    /// As value_of(); `absent` where there is none.
    template <class T>
    T value(u16 type, T absent = {}) const {
        auto const* attribute = found_.at(type);
        return attribute ? value_of(*attribute, absent) : absent;
    }

  private:
    std::array<nlattr const*, Max + 1> found_{};
};

}  // namespace nlstream
