// Walking over the attributes of a message.
#pragma once
#include <libmnl/libmnl.h>

#include <cstddef>
#include <span>

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

}  // namespace nlstream
