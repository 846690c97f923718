// ip link ... type bridge_slave: a link that is a bridge's port.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct BridgePort {};

// clang-format off
constexpr Row rows[] = {
    {"fdb_flush*",          "",       Flag{IFLA_BRPORT_FLUSH},                          "Forget the addresses learned here."},
    {"state*",              "0..4",   U8(IFLA_BRPORT_STATE),                            "STP state: 0 disabled, 1 listening, 2 learning, 3 forwarding, 4 blocking."},
    {"priority*",           "N",      U16(IFLA_BRPORT_PRIORITY),                        "STP: priority of the port, 0 to 63."},
    {"cost*",               "N",      U32(IFLA_BRPORT_COST),                            "STP: cost of the path through it."},
    {"hairpin*",            "on|off", OnOff(IFLA_BRPORT_MODE),                          "Packets may leave by the port that they came in by."},
    {"guard*",              "on|off", OnOff(IFLA_BRPORT_GUARD),                         "STP messages that come in here disable the port."},
    {"root_block*",         "on|off", OnOff(IFLA_BRPORT_PROTECT),                       "It never becomes the way to the root."},
    {"fastleave*",          "on|off", OnOff(IFLA_BRPORT_FAST_LEAVE),                    "As mcast_fast_leave."},
    {"learning*",           "on|off", OnOff(IFLA_BRPORT_LEARNING),                      "Learn addresses here."},
    {"flood*",              "on|off", OnOff(IFLA_BRPORT_UNICAST_FLOOD),                 "Send packets for unknown addresses here."},
    {"mcast_flood*",        "on|off", OnOff(IFLA_BRPORT_MCAST_FLOOD),                   "Send multicast of unknown groups here."},
    {"bcast_flood*",        "on|off", OnOff(IFLA_BRPORT_BCAST_FLOOD),                   "Send broadcasts here."},
    {"mcast_to_unicast*",   "on|off", OnOff(IFLA_BRPORT_MCAST_TO_UCAST),                "Send multicast to each listener by itself."},
    {"proxy_arp*",          "on|off", OnOff(IFLA_BRPORT_PROXYARP),                      "Answer ARP requests for hosts behind other ports."},
    {"proxy_arp_wifi*",     "on|off", OnOff(IFLA_BRPORT_PROXYARP_WIFI),                 "The same, as IEEE 802.11 and Hotspot 2.0 want it."},
    {"mcast_router*",       "0..3",   U8(IFLA_BRPORT_MULTICAST_ROUTER),                 "A multicast router is here: 0 never, 1 as found out, 2 always, 3 for a while."},
    {"mcast_fast_leave*",   "on|off", OnOff(IFLA_BRPORT_FAST_LEAVE),                    "The first leave ends a group's multicast here."},
    {"neigh_suppress*",     "on|off", OnOff(IFLA_BRPORT_NEIGH_SUPPRESS),                "Answer ARP and neighbour discovery for known hosts instead of sending it here."},
    {"neigh_vlan_suppress", "on|off", OnOff(uapi::IFLA_BRPORT_NEIGH_VLAN_SUPPRESS),     "The same, as each VLAN says."},
    {"neigh_forward_grat",  "on|off", OnOff(uapi::IFLA_BRPORT_NEIGH_FORWARD_GRAT),      "Announcements by ARP and neighbour discovery pass all the same."},
    {"group_fwd_mask*",     "MASK",   U16(IFLA_BRPORT_GROUP_FWD_MASK),                  "Forward frames to 01:80:c2:00:00:0X for every bit X."},
    {"vlan_tunnel*",        "on|off", OnOff(IFLA_BRPORT_VLAN_TUNNEL),                   "VLANs map to tunnel ids here."},
    {"isolated*",           "on|off", OnOff(IFLA_BRPORT_ISOLATED),                      "Isolated ports do not reach each other."},
    {"locked*",             "on|off", OnOff(IFLA_BRPORT_LOCKED),                        "Only known hosts may send here (IEEE 802.1X)."},
    {"mab",                 "on|off", OnOff(uapi::IFLA_BRPORT_MAB),                     "Unknown hosts at a locked port are listed for a daemon to let in."},
    {"backup_port*",        "DEVICE", device(IFLA_BRPORT_BACKUP_PORT),                  "Packets go to this port while this one has no carrier."},
    {"nobackup_port*",      "",       put_u32(IFLA_BRPORT_BACKUP_PORT, 0),              "No backup port."},
    {"backup_nhid",         "ID",     U32(uapi::IFLA_BRPORT_BACKUP_NHID),               "The nexthop that packets for the backup port carry (0: none)."},
};
// clang-format on
constexpr auto table = keywords<BridgePort>(rows);

void read(Line& line) {
    BridgePort none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const bridge_slave_link = {{"link", "bridge_slave", "A link that is a bridge's port.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
