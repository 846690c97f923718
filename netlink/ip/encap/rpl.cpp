// ip route ... encap rpl: source routes of RPL (RFC 6554).
#include <linux/rpl_iptunnel.h>

#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/encap/segments.hpp"

namespace nlstream::ip {
namespace {

struct Rpl {
    Word const* segments = nullptr;
};

void read_segments(Line& line, Rpl& r) { r.segments = &line.take("ADDRESS[,ADDRESS...]"); }

constexpr Row rows[] = {
    {"segs", "ADDRESS[,ADDRESS...]", custom<read_segments>, "The hops, the first one first. Required.", {}, true},
};
constexpr auto table = keywords<Rpl>(rows);

void read(Line& line) {
    Rpl r;
    Reader(table, r).read_some(line);
    if (!r.segments) fail_use(line.peek(), "segs ADDRESS[,ADDRESS...] was expected");
    auto const header = read_rpl(*r.segments);
    line.out.put(RPL_IPTUNNEL_SRH, header.bytes.data(), header.length);
}

}  // namespace

extern constinit EncapKind const rpl_encap = {{"encap", "rpl", "A source route of RPL.", {{{"", table}}}}, LWTUNNEL_ENCAP_RPL, read};

}  // namespace nlstream::ip
