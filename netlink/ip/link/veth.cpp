// ip link ... type veth: two links, each the other's cable.
#include <linux/veth.h>

#include "netlink/ip/link.hpp"
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {
namespace {

struct Veth {};

void read_veth_peer(Line& line, Veth&) { read_peer(line, VETH_INFO_PEER); }

constexpr Row rows[] = {
    {"peer", "...", custom<read_veth_peer>, "What follows is about the other end: name NAME, address LLADDR, netns NETNS and so on."},
};
constexpr auto table = keywords<Veth>(rows);

void read(Line& line) {
    Veth none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const veth_link = {{"link", "veth", "A pair of links: what enters one leaves the other.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
