// bridge link set: the options of a bridge's port.
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "netlink/bridge/kinds.hpp"
#include "netlink/bridge/values.hpp"
#include "netlink/tc/put_given.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::bridge {
namespace {

using tc::put_given;

constexpr Verb verbs[] = {{"set*|change*", RTM_SETLINK, 0}, {"show*|lst*|list*"}};

struct Port {
    std::optional<u32> index;
    std::optional<u8> guard, hairpin, fast_leave, root_block, flood, mcast_router, mcast_flood, bcast_flood, mcast_to_unicast;
    int max_groups = -1;  // negative: not put
    std::optional<u8> learning, learning_sync;
    u32 cost = 0;         // 0: not put
    std::optional<u16> priority;
    std::optional<u8> state, neigh_suppress, neigh_vlan_suppress, neigh_forward_grat, vlan_tunnel, isolated, locked, mab;
    std::optional<u32> backup_port, backup_nexthop;
    u16 flags = 0;
    std::optional<u16> mode;
};

constexpr NamedValue modes[] = {{"vepa", BRIDGE_MODE_VEPA}, {"veb", BRIDGE_MODE_VEB}};

void read_dev(Line& line, Port& p) { p.index = line.take_main_device(); }
// A signed byte is what iproute2 keeps it in.
void read_state(Line& line, Port& p) { p.state = read_stp_state(line.take("STATE"), 127); }
void read_hwmode(Line& line, Port& p) {
    p.mode = static_cast<u16>(read_choice(line.take("MODE"), modes, "hwmode"));
    p.flags = BRIDGE_FLAGS_SELF;
}

constexpr Row rows[] = {
    {"dev",                 "DEVICE", custom<read_dev>,                            "The port."},
    {"guard",               "on|off", OnOff(keep<&Port::guard>),                   "Close the port when a BPDU arrives (off by default, as all that follow unless said otherwise)."},
    {"hairpin",             "on|off", OnOff(keep<&Port::hairpin>),                 "Frames may leave by the port they came in by."},
    {"fastleave",           "on|off", OnOff(keep<&Port::fast_leave>),              "Stop sending a group's frames as soon as one host leaves it."},
    {"root_block",          "on|off", OnOff(keep<&Port::root_block>),              "The port never leads to the tree's root."},
    {"learning",            "on|off", OnOff(keep<&Port::learning>),                "Learn addresses from what arrives (default: on)."},
    {"learning_sync",       "on|off", OnOff(keep<&Port::learning_sync>),           "The bridge takes over the addresses that the link has learnt."},
    {"flood",               "on|off", OnOff(keep<&Port::flood>),                   "Send frames for unknown addresses (default: on)."},
    {"mcast_router",        "N",      Number{{kept, 1, false, keep<&Port::mcast_router>}, 0, 127, 10}, "Multicast routers: 0 none, 1 found out, 2 always, 3 until its queries stop (default: 1)."},
    {"mcast_flood",         "on|off", OnOff(keep<&Port::mcast_flood>),             "Send frames for groups nobody has asked for (default: on)."},
    {"bcast_flood",         "on|off", OnOff(keep<&Port::bcast_flood>),             "Send broadcasts (default: on)."},
    {"mcast_to_unicast",    "on|off", OnOff(keep<&Port::mcast_to_unicast>),        "Send one unicast copy to each member of a group."},
    {"mcast_max_groups",    "N",      S32(keep<&Port::max_groups>),                "At most N multicast memberships; 0: any number (default). Below 0: no change."},
    {"cost",                "COST",   Number{{kept, 4, false, keep<&Port::cost>}, 0, 0x7fffffff, 10}, "The path's cost for the spanning tree; 0: no change."},
    {"priority",            "N",      Number{{kept, 2, false, keep<&Port::priority>}, 0, 0x7fff, 10}, "The port's priority for the spanning tree, 0 to 63."},
    {"state",               "STATE",  custom<read_state>,                          "disabled, listening, learning, forwarding, blocking, or their number from 0."},
    {"hwmode",              "MODE",   custom<read_hwmode>,                         "How the link's own switch works: vepa or veb. Implies self."},
    {"self",                "",       set(add_bits<&Port::flags>, BRIDGE_FLAGS_SELF), "Configure the link itself."},
    {"master",              "",       set(add_bits<&Port::flags>, BRIDGE_FLAGS_MASTER), "Configure the bridge's port (default)."},
    {"neigh_suppress",      "on|off", OnOff(keep<&Port::neigh_suppress>),          "Answer ARP and neighbour discovery instead of flooding them."},
    {"neigh_vlan_suppress", "on|off", OnOff(keep<&Port::neigh_vlan_suppress>),     "The same for the VLANs that are set to."},
    {"neigh_forward_grat",  "on|off", OnOff(keep<&Port::neigh_forward_grat>),      "Flood gratuitous ARP and unsolicited advertisements all the same."},
    {"vlan_tunnel",         "on|off", OnOff(keep<&Port::vlan_tunnel>),             "Map VLANs to tunnel ids."},
    {"isolated",            "on|off", OnOff(keep<&Port::isolated>),                "No frames between this port and other isolated ones."},
    {"locked",              "on|off", OnOff(keep<&Port::locked>),                  "Only frames from known addresses may enter."},
    {"mab",                 "on|off", OnOff(keep<&Port::mab>),                     "Note unknown addresses of a locked port as locked entries."},
    {"backup_port",         "DEVICE", device(keep<&Port::backup_port>),            "Where frames go while the port has no carrier."},
    {"nobackup_port",       "",       set(keep<&Port::backup_port>, 0),            "Frames go nowhere else while the port has no carrier (default)."},
    {"backup_nhid",         "ID",     U32(keep<&Port::backup_nexthop>),            "The nexthop object that such frames carry; 0: none."},
};
constexpr auto table = keywords<Port>(rows);

void put_port(Line& line, Port const& p) {
    put_given(line, "guard", IFLA_BRPORT_GUARD, p.guard);
    put_given(line, "hairpin", IFLA_BRPORT_MODE, p.hairpin);
    put_given(line, "fastleave", IFLA_BRPORT_FAST_LEAVE, p.fast_leave);
    put_given(line, "root_block", IFLA_BRPORT_PROTECT, p.root_block);
    put_given(line, "flood", IFLA_BRPORT_UNICAST_FLOOD, p.flood);
    put_given(line, "mcast_router", IFLA_BRPORT_MULTICAST_ROUTER, p.mcast_router);
    put_given(line, "mcast_flood", IFLA_BRPORT_MCAST_FLOOD, p.mcast_flood);
    put_given(line, "bcast_flood", IFLA_BRPORT_BCAST_FLOOD, p.bcast_flood);
    put_given(line, "mcast_to_unicast", IFLA_BRPORT_MCAST_TO_UCAST, p.mcast_to_unicast);
    line.source_keyword("mcast_max_groups");
    if (p.max_groups >= 0) line.out.put(uapi::IFLA_BRPORT_MCAST_MAX_GROUPS, p.max_groups);
    put_given(line, "learning", IFLA_BRPORT_LEARNING, p.learning);
    put_given(line, "learning_sync", IFLA_BRPORT_LEARNING_SYNC, p.learning_sync);
    put_given(line, "cost", IFLA_BRPORT_COST, p.cost);
    put_given(line, "priority", IFLA_BRPORT_PRIORITY, p.priority);
    put_given(line, "state", IFLA_BRPORT_STATE, p.state);
    put_given(line, "neigh_suppress", IFLA_BRPORT_NEIGH_SUPPRESS, p.neigh_suppress);
    put_given(line, "neigh_vlan_suppress", uapi::IFLA_BRPORT_NEIGH_VLAN_SUPPRESS, p.neigh_vlan_suppress);
    put_given(line, "neigh_forward_grat", uapi::IFLA_BRPORT_NEIGH_FORWARD_GRAT, p.neigh_forward_grat);
    put_given(line, "vlan_tunnel", IFLA_BRPORT_VLAN_TUNNEL, p.vlan_tunnel);
    put_given(line, "isolated", IFLA_BRPORT_ISOLATED, p.isolated);
    put_given(line, "locked", IFLA_BRPORT_LOCKED, p.locked);
    put_given(line, "mab", uapi::IFLA_BRPORT_MAB, p.mab);
    put_given(line, "backup_port", IFLA_BRPORT_BACKUP_PORT, p.backup_port);
    put_given(line, "backup_nhid", uapi::IFLA_BRPORT_BACKUP_NHID, p.backup_nexthop);
}

}  // namespace

extern constinit KindInfo const link_info = {"bridge", "link", "A port of a bridge.", {{{"", table}}}};

void read_link(Line& line) {
    auto const& verb = read_verb(line, verbs, "bridge link");
    auto& header = begin_request<ifinfomsg>(line, verb.type, verb.flags);
    header.ifi_family = AF_BRIDGE;
    Port p;
    Reader(table, p).read_all(line);
    if (!p.index) fail_missing(line, "dev DEVICE");
    header.ifi_index = static_cast<int>(*p.index);

    line.out.nest(IFLA_PROTINFO | NLA_F_NESTED, [&] { put_port(line, p); });
    if (p.flags || p.mode)
        line.out.nest(IFLA_AF_SPEC, [&] {
            line.out.source({});
            if (p.flags) line.out.put(IFLA_BRIDGE_FLAGS, p.flags);
            put_given(line, "hwmode", IFLA_BRIDGE_MODE, p.mode);
        });
    end_request(line);
}

}  // namespace nlstream::bridge
