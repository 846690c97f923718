// ip link ... type vrf: links with a routing table of their own.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Vrf {};

constexpr Row rows[] = {
    {"table*", "TABLE", Name{{IFLA_VRF_TABLE, 4}, Names::Of::route_table}, "The routing table of the links in it, by name or number."},
};
constexpr auto table = keywords<Vrf>(rows);

void read(Line& line) {
    Vrf none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const vrf_link = {{"link", "vrf", "Links with a routing table of their own.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
