// Every object of every tool, and every kind.
#include "netlink/bridge/kinds.hpp"
#include "netlink/command.hpp"
#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/kinds.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream {
namespace {

// Each tool's objects in the order in which it looks abbreviations up.
constexpr Object all_objects[] = {
    {Tool::tc, "qdisc*", "queueing disciplines", tc::read_qdisc},
    {Tool::tc, "class*", "classes of classful qdiscs", tc::read_class},
    {Tool::tc, "filter*", "classifiers", tc::read_filter},
    {Tool::tc, "chain*", "chains of filters", tc::read_chain},
    {Tool::tc, "actions*", "actions on their own", tc::read_actions},
    {Tool::tc, "monitor*", "", nullptr, "tc monitor only reads, and nlstream streams changes"},
    {Tool::tc, "exec*", "", nullptr, "tc exec runs a program, which a stream cannot: run it with tc itself"},

    {Tool::ip, "address*", "addresses of links", ip::read_interface_address},
    {Tool::ip, "addrlabel*", "labels of IPv6 addresses", ip::read_addrlabel},
    {Tool::ip, "maddress*", "", nullptr, "multicast addresses are not changed over rtnetlink: use ip maddress itself"},
    {Tool::ip, "route*", "routes", ip::read_route},
    {Tool::ip, "rule*", "rules that choose a routing table", ip::read_rule},
    {Tool::ip, "neighbor*|neighbour*", "link-layer addresses of hosts", ip::read_neighbour},
    {Tool::ip, "ntable*|ntbl*", "parameters of neighbour tables", ip::read_ntable},
    {Tool::ip, "link*", "network interfaces", ip::read_link},
    {Tool::ip, "l2tp*", "", nullptr, "L2TP is not configured over rtnetlink: use ip l2tp itself"},
    {Tool::ip, "fou*", "", nullptr, "FOU ports are not configured over rtnetlink: use ip fou itself"},
    {Tool::ip, "ila*", "", nullptr, "ILA is not configured over rtnetlink: use ip ila itself"},
    {Tool::ip, "macsec*", "", nullptr, "MACsec keys are not configured over rtnetlink: use ip macsec itself (ip link add type macsec is streamed)"},
    {Tool::ip, "tunnel*|tunl*", "", nullptr, "ip tunnel uses ioctls: write ip link add type gre, ipip, sit, vti or ip6tnl, or use ip tunnel itself"},
    {Tool::ip, "tuntap*|tap*", "", nullptr, "tun and tap devices are made by an ioctl: use ip tuntap itself"},
    {Tool::ip, "token*", "interface identifiers of IPv6 autoconfiguration", ip::read_token},
    {Tool::ip, "tcpmetrics*|tcp_metrics*", "", nullptr, "TCP metrics are not configured over rtnetlink: use ip tcp_metrics itself"},
    {Tool::ip, "monitor*", "", nullptr, "ip monitor only reads, and nlstream streams changes"},
    {Tool::ip, "xfrm*", "", nullptr, "IPsec is not configured over rtnetlink: use ip xfrm itself"},
    {Tool::ip, "mroute*", "", nullptr, "ip mroute only reads, and nlstream streams changes (a multicast routing daemon makes such routes)"},
    {Tool::ip, "mrule*", "rules of multicast routing", ip::read_multicast_rule},
    {Tool::ip, "netns*", "", nullptr, "ip netns makes and enters namespaces, which a stream cannot: use ip netns itself, and --netns to stream into one"},
    {Tool::ip, "netconf*", "", nullptr, "ip netconf only reads, and nlstream streams changes (sysctl changes what it shows)"},
    {Tool::ip, "vrf*", "", nullptr, "ip vrf runs programs and reads: use ip vrf itself (ip link add type vrf is streamed)"},
    {Tool::ip, "sr*", "", nullptr, "segment routing's keys and source are not configured over rtnetlink: use ip sr itself (ip route encap seg6 is streamed)"},
    {Tool::ip, "nexthop*", "next hops that routes refer to", ip::read_nexthop},
    {Tool::ip, "mptcp*", "", nullptr, "MPTCP is not configured over rtnetlink: use ip mptcp itself"},
    {Tool::ip, "ioam*", "", nullptr, "IOAM namespaces are not configured over rtnetlink: use ip ioam itself (ip route encap ioam6 is streamed)"},
    {Tool::ip, "stats*", "statistics that hardware keeps", ip::read_stats},

    {Tool::bridge, "link*", "ports of bridges", bridge::read_link},
    {Tool::bridge, "fdb*", "forwarding tables of bridges and VXLANs", bridge::read_fdb},
    {Tool::bridge, "mdb*", "multicast databases of bridges and VXLANs", bridge::read_mdb},
    {Tool::bridge, "mst*", "multiple spanning trees", bridge::read_mst},
    {Tool::bridge, "vlan*", "VLANs of ports and bridges", bridge::read_vlan},
    {Tool::bridge, "vni*", "VNIs of VXLANs", bridge::read_vni},
    {Tool::bridge, "monitor*", "", nullptr, "bridge monitor only reads, and nlstream streams changes"},
};

}  // namespace

std::span<Object const> objects() { return all_objects; }

std::vector<KindInfo const*> all_kinds() {
    std::vector<KindInfo const*> kinds = {&tc::qdisc_info, &tc::class_info, &tc::filter_info, &tc::chain_info, &tc::actions_info};
    for (auto const* kind : tc::qdisc_kinds()) kinds.push_back(&kind->info);
    for (auto const* kind : tc::filter_kinds()) kinds.push_back(&kind->info);
    for (auto const* kind : tc::action_kinds()) kinds.push_back(&kind->info);
    for (auto const* kind : tc::ematch_kinds()) kinds.push_back(&kind->info);
    for (auto const* kind : ip::link_kinds()) kinds.push_back(&kind->info);
    for (auto const* kind : ip::encap_kinds()) kinds.push_back(&kind->info);
    for (auto const* info : {&ip::address_info, &ip::addrlabel_info, &ip::link_info, &ip::route_info, &ip::rule_info, &ip::neighbour_info, &ip::ntable_info, &ip::token_info, &ip::nexthop_info, &ip::stats_info})
        kinds.push_back(info);
    for (auto const* info : {&bridge::link_info, &bridge::fdb_info, &bridge::mdb_info, &bridge::mst_info, &bridge::vlan_info, &bridge::vni_info}) kinds.push_back(info);
    return kinds;
}

}  // namespace nlstream
