// Constants of the kernel's interface that are newer than the headers of Debian 12 (linux-libc-dev 6.1). Each names
// its header; the names are the kernel's, in a namespace of their own so that newer headers do not clash.
#pragma once
#include "netlink/integers.hpp"

namespace nlstream::uapi {

// linux/rtnetlink.h
inline constexpr u32 RTAX_FEATURE_TCP_USEC_TS = 1u << 4;

}  // namespace nlstream::uapi
