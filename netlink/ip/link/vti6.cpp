// ip link ... type vti6: packets for IPsec over IPv6.
#include "netlink/ip/link/vti_family.hpp"

namespace nlstream::ip {
namespace {

constexpr Row own_rows[] = {
    {"remote*", "ADDRESS", custom<read_tunnel_remote<AF_INET6>>, "The other end."},
    {"local*",  "ADDRESS", custom<read_tunnel_local<AF_INET6>>,  "This end."},
};
constexpr auto rows = join(vti_rows, own_rows);
constexpr auto table = keywords<Tunnel>(rows.rows);

void read(Line& line) { read_vti_options(line, table); }

}  // namespace

extern constinit LinkKind const vti6_link = {{"link", "vti6", "Packets that IPsec tunnels over IPv6.", {{{"", table}}}}, read, true};

}  // namespace nlstream::ip
