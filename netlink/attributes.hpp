// Walking over the attributes of a message.
#pragma once
#include <libmnl/libmnl.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

#include "netlink/integers.hpp"

namespace nlstream {

namespace detail {
template <class Each>
int call_each(nlattr const* attribute, void* each) {
    (*static_cast<Each*>(each))(*attribute);
    return MNL_CB_OK;
}
}  // namespace detail

/// Calls `each` for every attribute of a nest.
template <class Each>
void for_each_in(nlattr const& nest, Each each) {
    mnl_attr_parse_nested(&nest, detail::call_each<Each>, &each);
}

/// Calls `each` for every attribute among `bytes`.
template <class Each>
void for_each_in(std::span<std::byte const> bytes, Each each) {
    mnl_attr_parse_payload(bytes.data(), bytes.size(), detail::call_each<Each>, &each);
}

/// Calls `each` for every attribute of a message, `offset` bytes behind its nlmsghdr.
template <class Each>
void for_each_from(nlmsghdr const& message, std::size_t offset, Each each) {
    mnl_attr_parse(&message, static_cast<unsigned>(offset), detail::call_each<Each>, &each);
}

/// The attributes of a message by their type, up to `Max`; of several with one type the last. REQUIRES: the message outlives it.
template <u16 Max>
class Attributes {
  public:
    /// They begin `offset` bytes behind the nlmsghdr.
    Attributes(nlmsghdr const& message, std::size_t offset) {
        for_each_from(message, offset, [this](nlattr const& attribute) {
            if (auto const type = mnl_attr_get_type(&attribute); type <= Max) found_[type] = &attribute;
        });
    }

    /// nullptr: there is none.
    nlattr const* operator[](u16 type) const { return found_.at(type); }
    std::span<u8 const> payload(u16 type) const {
        auto const* attribute = found_.at(type);
        if (!attribute) return {};
        return {static_cast<u8 const*>(mnl_attr_get_payload(attribute)), mnl_attr_get_payload_len(attribute)};
    }
    /// The payload as it is in memory; `absent` where there is none, or a shorter one.
    template <class T>
    T value(u16 type, T absent = {}) const {
        auto const bytes = payload(type);
        if (bytes.size() < sizeof absent) return absent;
        std::memcpy(&absent, bytes.data(), sizeof absent);
        return absent;
    }

  private:
    std::array<nlattr const*, Max + 1> found_{};
};

}  // namespace nlstream
