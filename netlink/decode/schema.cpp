// Attribute names of rtnetlink's families, from linux/{rtnetlink,if_link,if_addr,if_addrlabel,if_bridge,neighbour,nexthop,
// fib_rules,pkt_cls,pkt_sched}.h.
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/if_addrlabel.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "netlink/decode/schema.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::decode_detail {
namespace {

Space metric_attributes();
Space size_table_attributes();
Space link_info_attributes();
Space vlan_entry_attributes();
Space vlan_global_attributes();
Space mdb_entry_attributes();
Space vni_entry_attributes();
Space table_parameters();
Space no_attributes() { return {}; }

constexpr Attribute link_attributes_table[] = {
    {IFLA_ADDRESS, "IFLA_ADDRESS", As::address},
    {IFLA_BROADCAST, "IFLA_BROADCAST", As::address},
    {IFLA_IFNAME, "IFLA_IFNAME", As::text},
    {IFLA_MTU, "IFLA_MTU", As::number},
    {IFLA_LINK, "IFLA_LINK", As::number},
    {IFLA_QDISC, "IFLA_QDISC", As::text},
    {IFLA_STATS, "IFLA_STATS", As::bytes},
    {IFLA_COST, "IFLA_COST", As::number},
    {IFLA_PRIORITY, "IFLA_PRIORITY", As::number},
    {IFLA_MASTER, "IFLA_MASTER", As::number},
    {IFLA_WIRELESS, "IFLA_WIRELESS", As::bytes},
    {IFLA_PROTINFO, "IFLA_PROTINFO", As::nest, no_attributes},
    {IFLA_TXQLEN, "IFLA_TXQLEN", As::number},
    {IFLA_MAP, "IFLA_MAP", As::bytes},
    {IFLA_WEIGHT, "IFLA_WEIGHT", As::number},
    {IFLA_OPERSTATE, "IFLA_OPERSTATE", As::number},
    {IFLA_LINKMODE, "IFLA_LINKMODE", As::number},
    {IFLA_LINKINFO, "IFLA_LINKINFO", As::nest, link_info_attributes},
    {IFLA_NET_NS_PID, "IFLA_NET_NS_PID", As::number},
    {IFLA_IFALIAS, "IFLA_IFALIAS", As::text},
    {IFLA_NUM_VF, "IFLA_NUM_VF", As::number},
    {IFLA_VFINFO_LIST, "IFLA_VFINFO_LIST", As::nest, no_attributes},
    {IFLA_STATS64, "IFLA_STATS64", As::bytes},
    {IFLA_VF_PORTS, "IFLA_VF_PORTS", As::nest, no_attributes},
    {IFLA_PORT_SELF, "IFLA_PORT_SELF", As::bytes},
    {IFLA_AF_SPEC, "IFLA_AF_SPEC", As::nest, no_attributes},
    {IFLA_GROUP, "IFLA_GROUP", As::number},
    {IFLA_NET_NS_FD, "IFLA_NET_NS_FD", As::number},
    {IFLA_EXT_MASK, "IFLA_EXT_MASK", As::number},
    {IFLA_PROMISCUITY, "IFLA_PROMISCUITY", As::number},
    {IFLA_NUM_TX_QUEUES, "IFLA_NUM_TX_QUEUES", As::number},
    {IFLA_NUM_RX_QUEUES, "IFLA_NUM_RX_QUEUES", As::number},
    {IFLA_CARRIER, "IFLA_CARRIER", As::number},
    {IFLA_PHYS_PORT_ID, "IFLA_PHYS_PORT_ID", As::number},
    {IFLA_CARRIER_CHANGES, "IFLA_CARRIER_CHANGES", As::number},
    {IFLA_PHYS_SWITCH_ID, "IFLA_PHYS_SWITCH_ID", As::number},
    {IFLA_LINK_NETNSID, "IFLA_LINK_NETNSID", As::number},
    {IFLA_PHYS_PORT_NAME, "IFLA_PHYS_PORT_NAME", As::text},
    {IFLA_PROTO_DOWN, "IFLA_PROTO_DOWN", As::number},
    {IFLA_GSO_MAX_SEGS, "IFLA_GSO_MAX_SEGS", As::number},
    {IFLA_GSO_MAX_SIZE, "IFLA_GSO_MAX_SIZE", As::number},
    {IFLA_XDP, "IFLA_XDP", As::nest, no_attributes},
    {IFLA_EVENT, "IFLA_EVENT", As::number},
    {IFLA_NEW_NETNSID, "IFLA_NEW_NETNSID", As::number},
    {IFLA_IF_NETNSID, "IFLA_IF_NETNSID", As::number},
    {IFLA_TARGET_NETNSID, "IFLA_TARGET_NETNSID", As::number},
    {IFLA_CARRIER_UP_COUNT, "IFLA_CARRIER_UP_COUNT", As::number},
    {IFLA_CARRIER_DOWN_COUNT, "IFLA_CARRIER_DOWN_COUNT", As::number},
    {IFLA_NEW_IFINDEX, "IFLA_NEW_IFINDEX", As::number},
    {IFLA_MIN_MTU, "IFLA_MIN_MTU", As::number},
    {IFLA_MAX_MTU, "IFLA_MAX_MTU", As::number},
    {IFLA_PROP_LIST, "IFLA_PROP_LIST", As::nest, link_attributes},
    {IFLA_ALT_IFNAME, "IFLA_ALT_IFNAME", As::text},
    {IFLA_PERM_ADDRESS, "IFLA_PERM_ADDRESS", As::address},
    {IFLA_PROTO_DOWN_REASON, "IFLA_PROTO_DOWN_REASON", As::nest, no_attributes},
    {IFLA_PARENT_DEV_NAME, "IFLA_PARENT_DEV_NAME", As::text},
    {IFLA_PARENT_DEV_BUS_NAME, "IFLA_PARENT_DEV_BUS_NAME", As::text},
    {IFLA_GRO_MAX_SIZE, "IFLA_GRO_MAX_SIZE", As::number},
    {IFLA_TSO_MAX_SIZE, "IFLA_TSO_MAX_SIZE", As::number},
    {IFLA_TSO_MAX_SEGS, "IFLA_TSO_MAX_SEGS", As::number},
    {IFLA_ALLMULTI, "IFLA_ALLMULTI", As::number},
};

constexpr Attribute link_info_attributes_table[] = {
    {IFLA_INFO_KIND, "IFLA_INFO_KIND", As::text},
    {IFLA_INFO_DATA, "IFLA_INFO_DATA", As::options, nullptr, "link"},
    {IFLA_INFO_XSTATS, "IFLA_INFO_XSTATS", As::bytes},
    {IFLA_INFO_SLAVE_KIND, "IFLA_INFO_SLAVE_KIND", As::text},
    {IFLA_INFO_SLAVE_DATA, "IFLA_INFO_SLAVE_DATA", As::options, nullptr, "link"},
};

constexpr Attribute address_attributes_table[] = {
    {IFA_ADDRESS, "IFA_ADDRESS", As::address},
    {IFA_LOCAL, "IFA_LOCAL", As::address},
    {IFA_LABEL, "IFA_LABEL", As::text},
    {IFA_BROADCAST, "IFA_BROADCAST", As::address},
    {IFA_ANYCAST, "IFA_ANYCAST", As::address},
    {IFA_CACHEINFO, "IFA_CACHEINFO", As::bytes},
    {IFA_MULTICAST, "IFA_MULTICAST", As::bytes},
    {IFA_FLAGS, "IFA_FLAGS", As::number},
    {IFA_RT_PRIORITY, "IFA_RT_PRIORITY", As::number},
    {IFA_TARGET_NETNSID, "IFA_TARGET_NETNSID", As::number},
    {IFA_PROTO, "IFA_PROTO", As::number},
};

constexpr Attribute route_attributes_table[] = {
    {RTA_DST, "RTA_DST", As::address},
    {RTA_SRC, "RTA_SRC", As::address},
    {RTA_IIF, "RTA_IIF", As::number},
    {RTA_OIF, "RTA_OIF", As::number},
    {RTA_GATEWAY, "RTA_GATEWAY", As::address},
    {RTA_PRIORITY, "RTA_PRIORITY", As::number},
    {RTA_PREFSRC, "RTA_PREFSRC", As::address},
    {RTA_METRICS, "RTA_METRICS", As::nest, metric_attributes},
    {RTA_MULTIPATH, "RTA_MULTIPATH", As::hops, route_attributes},
    {RTA_PROTOINFO, "RTA_PROTOINFO", As::bytes},
    {RTA_FLOW, "RTA_FLOW", As::number},
    {RTA_CACHEINFO, "RTA_CACHEINFO", As::bytes},
    {RTA_SESSION, "RTA_SESSION", As::bytes},
    {RTA_MP_ALGO, "RTA_MP_ALGO", As::bytes},
    {RTA_TABLE, "RTA_TABLE", As::number},
    {RTA_MARK, "RTA_MARK", As::number},
    {RTA_MFC_STATS, "RTA_MFC_STATS", As::bytes},
    {RTA_VIA, "RTA_VIA", As::bytes},
    {RTA_NEWDST, "RTA_NEWDST", As::bytes},
    {RTA_PREF, "RTA_PREF", As::number},
    {RTA_ENCAP_TYPE, "RTA_ENCAP_TYPE", As::number},
    {RTA_ENCAP, "RTA_ENCAP", As::nest, no_attributes},
    {RTA_EXPIRES, "RTA_EXPIRES", As::number},
    {RTA_UID, "RTA_UID", As::number},
    {RTA_TTL_PROPAGATE, "RTA_TTL_PROPAGATE", As::number},
    {RTA_IP_PROTO, "RTA_IP_PROTO", As::number},
    {RTA_SPORT, "RTA_SPORT", As::big_number},
    {RTA_DPORT, "RTA_DPORT", As::big_number},
    {RTA_NH_ID, "RTA_NH_ID", As::number},
};

constexpr Attribute metric_attributes_table[] = {
    {RTAX_LOCK, "RTAX_LOCK", As::number},
    {RTAX_MTU, "RTAX_MTU", As::number},
    {RTAX_WINDOW, "RTAX_WINDOW", As::number},
    {RTAX_RTT, "RTAX_RTT", As::number},
    {RTAX_RTTVAR, "RTAX_RTTVAR", As::number},
    {RTAX_SSTHRESH, "RTAX_SSTHRESH", As::number},
    {RTAX_CWND, "RTAX_CWND", As::number},
    {RTAX_ADVMSS, "RTAX_ADVMSS", As::number},
    {RTAX_REORDERING, "RTAX_REORDERING", As::number},
    {RTAX_HOPLIMIT, "RTAX_HOPLIMIT", As::number},
    {RTAX_INITCWND, "RTAX_INITCWND", As::number},
    {RTAX_FEATURES, "RTAX_FEATURES", As::number},
    {RTAX_RTO_MIN, "RTAX_RTO_MIN", As::number},
    {RTAX_INITRWND, "RTAX_INITRWND", As::number},
    {RTAX_QUICKACK, "RTAX_QUICKACK", As::number},
    {RTAX_CC_ALGO, "RTAX_CC_ALGO", As::text},
    {RTAX_FASTOPEN_NO_COOKIE, "RTAX_FASTOPEN_NO_COOKIE", As::number},
};

constexpr Attribute neighbour_attributes_table[] = {
    {NDA_DST, "NDA_DST", As::address},
    {NDA_LLADDR, "NDA_LLADDR", As::address},
    {NDA_CACHEINFO, "NDA_CACHEINFO", As::bytes},
    {NDA_PROBES, "NDA_PROBES", As::number},
    {NDA_VLAN, "NDA_VLAN", As::number},
    {NDA_PORT, "NDA_PORT", As::big_number},
    {NDA_VNI, "NDA_VNI", As::number},
    {NDA_IFINDEX, "NDA_IFINDEX", As::number},
    {NDA_MASTER, "NDA_MASTER", As::number},
    {NDA_LINK_NETNSID, "NDA_LINK_NETNSID", As::number},
    {NDA_SRC_VNI, "NDA_SRC_VNI", As::number},
    {NDA_PROTOCOL, "NDA_PROTOCOL", As::number},
    {NDA_NH_ID, "NDA_NH_ID", As::number},
    {NDA_FDB_EXT_ATTRS, "NDA_FDB_EXT_ATTRS", As::nest, no_attributes},
    {NDA_FLAGS_EXT, "NDA_FLAGS_EXT", As::number},
    {NDA_NDM_STATE_MASK, "NDA_NDM_STATE_MASK", As::number},
    {NDA_NDM_FLAGS_MASK, "NDA_NDM_FLAGS_MASK", As::number},
};

constexpr Attribute rule_attributes_table[] = {
    {FRA_DST, "FRA_DST", As::address},
    {FRA_SRC, "FRA_SRC", As::address},
    {FRA_IIFNAME, "FRA_IIFNAME", As::text},
    {FRA_GOTO, "FRA_GOTO", As::number},
    {FRA_PRIORITY, "FRA_PRIORITY", As::number},
    {FRA_FWMARK, "FRA_FWMARK", As::number},
    {FRA_FLOW, "FRA_FLOW", As::number},
    {FRA_TUN_ID, "FRA_TUN_ID", As::big_number},
    {FRA_SUPPRESS_IFGROUP, "FRA_SUPPRESS_IFGROUP", As::number},
    {FRA_SUPPRESS_PREFIXLEN, "FRA_SUPPRESS_PREFIXLEN", As::number},
    {FRA_TABLE, "FRA_TABLE", As::number},
    {FRA_FWMASK, "FRA_FWMASK", As::number},
    {FRA_OIFNAME, "FRA_OIFNAME", As::text},
    {FRA_L3MDEV, "FRA_L3MDEV", As::number},
    {FRA_UID_RANGE, "FRA_UID_RANGE", As::bytes},
    {FRA_PROTOCOL, "FRA_PROTOCOL", As::number},
    {FRA_IP_PROTO, "FRA_IP_PROTO", As::number},
    {FRA_SPORT_RANGE, "FRA_SPORT_RANGE", As::bytes},
    {FRA_DPORT_RANGE, "FRA_DPORT_RANGE", As::bytes},
};

constexpr Attribute nexthop_attributes_table[] = {
    {NHA_ID, "NHA_ID", As::number},
    {NHA_GROUP, "NHA_GROUP", As::bytes},
    {NHA_GROUP_TYPE, "NHA_GROUP_TYPE", As::number},
    {NHA_BLACKHOLE, "NHA_BLACKHOLE", As::flag},
    {NHA_OIF, "NHA_OIF", As::number},
    {NHA_GATEWAY, "NHA_GATEWAY", As::address},
    {NHA_ENCAP_TYPE, "NHA_ENCAP_TYPE", As::number},
    {NHA_ENCAP, "NHA_ENCAP", As::nest, no_attributes},
    {NHA_GROUPS, "NHA_GROUPS", As::flag},
    {NHA_MASTER, "NHA_MASTER", As::number},
    {NHA_FDB, "NHA_FDB", As::flag},
    {NHA_RES_GROUP, "NHA_RES_GROUP", As::nest, no_attributes},
    {NHA_RES_BUCKET, "NHA_RES_BUCKET", As::bytes},
};

constexpr Attribute traffic_attributes_table[] = {
    {TCA_KIND, "TCA_KIND", As::text},
    {TCA_OPTIONS, "TCA_OPTIONS", As::options, nullptr, "tc"},
    {TCA_STATS, "TCA_STATS", As::bytes},
    {TCA_XSTATS, "TCA_XSTATS", As::bytes},
    {TCA_RATE, "TCA_RATE", As::bytes},
    {TCA_FCNT, "TCA_FCNT", As::number},
    {TCA_STATS2, "TCA_STATS2", As::bytes},
    {TCA_STAB, "TCA_STAB", As::nest, size_table_attributes},
    {TCA_DUMP_INVISIBLE, "TCA_DUMP_INVISIBLE", As::bytes},
    {TCA_CHAIN, "TCA_CHAIN", As::number},
    {TCA_HW_OFFLOAD, "TCA_HW_OFFLOAD", As::number},
    {TCA_INGRESS_BLOCK, "TCA_INGRESS_BLOCK", As::number},
    {TCA_EGRESS_BLOCK, "TCA_EGRESS_BLOCK", As::number},
    {TCA_DUMP_FLAGS, "TCA_DUMP_FLAGS", As::number},
    {TCA_EXT_WARN_MSG, "TCA_EXT_WARN_MSG", As::bytes},
};

constexpr Attribute size_table_attributes_table[] = {
    {TCA_STAB_BASE, "TCA_STAB_BASE", As::bytes},
    {TCA_STAB_DATA, "TCA_STAB_DATA", As::bytes},
};

constexpr Attribute action_attributes_table[] = {
    {TCA_ACT_KIND, "TCA_ACT_KIND", As::text},
    {TCA_ACT_OPTIONS, "TCA_ACT_OPTIONS", As::options, nullptr, "action"},
    {TCA_ACT_INDEX, "TCA_ACT_INDEX", As::number},
    {TCA_ACT_STATS, "TCA_ACT_STATS", As::bytes},
    {TCA_ACT_COOKIE, "TCA_ACT_COOKIE", As::bytes},
    {TCA_ACT_FLAGS, "TCA_ACT_FLAGS", As::bytes},
    {TCA_ACT_HW_STATS, "TCA_ACT_HW_STATS", As::bytes},
    {TCA_ACT_USED_HW_STATS, "TCA_ACT_USED_HW_STATS", As::bytes},
    {TCA_ACT_IN_HW_COUNT, "TCA_ACT_IN_HW_COUNT", As::bytes},
};

constexpr Attribute vlan_attributes_table[] = {
    {BRIDGE_VLANDB_ENTRY, "BRIDGE_VLANDB_ENTRY", As::nest, vlan_entry_attributes},
    {BRIDGE_VLANDB_GLOBAL_OPTIONS, "BRIDGE_VLANDB_GLOBAL_OPTIONS", As::nest, vlan_global_attributes},
};

constexpr Attribute vlan_entry_attributes_table[] = {
    {BRIDGE_VLANDB_ENTRY_INFO, "BRIDGE_VLANDB_ENTRY_INFO", As::bytes},
    {BRIDGE_VLANDB_ENTRY_RANGE, "BRIDGE_VLANDB_ENTRY_RANGE", As::number},
    {BRIDGE_VLANDB_ENTRY_STATE, "BRIDGE_VLANDB_ENTRY_STATE", As::number},
    {BRIDGE_VLANDB_ENTRY_MCAST_ROUTER, "BRIDGE_VLANDB_ENTRY_MCAST_ROUTER", As::number},
    {uapi::BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS, "BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS", As::number},
    {uapi::BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS, "BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS", As::number},
    {uapi::BRIDGE_VLANDB_ENTRY_NEIGH_FORWARD_GRAT, "BRIDGE_VLANDB_ENTRY_NEIGH_FORWARD_GRAT", As::number},
};

constexpr Attribute vlan_global_attributes_table[] = {
    {BRIDGE_VLANDB_GOPTS_ID, "BRIDGE_VLANDB_GOPTS_ID", As::number},
    {BRIDGE_VLANDB_GOPTS_RANGE, "BRIDGE_VLANDB_GOPTS_RANGE", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_SNOOPING, "BRIDGE_VLANDB_GOPTS_MCAST_SNOOPING", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_IGMP_VERSION, "BRIDGE_VLANDB_GOPTS_MCAST_IGMP_VERSION", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_MLD_VERSION, "BRIDGE_VLANDB_GOPTS_MCAST_MLD_VERSION", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_CNT, "BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_CNT", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_CNT, "BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_CNT", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_INTVL, "BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_INTVL", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_MEMBERSHIP_INTVL, "BRIDGE_VLANDB_GOPTS_MCAST_MEMBERSHIP_INTVL", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_INTVL, "BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_INTVL", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERY_INTVL, "BRIDGE_VLANDB_GOPTS_MCAST_QUERY_INTVL", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERY_RESPONSE_INTVL, "BRIDGE_VLANDB_GOPTS_MCAST_QUERY_RESPONSE_INTVL", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_INTVL, "BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_INTVL", As::number},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERIER, "BRIDGE_VLANDB_GOPTS_MCAST_QUERIER", As::number},
    {BRIDGE_VLANDB_GOPTS_MSTI, "BRIDGE_VLANDB_GOPTS_MSTI", As::number},
};

constexpr Attribute mdb_attributes_table[] = {
    {MDBA_SET_ENTRY, "MDBA_SET_ENTRY", As::bytes},
    {MDBA_SET_ENTRY_ATTRS, "MDBA_SET_ENTRY_ATTRS", As::nest, mdb_entry_attributes},
};

constexpr Attribute mdb_entry_attributes_table[] = {
    {MDBE_ATTR_SOURCE, "MDBE_ATTR_SOURCE", As::address},
    {uapi::MDBE_ATTR_SRC_LIST, "MDBE_ATTR_SRC_LIST", As::nest, no_attributes},
    {uapi::MDBE_ATTR_GROUP_MODE, "MDBE_ATTR_GROUP_MODE", As::number},
    {uapi::MDBE_ATTR_RTPROT, "MDBE_ATTR_RTPROT", As::number},
    {uapi::MDBE_ATTR_DST, "MDBE_ATTR_DST", As::address},
    {uapi::MDBE_ATTR_DST_PORT, "MDBE_ATTR_DST_PORT", As::number},
    {uapi::MDBE_ATTR_VNI, "MDBE_ATTR_VNI", As::number},
    {uapi::MDBE_ATTR_IFINDEX, "MDBE_ATTR_IFINDEX", As::number},
    {uapi::MDBE_ATTR_SRC_VNI, "MDBE_ATTR_SRC_VNI", As::number},
    {uapi::MDBE_ATTR_STATE_MASK, "MDBE_ATTR_STATE_MASK", As::number},
};

constexpr Attribute vni_attributes_table[] = {
    {VXLAN_VNIFILTER_ENTRY, "VXLAN_VNIFILTER_ENTRY", As::nest, vni_entry_attributes},
};

constexpr Attribute vni_entry_attributes_table[] = {
    {VXLAN_VNIFILTER_ENTRY_START, "VXLAN_VNIFILTER_ENTRY_START", As::number},
    {VXLAN_VNIFILTER_ENTRY_END, "VXLAN_VNIFILTER_ENTRY_END", As::number},
    {VXLAN_VNIFILTER_ENTRY_GROUP, "VXLAN_VNIFILTER_ENTRY_GROUP", As::address},
    {VXLAN_VNIFILTER_ENTRY_GROUP6, "VXLAN_VNIFILTER_ENTRY_GROUP6", As::address},
};

constexpr Attribute label_attributes_table[] = {
    {IFAL_ADDRESS, "IFAL_ADDRESS", As::address},
    {IFAL_LABEL, "IFAL_LABEL", As::number},
};

constexpr Attribute stats_attributes_table[] = {
    {IFLA_STATS_SET_OFFLOAD_XSTATS_L3_STATS, "IFLA_STATS_SET_OFFLOAD_XSTATS_L3_STATS", As::number},
};

constexpr Attribute neighbour_table_attributes_table[] = {
    {NDTA_NAME, "NDTA_NAME", As::text},
    {NDTA_THRESH1, "NDTA_THRESH1", As::number},
    {NDTA_THRESH2, "NDTA_THRESH2", As::number},
    {NDTA_THRESH3, "NDTA_THRESH3", As::number},
    {NDTA_PARMS, "NDTA_PARMS", As::nest, table_parameters},
    {NDTA_GC_INTERVAL, "NDTA_GC_INTERVAL", As::number},
};

constexpr Attribute table_parameters_table[] = {
    {NDTPA_IFINDEX, "NDTPA_IFINDEX", As::number},
    {NDTPA_QUEUE_LEN, "NDTPA_QUEUE_LEN", As::number},
    {NDTPA_APP_PROBES, "NDTPA_APP_PROBES", As::number},
    {NDTPA_UCAST_PROBES, "NDTPA_UCAST_PROBES", As::number},
    {NDTPA_MCAST_PROBES, "NDTPA_MCAST_PROBES", As::number},
    {NDTPA_MCAST_REPROBES, "NDTPA_MCAST_REPROBES", As::number},
    {NDTPA_BASE_REACHABLE_TIME, "NDTPA_BASE_REACHABLE_TIME", As::number},
    {NDTPA_RETRANS_TIME, "NDTPA_RETRANS_TIME", As::number},
    {NDTPA_GC_STALETIME, "NDTPA_GC_STALETIME", As::number},
    {NDTPA_DELAY_PROBE_TIME, "NDTPA_DELAY_PROBE_TIME", As::number},
    {NDTPA_ANYCAST_DELAY, "NDTPA_ANYCAST_DELAY", As::number},
    {NDTPA_PROXY_DELAY, "NDTPA_PROXY_DELAY", As::number},
    {NDTPA_PROXY_QLEN, "NDTPA_PROXY_QLEN", As::number},
    {NDTPA_LOCKTIME, "NDTPA_LOCKTIME", As::number},
};

constexpr Attribute actions_attributes_table[] = {
    {TCA_ACT_TAB, "TCA_ACT_TAB", As::nest, no_attributes},
    {TCA_ROOT_FLAGS, "TCA_ROOT_FLAGS", As::bytes},
};

Space metric_attributes() { return metric_attributes_table; }
Space size_table_attributes() { return size_table_attributes_table; }
Space link_info_attributes() { return link_info_attributes_table; }
Space vlan_entry_attributes() { return vlan_entry_attributes_table; }
Space vlan_global_attributes() { return vlan_global_attributes_table; }
Space mdb_entry_attributes() { return mdb_entry_attributes_table; }
Space vni_entry_attributes() { return vni_entry_attributes_table; }
Space table_parameters() { return table_parameters_table; }

struct TypeName {
    u16 type;
    std::string_view name;
};

constexpr TypeName type_names[] = {
    {RTM_NEWLINK, "RTM_NEWLINK"}, {RTM_DELLINK, "RTM_DELLINK"}, {RTM_GETLINK, "RTM_GETLINK"},
    {RTM_SETLINK, "RTM_SETLINK"}, {RTM_NEWADDR, "RTM_NEWADDR"}, {RTM_DELADDR, "RTM_DELADDR"},
    {RTM_GETADDR, "RTM_GETADDR"}, {RTM_NEWROUTE, "RTM_NEWROUTE"}, {RTM_DELROUTE, "RTM_DELROUTE"},
    {RTM_GETROUTE, "RTM_GETROUTE"}, {RTM_NEWNEIGH, "RTM_NEWNEIGH"}, {RTM_DELNEIGH, "RTM_DELNEIGH"},
    {RTM_GETNEIGH, "RTM_GETNEIGH"}, {RTM_NEWRULE, "RTM_NEWRULE"}, {RTM_DELRULE, "RTM_DELRULE"},
    {RTM_GETRULE, "RTM_GETRULE"}, {RTM_NEWQDISC, "RTM_NEWQDISC"}, {RTM_DELQDISC, "RTM_DELQDISC"},
    {RTM_GETQDISC, "RTM_GETQDISC"}, {RTM_NEWTCLASS, "RTM_NEWTCLASS"}, {RTM_DELTCLASS, "RTM_DELTCLASS"},
    {RTM_GETTCLASS, "RTM_GETTCLASS"}, {RTM_NEWTFILTER, "RTM_NEWTFILTER"}, {RTM_DELTFILTER, "RTM_DELTFILTER"},
    {RTM_GETTFILTER, "RTM_GETTFILTER"}, {RTM_NEWACTION, "RTM_NEWACTION"}, {RTM_DELACTION, "RTM_DELACTION"},
    {RTM_GETACTION, "RTM_GETACTION"}, {RTM_NEWPREFIX, "RTM_NEWPREFIX"}, {RTM_GETMULTICAST, "RTM_GETMULTICAST"},
    {RTM_GETANYCAST, "RTM_GETANYCAST"}, {RTM_NEWNEIGHTBL, "RTM_NEWNEIGHTBL"}, {RTM_GETNEIGHTBL, "RTM_GETNEIGHTBL"},
    {RTM_SETNEIGHTBL, "RTM_SETNEIGHTBL"}, {RTM_NEWNDUSEROPT, "RTM_NEWNDUSEROPT"},
    {RTM_NEWADDRLABEL, "RTM_NEWADDRLABEL"}, {RTM_DELADDRLABEL, "RTM_DELADDRLABEL"},
    {RTM_GETADDRLABEL, "RTM_GETADDRLABEL"}, {RTM_GETDCB, "RTM_GETDCB"}, {RTM_SETDCB, "RTM_SETDCB"},
    {RTM_NEWNETCONF, "RTM_NEWNETCONF"}, {RTM_DELNETCONF, "RTM_DELNETCONF"}, {RTM_GETNETCONF, "RTM_GETNETCONF"},
    {RTM_NEWMDB, "RTM_NEWMDB"}, {RTM_DELMDB, "RTM_DELMDB"}, {RTM_GETMDB, "RTM_GETMDB"}, {RTM_NEWNSID, "RTM_NEWNSID"},
    {RTM_DELNSID, "RTM_DELNSID"}, {RTM_GETNSID, "RTM_GETNSID"}, {RTM_NEWSTATS, "RTM_NEWSTATS"},
    {RTM_GETSTATS, "RTM_GETSTATS"}, {RTM_SETSTATS, "RTM_SETSTATS"}, {RTM_NEWCACHEREPORT, "RTM_NEWCACHEREPORT"},
    {RTM_NEWCHAIN, "RTM_NEWCHAIN"}, {RTM_DELCHAIN, "RTM_DELCHAIN"}, {RTM_GETCHAIN, "RTM_GETCHAIN"},
    {RTM_NEWNEXTHOP, "RTM_NEWNEXTHOP"}, {RTM_DELNEXTHOP, "RTM_DELNEXTHOP"}, {RTM_GETNEXTHOP, "RTM_GETNEXTHOP"},
    {RTM_NEWLINKPROP, "RTM_NEWLINKPROP"}, {RTM_DELLINKPROP, "RTM_DELLINKPROP"}, {RTM_GETLINKPROP, "RTM_GETLINKPROP"},
    {RTM_NEWVLAN, "RTM_NEWVLAN"}, {RTM_DELVLAN, "RTM_DELVLAN"}, {RTM_GETVLAN, "RTM_GETVLAN"},
    {RTM_NEWNEXTHOPBUCKET, "RTM_NEWNEXTHOPBUCKET"}, {RTM_DELNEXTHOPBUCKET, "RTM_DELNEXTHOPBUCKET"},
    {RTM_GETNEXTHOPBUCKET, "RTM_GETNEXTHOPBUCKET"}, {RTM_NEWTUNNEL, "RTM_NEWTUNNEL"},
    {RTM_DELTUNNEL, "RTM_DELTUNNEL"}, {RTM_GETTUNNEL, "RTM_GETTUNNEL"},
};

}  // namespace

Space link_attributes() { return link_attributes_table; }
Space address_attributes() { return address_attributes_table; }
Space route_attributes() { return route_attributes_table; }
Space neighbour_attributes() { return neighbour_attributes_table; }
Space rule_attributes() { return rule_attributes_table; }
Space nexthop_attributes() { return nexthop_attributes_table; }
Space traffic_attributes() { return traffic_attributes_table; }
Space action_attributes() { return action_attributes_table; }
Space vlan_attributes() { return vlan_attributes_table; }
Space mdb_attributes() { return mdb_attributes_table; }
Space vni_attributes() { return vni_attributes_table; }
Space label_attributes() { return label_attributes_table; }
Space stats_attributes() { return stats_attributes_table; }
Space neighbour_table_attributes() { return neighbour_table_attributes_table; }
Space actions_attributes() { return actions_attributes_table; }

std::string_view message_type_name(u16 type) {
    for (auto const& known : type_names)
        if (known.type == type) return known.name;
    return {};
}

}  // namespace nlstream::decode_detail
