// ip link ... type hsr: a redundant ring (HSR) or pair of networks (PRP), IEC 62439-3.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Ring {};

constexpr Row rows[] = {
    {"supervision*", "BYTE",   U8(IFLA_HSR_MULTICAST_SPEC),       "The last byte of the supervision frames' address (default 0)."},
    {"version*",     "0|1",    U8(IFLA_HSR_VERSION),              "Version of HSR."},
    {"proto*",       "0|1",    U8(IFLA_HSR_PROTOCOL),             "0: HSR, 1: PRP."},
    {"slave1*",      "DEVICE", device(IFLA_HSR_SLAVE1),           "The first link."},
    {"slave2*",      "DEVICE", device(IFLA_HSR_SLAVE2),           "The second link."},
    {"interlink",    "DEVICE", device(uapi::IFLA_HSR_INTERLINK),  "The link to nodes outside the ring, which makes this host a RedBox."},
};
constexpr auto table = keywords<Ring>(rows);

void read(Line& line) {
    Ring none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const hsr_link = {{"link", "hsr", "Redundancy without interruption: HSR and PRP (IEC 62439-3).", {{{"", table}}}}, read};

}  // namespace nlstream::ip
