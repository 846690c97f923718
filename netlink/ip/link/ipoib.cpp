// ip link ... type ipoib: IP over InfiniBand.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Child {};

constexpr NamedValue modes[] = {{"datagram", IPOIB_MODE_DATAGRAM}, {"connected", IPOIB_MODE_CONNECTED}};

constexpr Row rows[] = {
    {"pkey*",   "KEY",  U16(IFLA_IPOIB_PKEY),               "The partition key."},
    {"mode*",   "MODE", one_of(modes, {IFLA_IPOIB_MODE, 2}), "datagram or connected."},
    {"umcast*", "0|1",  U16(IFLA_IPOIB_UMCAST),             "Multicast is left to programs."},
};
constexpr auto table = keywords<Child>(rows);

void read(Line& line) {
    Child none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const ipoib_link = {{"link", "ipoib", "IP over InfiniBand, in a partition.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
