// ip link ... type dummy, ifb, ...: types without options.
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {

extern constinit LinkKind const dummy_link = {{"link", "dummy", "A link that takes packets and drops them; it has no options."}};
extern constinit LinkKind const ifb_link = {{"link", "ifb", "A link to which packets are redirected in order to shape them; it has no options."}};
extern constinit LinkKind const netdevsim_link = {{"link", "netdevsim", "A link that simulates a device with offloads; it has no options."}};
extern constinit LinkKind const nlmon_link = {{"link", "nlmon", "A link on which netlink messages can be captured; it has no options."}};
extern constinit LinkKind const ovpn_link = {{"link", "ovpn", "A link of OpenVPN's kernel part; ip knows no options of it."}};
extern constinit LinkKind const pfcp_link = {{"link", "pfcp", "A link of the packet forwarding control protocol; it has no options."}};
extern constinit LinkKind const team_link = {{"link", "team", "Several links as one, ruled by a daemon (teamd); it has no options."}};
extern constinit LinkKind const team_slave_link = {{"link", "team_slave", "A link that is part of a team; it has no options."}};
extern constinit LinkKind const vcan_link = {{"link", "vcan", "A virtual CAN bus on this host; it has no options."}};
extern constinit LinkKind const virt_wifi_link = {{"link", "virt_wifi", "A wireless link on top of a wired one; it has no options."}};
extern constinit LinkKind const vrf_slave_link = {{"link", "vrf_slave", "A link that is part of a VRF; it has no options."}};
extern constinit LinkKind const wireguard_link = {{"link", "wireguard", "A WireGuard tunnel; its keys and peers are set with wg(8)."}};

}  // namespace nlstream::ip
