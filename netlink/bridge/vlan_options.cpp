// bridge vlan set, bridge vlan global set: options of VLANs that exist.
#include "netlink/bridge/vlan_options.hpp"

#include <linux/if_bridge.h>
#include <linux/rtnetlink.h>

#include "netlink/bridge/values.hpp"
#include "netlink/command.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::bridge {
namespace {

struct Options {
    bool dev_given = false;
    bool vid_given = false;
};

void read_dev(Line& line, Options& o) {
    auto const index = line.take_main_device();
    line.out.value_at<br_vlan_msg>(sizeof(nlmsghdr)).ifindex = index;
    o.dev_given = true;
}

// Values are put as they are read: the order of the line is the order of the attributes.

void read_vids_of_port(Line& line, Options& o) {
    auto const vids = read_vids(line.take("VID"));
    line.out.put(BRIDGE_VLANDB_ENTRY_INFO, bridge_vlan_info{.flags = BRIDGE_VLAN_INFO_ONLY_OPTS, .vid = static_cast<u16>(vids.first)});
    if (vids.last) line.out.put(BRIDGE_VLANDB_ENTRY_RANGE, static_cast<u16>(*vids.last));
    o.vid_given = true;
}
void read_state(Line& line, Options&) { line.out.put(BRIDGE_VLANDB_ENTRY_STATE, read_stp_state(line.take("STATE"))); }

constexpr Row set_rows[] = {
    {"dev",                "DEVICE",     custom<read_dev>,                                        "The port."},
    {"vid",                "VID[-LAST]", custom<read_vids_of_port>,                               "One VLAN, or all from VID to LAST."},
    {"state",              "STATE",      custom<read_state>,                                      "Of the spanning tree: disabled, listening, learning, forwarding, blocking, or their number from 0."},
    {"mcast_router",       "N",          U8(BRIDGE_VLANDB_ENTRY_MCAST_ROUTER),                    "Multicast routers: 0 none, 1 found out, 2 always."},
    {"mcast_max_groups",   "N",          U32(uapi::BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS),         "At most N multicast memberships; 0: any number."},
    {"neigh_suppress",     "on|off",     OnOff(uapi::BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS),         "Answer ARP and neighbour discovery instead of flooding them (the port must have neigh_vlan_suppress)."},
    {"neigh_forward_grat", "on|off",     OnOff(uapi::BRIDGE_VLANDB_ENTRY_NEIGH_FORWARD_GRAT),     "Flood gratuitous ARP and unsolicited advertisements all the same."},
};
constexpr auto set_table = keywords<Options>(set_rows);

void read_vids_of_bridge(Line& line, Options& o) {
    auto const vids = read_vids(line.take("VID"));
    line.out.put(BRIDGE_VLANDB_GOPTS_ID, static_cast<u16>(vids.first));
    if (vids.last) line.out.put(BRIDGE_VLANDB_GOPTS_RANGE, static_cast<u16>(*vids.last));
    o.vid_given = true;
}

constexpr Row global_rows[] = {
    {"dev",                           "DEVICE",     custom<read_dev>,                                       "The bridge."},
    {"vid",                           "VID[-LAST]", custom<read_vids_of_bridge>,                            "One VLAN, or all from VID to LAST."},
    {"mcast_snooping",                "0|1",        U8(BRIDGE_VLANDB_GOPTS_MCAST_SNOOPING),                 "Send a group's frames only where it has members."},
    {"mcast_querier",                 "0|1",        U8(BRIDGE_VLANDB_GOPTS_MCAST_QUERIER),                  "Ask hosts for their groups."},
    {"mcast_igmp_version",            "N",          U8(BRIDGE_VLANDB_GOPTS_MCAST_IGMP_VERSION),             "The IGMP version: 2 or 3."},
    {"mcast_mld_version",             "N",          U8(BRIDGE_VLANDB_GOPTS_MCAST_MLD_VERSION),              "The MLD version: 1 or 2."},
    {"mcast_last_member_count",       "N",          U32(BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_CNT),         "Queries after a leave before a group is dropped."},
    {"mcast_startup_query_count",     "N",          U32(BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_CNT),       "Queries at the start."},
    {"mcast_last_member_interval",    "TICKS",      U64(BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_INTVL),       "Time between queries after a leave, in 1/100 s."},
    {"mcast_membership_interval",     "TICKS",      U64(BRIDGE_VLANDB_GOPTS_MCAST_MEMBERSHIP_INTVL),        "Time after which a silent member is dropped, in 1/100 s."},
    {"mcast_querier_interval",        "TICKS",      U64(BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_INTVL),           "Time after which another querier counts as gone, in 1/100 s."},
    {"mcast_query_interval",          "TICKS",      U64(BRIDGE_VLANDB_GOPTS_MCAST_QUERY_INTVL),             "Time between queries, in 1/100 s."},
    {"mcast_query_response_interval", "TICKS",      U64(BRIDGE_VLANDB_GOPTS_MCAST_QUERY_RESPONSE_INTVL),    "Time that members may take to answer, in 1/100 s."},
    {"mcast_startup_query_interval",  "TICKS",      U64(BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_INTVL),     "Time between queries at the start, in 1/100 s."},
    {"msti",                          "MSTI",       U16(BRIDGE_VLANDB_GOPTS_MSTI),                          "The spanning tree instance of the VLAN."},
};
constexpr auto global_table = keywords<Options>(global_rows);

void read_options(Line& line, Table const& table, u16 nest) {
    begin_request<br_vlan_msg>(line, RTM_NEWVLAN, 0).family = AF_BRIDGE;
    Options o;
    line.out.nest(nest | NLA_F_NESTED, [&] { Reader(table, o).read_all(line); });
    if (!o.dev_given) fail_missing(line, "dev DEVICE");
    if (!o.vid_given) fail_missing(line, "vid VID");
    end_request(line);
}

constexpr Verb global_verbs[] = {{"show|lst|list"}, {"set", RTM_NEWVLAN, 0}};

}  // namespace

Table vlan_set_table() { return set_table; }
Table vlan_global_set_table() { return global_table; }

void read_vlan_set(Line& line) { read_options(line, set_table, BRIDGE_VLANDB_ENTRY); }

void read_vlan_global_set(Line& line) {
    read_verb(line, global_verbs, "bridge vlan global");
    read_options(line, global_table, BRIDGE_VLANDB_GLOBAL_OPTIONS);
}

}  // namespace nlstream::bridge
