// Every type of link that has keywords, or a name that iproute2 knows: one line here, one file in this folder. In alphabetical order.
#include "netlink/ip/link/kinds.hpp"

// clang-format off
#define NLSTREAM_LINKS(X) \
    X(bridge) \
    X(dummy) \
    X(ifb) \
    X(veth) \
    X(vxlan)
// clang-format on

namespace nlstream::ip {

#define NLSTREAM_DECLARE(name) extern LinkKind const name##_link;
NLSTREAM_LINKS(NLSTREAM_DECLARE)
#undef NLSTREAM_DECLARE

std::span<LinkKind const* const> link_kinds() {
#define NLSTREAM_ADDRESS(name) &name##_link,
    static constexpr LinkKind const* kinds[] = {NLSTREAM_LINKS(NLSTREAM_ADDRESS)};
#undef NLSTREAM_ADDRESS
    return kinds;
}

}  // namespace nlstream::ip
