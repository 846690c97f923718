// ip link ... type bridge: an Ethernet bridge.
#include <linux/if_bridge.h>

#include "netlink/ether_protocol.hpp"
#include "netlink/ip/link/common.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Bridge {
    br_boolopt_multi switches{};
};

template <u32 Bit>
void read_switch(Line& line, Bridge& b) {
    bool const on = read_number(line.take("0 or 1"), 0, 255) != 0;
    b.switches.optmask |= u32{1} << Bit;
    if (on) b.switches.optval |= u32{1} << Bit;
    else b.switches.optval &= ~(u32{1} << Bit);
}

void read_vlan_protocol(Line& line, Bridge&) { line.out.put(IFLA_BR_VLAN_PROTOCOL, big16(read_ether_protocol(line.take("PROTOCOL")))); }

constexpr NamedValue stp_modes[] = {{"auto*", 0}, {"user*", 1}, {"kernel*", 2}};

// clang-format off
constexpr Row rows[] = {
    {"forward_delay*",                 "CS",       U32(IFLA_BR_FORWARD_DELAY),                         "STP: time in the states listening and learning, in hundredths of a second."},
    {"hello_time*",                    "CS",       U32(IFLA_BR_HELLO_TIME),                            "STP: time between hellos of the root, in hundredths of a second."},
    {"max_age*",                       "CS",       U32(IFLA_BR_MAX_AGE),                               "STP: how long a hello is believed, in hundredths of a second."},
    {"ageing_time*",                   "CS",       U32(IFLA_BR_AGEING_TIME),                           "How long a learned address is kept, in hundredths of a second."},
    {"stp_state*",                     "0|1",      U32(IFLA_BR_STP_STATE),                             "Run the spanning tree protocol."},
    {"stp_mode",                       "MODE",     one_of(stp_modes, {uapi::IFLA_BR_STP_MODE, 4}),     "Who runs it: auto, user or kernel."},
    {"priority*",                      "N",        U16(IFLA_BR_PRIORITY),                              "STP: its priority; the lowest becomes the root."},
    {"vlan_filtering*",                "0|1",      U8(IFLA_BR_VLAN_FILTERING),                         "Forward by VLAN."},
    {"vlan_protocol*",                 "PROTOCOL", custom<read_vlan_protocol>,                         "Its VLAN tags: 802.1Q or 802.1ad."},
    {"group_fwd_mask*",                "MASK",     U16(IFLA_BR_GROUP_FWD_MASK),                        "Forward frames to 01:80:c2:00:00:0X for every bit X."},
    {"group_address*",                 "LLADDR",   custom<put_link_address<IFLA_BR_GROUP_ADDR, Bridge>>, "STP: where hellos are sent to."},
    {"no_linklocal_learn",             "0|1",      custom<read_switch<BR_BOOLOPT_NO_LL_LEARN>>,        "Do not learn from link-local frames."},
    {"mst_enabled",                    "0|1",      custom<read_switch<BR_BOOLOPT_MST_ENABLE>>,         "Multiple spanning trees."},
    {"fdb_max_learned",                "COUNT",    U32(uapi::IFLA_BR_FDB_MAX_LEARNED),                 "The most addresses that are learned (0: no limit)."},
    {"fdb_flush*",                     "",         Flag{IFLA_BR_FDB_FLUSH},                            "Forget the learned addresses."},
    {"vlan_default_pvid*",             "VID",      U16(IFLA_BR_VLAN_DEFAULT_PVID),                     "The VLAN of untagged frames at new ports (0: none)."},
    {"vlan_stats_enabled*",            "0|1",      U8(IFLA_BR_VLAN_STATS_ENABLED),                     "Count by VLAN."},
    {"vlan_stats_per_port*",           "0|1",      U8(IFLA_BR_VLAN_STATS_PER_PORT),                    "Count by VLAN and port."},
    {"mcast_router*",                  "0|1|2",    U8(IFLA_BR_MCAST_ROUTER),                           "Send multicast to the host: never, as found out, always."},
    {"mcast_snooping*",                "0|1",      U8(IFLA_BR_MCAST_SNOOPING),                         "Send multicast only where somebody listens."},
    {"mcast_vlan_snooping",            "0|1",      custom<read_switch<BR_BOOLOPT_MCAST_VLAN_SNOOPING>>, "The same for each VLAN on its own."},
    {"mcast_query_use_ifaddr*",        "0|1",      U8(IFLA_BR_MCAST_QUERY_USE_IFADDR),                 "Queries carry the bridge's own address, not 0.0.0.0."},
    {"mcast_querier*",                 "0|1",      U8(IFLA_BR_MCAST_QUERIER),                          "Ask who listens to multicast."},
    {"mcast_hash_elasticity*",         "N",        U32(IFLA_BR_MCAST_HASH_ELASTICITY),                 "Without effect since Linux 5.0."},
    {"mcast_hash_max*",                "COUNT",    U32(IFLA_BR_MCAST_HASH_MAX),                        "The most multicast groups."},
    {"mcast_last_member_count*",       "COUNT",    U32(IFLA_BR_MCAST_LAST_MEMBER_CNT),                 "Queries before a group that was left is given up."},
    {"mcast_startup_query_count*",     "COUNT",    U32(IFLA_BR_MCAST_STARTUP_QUERY_CNT),               "Queries at the start."},
    {"mcast_last_member_interval*",    "CS",       U64(IFLA_BR_MCAST_LAST_MEMBER_INTVL),               "Time between queries after a leave, in hundredths of a second."},
    {"mcast_membership_interval*",     "CS",       U64(IFLA_BR_MCAST_MEMBERSHIP_INTVL),                "How long a listener is remembered, in hundredths of a second."},
    {"mcast_querier_interval*",        "CS",       U64(IFLA_BR_MCAST_QUERIER_INTVL),                   "How long another querier is believed in, in hundredths of a second."},
    {"mcast_query_interval*",          "CS",       U64(IFLA_BR_MCAST_QUERY_INTVL),                     "Time between queries, in hundredths of a second."},
    {"mcast_query_response_interval*", "CS",       U64(IFLA_BR_MCAST_QUERY_RESPONSE_INTVL),            "Time to answer a query, in hundredths of a second."},
    {"mcast_startup_query_interval*",  "CS",       U64(IFLA_BR_MCAST_STARTUP_QUERY_INTVL),             "Time between queries at the start, in hundredths of a second."},
    {"mcast_stats_enabled*",           "0|1",      U8(IFLA_BR_MCAST_STATS_ENABLED),                    "Count IGMP and MLD messages."},
    {"mcast_igmp_version*",            "2|3",      U8(IFLA_BR_MCAST_IGMP_VERSION),                     "The version of IGMP."},
    {"mcast_mld_version*",             "1|2",      U8(IFLA_BR_MCAST_MLD_VERSION),                      "The version of MLD."},
    {"nf_call_iptables*",              "0|1",      U8(IFLA_BR_NF_CALL_IPTABLES),                       "Bridged IPv4 passes iptables."},
    {"nf_call_ip6tables*",             "0|1",      U8(IFLA_BR_NF_CALL_IP6TABLES),                      "Bridged IPv6 passes ip6tables."},
    {"nf_call_arptables*",             "0|1",      U8(IFLA_BR_NF_CALL_ARPTABLES),                      "Bridged ARP passes arptables."},
    {"mdb_offload_fail_notification",  "0|1",      custom<read_switch<uapi::BR_BOOLOPT_MDB_OFFLOAD_FAIL_NOTIFICATION>>, "Tell when a multicast group could not be offloaded."},
    {"fdb_local_vlan_0",               "0|1",      custom<read_switch<uapi::BR_BOOLOPT_FDB_LOCAL_VLAN_0>>, "Keep the ports' own addresses on VLAN 0 only."},
};
// clang-format on
constexpr auto table = keywords<Bridge>(rows);

void read(Line& line) {
    Bridge b;
    Reader(table, b).read_all(line);
    if (b.switches.optmask) line.out.put(IFLA_BR_MULTI_BOOLOPT, b.switches);
}

}  // namespace

extern constinit LinkKind const bridge_link = {{"link", "bridge", "An Ethernet bridge.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
