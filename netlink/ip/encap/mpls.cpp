// ip route ... encap mpls: push labels.
#include <linux/mpls_iptunnel.h>

#include "netlink/address.hpp"
#include "netlink/ip/encap/kinds.hpp"

namespace nlstream::ip {
namespace {

struct Mpls {};

constexpr Row rows[] = {
    {"ttl", "N", U8(MPLS_IPTUNNEL_TTL), "The TTL of the outermost label (default: the packet's).", {}, true},
};
constexpr auto table = keywords<Mpls>(rows);

void read(Line& line) {
    std::array<u8, 4 * max_labels> labels;
    auto const length = read_label_stack(line.take("LABEL[/LABEL...]"), labels);
    line.out.put(MPLS_IPTUNNEL_DST, labels.data(), length);
    Mpls mpls;
    Reader(table, mpls).read_some(line);
}

}  // namespace

extern constinit EncapKind const mpls_encap = {{"encap", "mpls", "MPLS labels: LABEL[/LABEL...], the outermost first.", {{{"", table}}}}, LWTUNNEL_ENCAP_MPLS, read};

}  // namespace nlstream::ip
