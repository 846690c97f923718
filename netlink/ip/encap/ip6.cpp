// ip route ... encap ip6: a tunnel over IPv6, through a link with external metadata.
#include <linux/if_tunnel.h>

#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/encap/tunnel.hpp"

namespace nlstream::ip {
namespace {

constexpr Row rows[] = {
    {"id",          "ID",       U64(LWTUNNEL_IP6_ID).network_order(), "The tunnel's key or VNI.", {}, true},
    {"dst",         "ADDRESS",  AddressOf{kept, LWTUNNEL_IP6_DST},   "The other end.", {}, true},
    {"src",         "ADDRESS",  AddressOf{kept, LWTUNNEL_IP6_SRC},   "This end.", {}, true},
    {"tc",         "DSFIELD",  Name{{LWTUNNEL_IP6_TC, 1}, Names::Of::dsfield}, "The outer header's traffic class, hexadecimal or a name.", {}, true},
    {"hoplimit",         "N",        U8(LWTUNNEL_IP6_HOPLIMIT), "The outer header's hop limit.", {}, true},
    {"geneve_opts", "OPTIONS",  custom<read_geneve_options>, "Geneve options, CLASS:TYPE:DATA with commas between.", unless<second_options>},
    {"vxlan_opts",  "GBP",      custom<read_vxlan_options>,  "VXLAN's group policy.", unless<second_options>},
    {"erspan_opts", "OPTIONS",  custom<read_erspan_options>, "ERSPAN's VERSION:INDEX:DIRECTION:HWID.", unless<second_options>},
    {"key",         "",         set(add_bits<&Tunnel::flags>, TUNNEL_KEY),  "Send the key.", {}, true},
    {"csum",        "",         set(add_bits<&Tunnel::flags>, TUNNEL_CSUM), "Send checksums.", {}, true},
    {"seq",         "",         set(add_bits<&Tunnel::flags>, TUNNEL_SEQ),  "Send sequence numbers.", {}, true},
};
constexpr auto table = keywords<Tunnel>(rows);

void read(Line& line) { read_tunnel(line, table); }

}  // namespace

extern constinit EncapKind const ip6_encap = {{"encap", "ip6", "A tunnel over IPv6.", {{{"", table}}}}, LWTUNNEL_ENCAP_IP6, read};

}  // namespace nlstream::ip
