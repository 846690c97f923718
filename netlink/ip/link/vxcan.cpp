// ip link ... type vxcan: two virtual CAN buses, each the other's other end.
#include <linux/can/vxcan.h>

#include "netlink/ip/link.hpp"
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {
namespace {

struct Vxcan {};

void read_vxcan_peer(Line& line, Vxcan&) { read_peer(line, VXCAN_INFO_PEER); }

constexpr Row rows[] = {
    {"peer", "...", custom<read_vxcan_peer>, "What follows is about the other end: name NAME, netns NETNS and so on."},
};
constexpr auto table = keywords<Vxcan>(rows);

void read(Line& line) {
    Vxcan none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const vxcan_link = {{"link", "vxcan", "A pair of CAN links: what enters one leaves the other.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
