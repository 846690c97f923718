// Every type of link that has keywords, or a name that iproute2 knows: one line here, one file in this folder. In alphabetical order.
#include "netlink/ip/link/kinds.hpp"

// clang-format off
#define NLSTREAM_LINKS(X) \
    X(amt) \
    X(bareudp) \
    X(batadv) \
    X(bond) \
    X(bond_slave) \
    X(bridge) \
    X(bridge_slave) \
    X(can) \
    X(dsa) \
    X(dummy) \
    X(erspan) \
    X(geneve) \
    X(gre) \
    X(gretap) \
    X(gtp) \
    X(hsr) \
    X(ifb) \
    X(ip6erspan) \
    X(ip6gre) \
    X(ip6gretap) \
    X(ip6tnl) \
    X(ipip) \
    X(ipoib) \
    X(ipvlan) \
    X(ipvtap) \
    X(macsec) \
    X(macvlan) \
    X(macvtap) \
    X(netdevsim) \
    X(netkit) \
    X(nlmon) \
    X(ovpn) \
    X(pfcp) \
    X(rmnet) \
    X(sit) \
    X(team) \
    X(team_slave) \
    X(vcan) \
    X(veth) \
    X(virt_wifi) \
    X(vlan) \
    X(vrf) \
    X(vrf_slave) \
    X(vti) \
    X(vti6) \
    X(vxcan) \
    X(vxlan) \
    X(wireguard) \
    X(wwan) \
    X(xfrm)
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
