// Encapsulations of a route: one file each, registered in kinds.cpp.
#pragma once
#include <linux/lwtunnel.h>

#include <span>

#include "netlink/command.hpp"

namespace nlstream::ip {

struct EncapKind {
    KindInfo info;
    u16 type;                  ///< LWTUNNEL_ENCAP_*
    void (*read)(Line& line);  ///< reads the options, as far as they are the encapsulation's, and puts them
};

std::span<EncapKind const* const> encap_kinds();

/// Reads "TYPE ..." after `encap` and puts the options as a nest of `encap` (RTA_ENCAP, NHA_ENCAP), then the type as
/// `encap_type`. Throws Diagnostic, BarrierNeeded.
void read_encap(Line& line, u16 encap, u16 encap_type);

}  // namespace nlstream::ip
