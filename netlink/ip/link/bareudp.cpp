// ip link ... type bareudp: IP or MPLS packets in UDP.
#include "netlink/ether_protocol.hpp"
#include "netlink/ip/link/common.hpp"
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {
namespace {

struct BareUdp {
    OnceEach once;
    u16 port = 0;
    u16 protocol = 0;
    u16 least_source = 0;
    bool multiple = false;
};

void read_protocol(Line& line, BareUdp& b) { b.protocol = read_ether_protocol(line.take("PROTOCOL")); }

template <bool On>
void read_multiple(Line& line, BareUdp& b) {
    b.once.mark(line, IFLA_BAREUDP_MULTIPROTO_MODE);
    b.multiple = On;
}

constexpr Row rows[] = {
    {"dstport*",      "PORT",     U16(keep<&BareUdp::port>),         "UDP destination port. Required.", {}, true},
    {"ethertype*",    "PROTOCOL", custom<read_protocol>,             "The protocol inside: ipv4, ipv6, mpls_uc or a number. Required.", {}, true},
    {"srcportmin*",   "PORT",     U16(keep<&BareUdp::least_source>), "The least UDP source port.", {}, true},
    {"multiproto*",   "",         custom<read_multiple<true>>,       "Also IPv6 beside ipv4, and MPLS multicast beside mpls_uc."},
    {"nomultiproto*", "",         custom<read_multiple<false>>,      "Only the protocol given (default)."},
};
constexpr auto table = keywords<BareUdp>(rows);

void read(Line& line) {
    BareUdp b;
    Reader reader(table, b);
    reader.read_all(line);
    if (!reader.seen("dstport")) fail_missing(line, "dstport PORT");
    if (!reader.seen("ethertype")) fail_missing(line, "ethertype PROTOCOL");
    line.source_keyword("dstport");
    line.out.put(IFLA_BAREUDP_PORT, big16(b.port));
    line.source_keyword("ethertype");
    line.out.put(IFLA_BAREUDP_ETHERTYPE, big16(b.protocol));
    line.source_keyword("srcportmin");
    if (reader.seen("srcportmin")) line.out.put(IFLA_BAREUDP_SRCPORT_MIN, b.least_source);
    line.source_keyword("multiproto");
    if (b.multiple) line.out.put_flag(IFLA_BAREUDP_MULTIPROTO_MODE);
}

}  // namespace

extern constinit LinkKind const bareudp_link = {{"link", "bareudp", "IP or MPLS packets in UDP.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
