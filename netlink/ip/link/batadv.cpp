// ip link ... type batadv: a B.A.T.M.A.N. mesh.
#include <linux/batman_adv.h>

#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Mesh {};

constexpr Row rows[] = {
    {"ra*", "ALGORITHM", Text{IFLA_BATADV_ALGO_NAME, 0xfff0}, "The routing algorithm: BATMAN_IV or BATMAN_V."},
};
constexpr auto table = keywords<Mesh>(rows);

void read(Line& line) {
    Mesh none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const batadv_link = {{"link", "batadv", "A B.A.T.M.A.N. mesh.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
