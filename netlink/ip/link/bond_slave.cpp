// ip link ... type bond_slave: a link that is part of a bond.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct BondPort {};

constexpr Row rows[] = {
    {"queue_id*",       "ID", U16(IFLA_BOND_SLAVE_QUEUE_ID),              "The transmit queue that a packet's queue mapping has to name (0: any)."},
    {"prio",            "N",  S32(IFLA_BOND_SLAVE_PRIO),                  "When the link in use fails, the one with the greatest N takes over."},
    {"actor_port_prio", "N",  U16(uapi::IFLA_BOND_SLAVE_ACTOR_PORT_PRIO), "LACP: priority of the port."},
};
constexpr auto table = keywords<BondPort>(rows);

void read(Line& line) {
    BondPort none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const bond_slave_link = {{"link", "bond_slave", "A link that is part of a bond.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
