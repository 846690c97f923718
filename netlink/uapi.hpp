// Constants of the kernel's interface that are newer than the headers of Debian 12 (linux-libc-dev 6.1). Each names
// its header; the names are the kernel's, in a namespace of their own so that newer headers do not clash.
#pragma once
#include <linux/rtnetlink.h>

#include "netlink/integers.hpp"

namespace nlstream::uapi {

// linux/pkt_sched.h
inline constexpr u16 TCA_FQ_PRIOMAP = 16;
inline constexpr u16 TCA_FQ_WEIGHTS = 17;
inline constexpr u16 TCA_FQ_OFFLOAD_HORIZON = 18;
inline constexpr u16 TCA_MQPRIO_TC_ENTRY = 5;
inline constexpr u16 TCA_MQPRIO_TC_ENTRY_INDEX = 1;
inline constexpr u16 TCA_MQPRIO_TC_ENTRY_FP = 2;
inline constexpr u16 TCA_TAPRIO_TC_ENTRY_FP = 3;
inline constexpr u32 TC_FP_EXPRESS = 1;
inline constexpr u32 TC_FP_PREEMPTIBLE = 2;
inline constexpr u16 TCA_NETEM_PRNG_SEED = 14;
inline constexpr u16 TCA_DUALPI2_LIMIT = 1;
inline constexpr u16 TCA_DUALPI2_MEMORY_LIMIT = 2;
inline constexpr u16 TCA_DUALPI2_TARGET = 3;
inline constexpr u16 TCA_DUALPI2_TUPDATE = 4;
inline constexpr u16 TCA_DUALPI2_ALPHA = 5;
inline constexpr u16 TCA_DUALPI2_BETA = 6;
inline constexpr u16 TCA_DUALPI2_STEP_THRESH_PKTS = 7;
inline constexpr u16 TCA_DUALPI2_STEP_THRESH_US = 8;
inline constexpr u16 TCA_DUALPI2_MIN_QLEN_STEP = 9;
inline constexpr u16 TCA_DUALPI2_COUPLING = 10;
inline constexpr u16 TCA_DUALPI2_DROP_OVERLOAD = 11;
inline constexpr u16 TCA_DUALPI2_DROP_EARLY = 12;
inline constexpr u16 TCA_DUALPI2_C_PROTECTION = 13;
inline constexpr u16 TCA_DUALPI2_ECN_MASK = 14;
inline constexpr u16 TCA_DUALPI2_SPLIT_GSO = 15;
inline constexpr u8 TC_DUALPI2_DROP_OVERLOAD_OVERFLOW = 0;
inline constexpr u8 TC_DUALPI2_DROP_OVERLOAD_DROP = 1;
inline constexpr u8 TC_DUALPI2_DROP_EARLY_DROP_DEQUEUE = 0;
inline constexpr u8 TC_DUALPI2_DROP_EARLY_DROP_ENQUEUE = 1;
inline constexpr u8 TC_DUALPI2_ECN_MASK_L4S_ECT = 1;
inline constexpr u8 TC_DUALPI2_ECN_MASK_ANY_ECT = 3;
inline constexpr u8 TC_DUALPI2_SPLIT_GSO_NO_SPLIT_GSO = 0;
inline constexpr u8 TC_DUALPI2_SPLIT_GSO_SPLIT_GSO = 1;

// linux/seg6_iptunnel.h, linux/ioam6_iptunnel.h
inline constexpr u16 SEG6_IPTUNNEL_SRC = 2;
inline constexpr u16 IOAM6_IPTUNNEL_SRC = 6;

// linux/nexthop.h
inline constexpr u16 NHA_HW_STATS_ENABLE = 16;

// linux/fib_rules.h
inline constexpr u16 FRA_DSCP = 25;
inline constexpr u16 FRA_FLOWLABEL = 26;
inline constexpr u16 FRA_FLOWLABEL_MASK = 27;
inline constexpr u16 FRA_SPORT_MASK = 28;
inline constexpr u16 FRA_DPORT_MASK = 29;
inline constexpr u16 FRA_DSCP_MASK = 30;

// linux/pkt_cls.h, flower
inline constexpr u16 TCA_FLOWER_L2_MISS = 106;
inline constexpr u16 TCA_FLOWER_KEY_CFM = 107;
inline constexpr u16 TCA_FLOWER_KEY_SPI = 108;
inline constexpr u16 TCA_FLOWER_KEY_SPI_MASK = 109;
inline constexpr u16 TCA_FLOWER_KEY_ENC_FLAGS = 110;
inline constexpr u16 TCA_FLOWER_KEY_ENC_FLAGS_MASK = 111;
inline constexpr u16 TCA_FLOWER_KEY_ENC_OPTS_PFCP = 5;
inline constexpr u16 TCA_FLOWER_KEY_ENC_OPT_PFCP_TYPE = 1;
inline constexpr u16 TCA_FLOWER_KEY_ENC_OPT_PFCP_SEID = 2;
inline constexpr u16 TCA_FLOWER_KEY_CFM_MD_LEVEL = 1;
inline constexpr u16 TCA_FLOWER_KEY_CFM_OPCODE = 2;
inline constexpr u32 TCA_FLOWER_KEY_FLAGS_TUNNEL_CSUM = 1 << 2;
inline constexpr u32 TCA_FLOWER_KEY_FLAGS_TUNNEL_DONT_FRAGMENT = 1 << 3;
inline constexpr u32 TCA_FLOWER_KEY_FLAGS_TUNNEL_OAM = 1 << 4;
inline constexpr u32 TCA_FLOWER_KEY_FLAGS_TUNNEL_CRIT_OPT = 1 << 5;

// linux/tc_act/tc_mirred.h
inline constexpr u16 TCA_MIRRED_BLOCKID = 4;

// linux/if_link.h
inline constexpr u16 IFLA_GSO_IPV4_MAX_SIZE = 63;
inline constexpr u16 IFLA_GRO_IPV4_MAX_SIZE = 64;
inline constexpr u16 IFLA_BR_FDB_MAX_LEARNED = 49;
inline constexpr u16 IFLA_BR_STP_MODE = 50;
inline constexpr u16 IFLA_VXLAN_LOCALBYPASS = 31;
inline constexpr u16 IFLA_VXLAN_RESERVED_BITS = 33;
inline constexpr u16 IFLA_VXLAN_MC_ROUTE = 34;
inline constexpr u16 IFLA_BOND_COUPLED_CONTROL = 32;
inline constexpr u16 IFLA_BOND_BROADCAST_NEIGH = 33;
inline constexpr u16 IFLA_BOND_SLAVE_ACTOR_PORT_PRIO = 10;
inline constexpr u16 IFLA_BRPORT_MAB = 40;
inline constexpr u16 IFLA_BRPORT_NEIGH_VLAN_SUPPRESS = 43;
inline constexpr u16 IFLA_BRPORT_BACKUP_NHID = 44;
inline constexpr u16 IFLA_BRPORT_NEIGH_FORWARD_GRAT = 45;
inline constexpr u16 IFLA_GENEVE_LOCAL = 17;
inline constexpr u16 IFLA_GENEVE_LOCAL6 = 18;
inline constexpr u16 IFLA_HSR_INTERLINK = 8;
inline constexpr u16 IFLA_MACVLAN_BC_CUTOFF = 9;
inline constexpr u16 IFLA_NETKIT_PEER_INFO = 1;
inline constexpr u16 IFLA_NETKIT_POLICY = 3;
inline constexpr u16 IFLA_NETKIT_PEER_POLICY = 4;
inline constexpr u16 IFLA_NETKIT_MODE = 5;
inline constexpr u16 IFLA_NETKIT_SCRUB = 6;
inline constexpr u16 IFLA_NETKIT_PEER_SCRUB = 7;

// linux/if_bridge.h
inline constexpr u32 BR_BOOLOPT_MDB_OFFLOAD_FAIL_NOTIFICATION = 3;
inline constexpr u32 BR_BOOLOPT_FDB_LOCAL_VLAN_0 = 4;

// linux/if_link.h, bridge ports
inline constexpr u16 IFLA_BRPORT_MCAST_MAX_GROUPS = 42;

// linux/if_bridge.h
inline constexpr u16 BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS = 8;
inline constexpr u16 BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS = 9;
inline constexpr u16 BRIDGE_VLANDB_ENTRY_NEIGH_FORWARD_GRAT = 10;
inline constexpr u16 MDBE_ATTR_SRC_LIST = 2;
inline constexpr u16 MDBE_ATTR_GROUP_MODE = 3;
inline constexpr u16 MDBE_ATTR_RTPROT = 4;
inline constexpr u16 MDBE_ATTR_DST = 5;
inline constexpr u16 MDBE_ATTR_DST_PORT = 6;
inline constexpr u16 MDBE_ATTR_VNI = 7;
inline constexpr u16 MDBE_ATTR_IFINDEX = 8;
inline constexpr u16 MDBE_ATTR_SRC_VNI = 9;
inline constexpr u16 MDBE_ATTR_STATE_MASK = 10;
inline constexpr u16 MDBE_SRC_LIST_ENTRY = 1;
inline constexpr u16 MDBE_SRCATTR_ADDRESS = 1;

// linux/tc_act/tc_ct.h
inline constexpr u16 TCA_CT_HELPER_NAME = 16;
inline constexpr u16 TCA_CT_HELPER_FAMILY = 17;
inline constexpr u16 TCA_CT_HELPER_PROTO = 18;

// linux/tc_act/tc_tunnel_key.h
inline constexpr u16 TCA_TUNNEL_KEY_NO_FRAG = 14;

}  // namespace nlstream::uapi

// Macros, which know no namespaces: the headers they come from are above.
#ifndef RTAX_FEATURE_TCP_USEC_TS
#define RTAX_FEATURE_TCP_USEC_TS (1 << 4)  // linux/rtnetlink.h
#endif
#ifndef NTF_EXT_EXT_VALIDATED
#define NTF_EXT_EXT_VALIDATED (1 << 2)  // linux/neighbour.h
#endif
