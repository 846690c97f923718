// ip link ... type gtp: GPRS tunneling protocol.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Gtp {};

constexpr NamedValue roles[] = {{"sgsn", GTP_ROLE_SGSN}, {"ggsn", GTP_ROLE_GGSN}};

constexpr Row rows[] = {
    {"role",          "ROLE",  one_of(roles, {IFLA_GTP_ROLE, 4}),              "The end of the tunnels: sgsn or ggsn. Required.", {}, true},
    {"hsize",         "COUNT", U32(IFLA_GTP_PDP_HASHSIZE).in(0, 0x1ffff),      "Size of the table of sessions (default 1024).", {}, true},
    {"restart_count", "COUNT", U8(IFLA_GTP_RESTART_COUNT).dec(),               "How often this end was restarted, as echo replies tell.", {}, true},
};
constexpr auto table = keywords<Gtp>(rows);

void read(Line& line) {
    // The kernel then makes the UDP sockets itself; otherwise a daemon would hand them over.
    line.out.put(IFLA_GTP_CREATE_SOCKETS, u8{1});
    Gtp none;
    Reader reader(table, none);
    reader.read_all(line);
    if (!reader.seen("role")) fail_missing(line, "role ROLE");
    if (!reader.seen("hsize")) line.out.put(IFLA_GTP_PDP_HASHSIZE, u32{1024});
}

}  // namespace

extern constinit LinkKind const gtp_link = {{"link", "gtp", "GPRS tunneling protocol, user plane.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
