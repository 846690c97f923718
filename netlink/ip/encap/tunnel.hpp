// What the encapsulations ip and ip6 share: their attributes have the same numbers.
#pragma once
#include <linux/lwtunnel.h>

#include "netlink/table.hpp"

namespace nlstream::ip {

struct Tunnel {
    u16 flags = 0;         // linux/if_tunnel.h, TUNNEL_*: network order
    bool options = false;  // geneve_opts, vxlan_opts or erspan_opts was given
};

std::string_view second_options(Tunnel const& t);
void read_geneve_options(Line& line, Tunnel& t);  ///< CLASS:TYPE:DATA[,CLASS:TYPE:DATA...]
void read_vxlan_options(Line& line, Tunnel& t);   ///< GBP
void read_erspan_options(Line& line, Tunnel& t);  ///< VERSION:INDEX:DIRECTION:HWID

static_assert(int{LWTUNNEL_IP_ID} == int{LWTUNNEL_IP6_ID} && int{LWTUNNEL_IP_DST} == int{LWTUNNEL_IP6_DST} && int{LWTUNNEL_IP_SRC} == int{LWTUNNEL_IP6_SRC} &&
              int{LWTUNNEL_IP_FLAGS} == int{LWTUNNEL_IP6_FLAGS} && int{LWTUNNEL_IP_OPTS} == int{LWTUNNEL_IP6_OPTS});

/// Reads the options of `table` as far as they go and puts LWTUNNEL_IP_FLAGS.
inline void read_tunnel(Line& line, Table const& table) {
    Tunnel tunnel;
    Reader(table, tunnel).read_some(line);
    if (tunnel.flags) line.out.put(LWTUNNEL_IP_FLAGS, tunnel.flags);
}

}  // namespace nlstream::ip
