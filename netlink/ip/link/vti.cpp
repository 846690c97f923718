// ip link ... type vti: packets for IPsec over IPv4.
#include "netlink/ip/link/vti_family.hpp"

namespace nlstream::ip {
namespace {

constexpr Row own_rows[] = {
    {"remote*", "ADDRESS", custom<read_tunnel_remote<AF_INET>>, "The other end."},
    {"local*",  "ADDRESS", custom<read_tunnel_local<AF_INET>>,  "This end."},
};
constexpr auto rows = join(vti_rows, own_rows);
constexpr auto table = keywords<Tunnel>(rows.rows);

void read(Line& line) { read_vti_options(line, table); }

}  // namespace

extern constinit LinkKind const vti_link = {{"link", "vti", "Packets that IPsec tunnels over IPv4.", {{{"", table}}}}, read, true};

}  // namespace nlstream::ip
