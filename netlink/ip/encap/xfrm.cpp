// ip route ... encap xfrm: IPsec through an xfrm interface with external metadata.
#include "netlink/ip/encap/kinds.hpp"

namespace nlstream::ip {
namespace {

struct Xfrm {
    u32 id = 0;
};

constexpr Row rows[] = {
    {"if_id",    "ID",     U32(LWT_XFRM_IF_ID).in(1, 0xffffffff).and_keep(keep<&Xfrm::id>), "The interface id of the policies and states. Required.", {}, true},
    {"link_dev", "DEVICE", device(LWT_XFRM_LINK),                                           "The underlying link.", {}, true},
};
constexpr auto table = keywords<Xfrm>(rows);

void read(Line& line) {
    Xfrm x;
    Reader(table, x).read_some(line);
    if (!x.id) fail_use(line.done() ? line.last() : line.peek(), "if_id ID was expected");
}

}  // namespace

extern constinit EncapKind const xfrm_encap = {{"encap", "xfrm", "IPsec, by interface id.", {{{"", table}}}}, LWTUNNEL_ENCAP_XFRM, read};

}  // namespace nlstream::ip
