// ip link ... type dsa: a port of an Ethernet switch.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Port {};

constexpr Row rows[] = {
    {"conduit|master", "DEVICE", device(IFLA_DSA_MASTER), "The link of this host that the port's packets pass."},
};
constexpr auto table = keywords<Port>(rows);

void read(Line& line) {
    Port none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const dsa_link = {{"link", "dsa", "A port of an Ethernet switch.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
