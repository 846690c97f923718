// ip route ... nexthop: several ways to one destination.
#include "netlink/address.hpp"
#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/route.hpp"

namespace nlstream::ip {
namespace {

void read_via(Line& line, rtnexthop&) { read_gateway(line); }
void read_device(Line& line, rtnexthop& hop) { hop.rtnh_ifindex = static_cast<int>(line.take_device()); }
void read_weight(Line& line, rtnexthop& hop) { hop.rtnh_hops = static_cast<u8>(read_number(line.take("N"), 1, 256) - 1); }
void read_onlink(Line&, rtnexthop& hop) { hop.rtnh_flags |= RTNH_F_ONLINK; }
void read_realms_of_hop(Line& line, rtnexthop&) { line.out.put(RTA_FLOW, read_realms(line, line.take("[FROM/]TO"))); }
void read_hop_encap(Line& line, rtnexthop&) { read_encap(line, RTA_ENCAP, RTA_ENCAP_TYPE); }
void read_as(Line& line, rtnexthop&) { read_new_destination(line); }

constexpr Row rows[] = {
    {"via",     "[FAMILY] ADDRESS", custom<read_via>,           "The next router."},
    {"dev",     "DEVICE",           custom<read_device>,        "The link that packets leave by."},
    {"weight",  "N",                custom<read_weight>,        "Its share, 1 to 256 (default 1)."},
    {"onlink",  "",                 custom<read_onlink>,        "The gateway is on the link even though no prefix says so."},
    {"realms*", "[FROM/]TO",        custom<read_realms_of_hop>, "The realms, for accounting and filters."},
    {"encap",   "TYPE ...",         custom<read_hop_encap>,     "Encapsulate packets."},
    {"as",      "[to] ADDRESS",     custom<read_as>,            "Rewrite the destination: MPLS labels to swap in."},
};
constexpr auto table = keywords<rtnexthop>(rows);

}  // namespace

Table nexthop_table() { return table; }

void read_nexthops(Line& line) {
    line.out.source(line.peek().span);
    line.out.nest(RTA_MULTIPATH, [&] {
        while (!line.done()) {
            auto const& word = line.take("nexthop");
            if (word.text != "nexthop") {
                line.untake();
                rtnexthop none;
                Reader(table, none).fail_unknown(line);
            }
            if (line.done()) fail_missing(line, "a nexthop's via or dev");
            rtnexthop hop{};
            line.out.record(hop, &rtnexthop::rtnh_len, [&] { Reader(table, hop).read_some(line); });
        }
    });
}

}  // namespace nlstream::ip
