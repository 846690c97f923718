// Constants of the kernel's interface that are newer than the headers of Debian 12 (linux-libc-dev 6.1). Each names
// its header; the names are the kernel's, in a namespace of their own so that newer headers do not clash.
#pragma once
#include "netlink/integers.hpp"

namespace nlstream::uapi {

// linux/rtnetlink.h
inline constexpr u32 RTAX_FEATURE_TCP_USEC_TS = 1u << 4;

// linux/neighbour.h
inline constexpr u32 NTF_EXT_EXT_VALIDATED = 1u << 2;

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

}  // namespace nlstream::uapi
