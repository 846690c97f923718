// ip link ... type xfrm: packets for the IPsec policies with an interface id.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Xfrm {
    u32 link = 0;
    u32 id = 0;
    bool external = false;
};

constexpr Row rows[] = {
    {"dev*",     "DEVICE", device(keep<&Xfrm::link>),                                           "The link that packets leave by."},
    {"if_id*",   "ID",     U32(IFLA_XFRM_IF_ID).in(1, ~0u).and_keep(keep<&Xfrm::id>),           "The interface id of the policies and states. Required unless external."},
    {"external", "",       set(keep<&Xfrm::external>),                                          "Interface id and link come from routes or programs, packet by packet."},
};
constexpr auto table = keywords<Xfrm>(rows);

void read(Line& line) {
    Xfrm x;
    Reader(table, x).read_all(line);
    if (x.external) {
        if (x.id || x.link) fail_use(line.last(), "external excludes dev and if_id");
        return line.out.put_flag(IFLA_XFRM_COLLECT_METADATA);
    }
    if (!x.id) fail_missing(line, "if_id ID");
    line.source_keyword("dev");
    if (x.link) line.out.put(IFLA_XFRM_LINK, x.link);
}

}  // namespace

extern constinit LinkKind const xfrm_link = {{"link", "xfrm", "Packets for the IPsec policies with an interface id.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
