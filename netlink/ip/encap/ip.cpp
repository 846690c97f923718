// ip route ... encap ip: a tunnel over IPv4, through a link with external metadata.
#include <linux/if_tunnel.h>

#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/encap/tunnel.hpp"

namespace nlstream::ip {
namespace {

constexpr Row rows[] = {
    {"id",          "ID",       U64(LWTUNNEL_IP_ID).network_order(), "The tunnel's key or VNI.", {}, true},
    {"dst",         "ADDRESS",  AddressOf{LWTUNNEL_IP_DST, kept},   "The other end.", {}, true},
    {"src",         "ADDRESS",  AddressOf{LWTUNNEL_IP_SRC, kept},   "This end.", {}, true},
    {"tos",         "DSFIELD",  Name{{LWTUNNEL_IP_TOS, 1}, Names::Of::dsfield}, "The outer header's traffic class, hexadecimal or a name.", {}, true},
    {"ttl",         "N",        U8(LWTUNNEL_IP_TTL), "The outer header's hop limit.", {}, true},
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

extern constinit EncapKind const ip_encap = {{"encap", "ip", "A tunnel over IPv4.", {{{"", table}}}}, LWTUNNEL_ENCAP_IP, read};

}  // namespace nlstream::ip
