// Messages as people read them.
#include "netlink/decode.hpp"

#include <sys/socket.h>

#include <boost/test/unit_test.hpp>

#include "netlink/encoder.hpp"
#include "test/support/fixed_world.hpp"
#include "test/support/golden.hpp"

namespace nlstream {
namespace {

std::string decoded(std::string_view line) {
    test::TableKernel kernel;
    kernel.add({.index = 7, .name = "eth0", .kind = {}});
    test::MemoryFiles files;
    Encoder encoder(kernel, files, {});
    MessageBuffer out;
    encoder.encode(line, out);
    return decode(out.message());
}

BOOST_AUTO_TEST_CASE(a_filter_with_a_list_of_actions) {
    BOOST_TEST(decoded("tc filter add dev eth0 ingress prio 5 matchall classid 1:2 action drop cookie aabb action pass random determ drop 5") ==
               "RTM_NEWTFILTER REQUEST ACK EXCL CREATE\n"
               "  tcmsg ifindex 7 handle 0:0 parent ffff:fff2 info 5:300\n"
               "  TCA_KIND \"matchall\"\n"
               "  TCA_OPTIONS\n"
               "    classid 0x02000100 (65538)\n"
               "    2\n"
               "      1\n"
               "        TCA_ACT_KIND \"gact\"\n"
               "        TCA_ACT_OPTIONS\n"
               "          2 0x0000000000000000020000000000000000000000\n"
               "        TCA_ACT_COOKIE 0xaabb\n"
               "      2\n"
               "        TCA_ACT_KIND \"gact\"\n"
               "        TCA_ACT_OPTIONS\n"
               "          2 0x0000000000000000000000000000000000000000\n"
               "          3 0x0200050002000000 (8590262274)\n");
}

BOOST_AUTO_TEST_CASE(each_family_has_its_header_and_attributes) {
    BOOST_TEST(decoded("bridge vlan set dev eth0 vid 5-7 state forwarding mcast_max_groups 9") ==
               "RTM_NEWVLAN REQUEST ACK\n"
               "  br_vlan_msg family 7 ifindex 7\n"
               "  BRIDGE_VLANDB_ENTRY\n"
               "    BRIDGE_VLANDB_ENTRY_INFO 0x40000500\n"
               "    BRIDGE_VLANDB_ENTRY_RANGE 7\n"
               "    BRIDGE_VLANDB_ENTRY_STATE 3\n"
               "    BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS 9\n");
    BOOST_TEST(decoded("bridge mdb add dev eth0 port eth0 grp 239.1.1.1 src 192.0.2.1") ==
               "RTM_NEWMDB REQUEST ACK EXCL CREATE\n"
               "  br_port_msg family 7 ifindex 7\n"
               "  MDBA_SET_ENTRY 0x0700000000000000ef01010100000000000000000000000008000000\n"
               "  MDBA_SET_ENTRY_ATTRS\n"
               "    MDBE_ATTR_SOURCE 192.0.2.1\n");
    BOOST_TEST(decoded("bridge vni add dev eth0 vni 5-6 group 239.1.1.1") ==
               "RTM_NEWTUNNEL REQUEST ACK\n"
               "  tunnel_msg family 7 flags 0 ifindex 7\n"
               "  VXLAN_VNIFILTER_ENTRY\n"
               "    VXLAN_VNIFILTER_ENTRY_START 5\n"
               "    VXLAN_VNIFILTER_ENTRY_END 6\n"
               "    VXLAN_VNIFILTER_ENTRY_GROUP 239.1.1.1\n");
    BOOST_TEST(decoded("ip addrlabel add prefix 2001:db8::/32 dev eth0 label 9") ==
               "RTM_NEWADDRLABEL REQUEST ACK EXCL CREATE\n"
               "  ifaddrlblmsg family 10 prefixlen 32 flags 0 index 7 seq 0\n"
               "  IFAL_LABEL 9\n"
               "  IFAL_ADDRESS 2001:db8::\n");
    BOOST_TEST(decoded("ip stats set dev eth0 l3_stats on") ==
               "RTM_SETSTATS REQUEST ACK\n"
               "  if_stats_msg family 0 ifindex 7 filter_mask 0\n"
               "  IFLA_STATS_SET_OFFLOAD_XSTATS_L3_STATS 1\n");
    BOOST_TEST(decoded("ip ntable change name arp_cache dev eth0 base_reachable 1000") ==
               "RTM_SETNEIGHTBL REQUEST ACK REPLACE\n"
               "  ndtmsg family 0\n"
               "  NDTA_NAME \"arp_cache\"\n"
               "  NDTA_PARMS\n"
               "    NDTPA_IFINDEX 7\n"
               "    NDTPA_BASE_REACHABLE_TIME 1000\n");
    BOOST_TEST(decoded("tc actions add action drop index 5") ==
               "RTM_NEWACTION REQUEST ACK EXCL CREATE\n"
               "  tcamsg family 0\n"
               "  TCA_ACT_TAB\n"
               "    1\n"
               "      TCA_ACT_KIND \"gact\"\n"
               "      TCA_ACT_OPTIONS\n"
               "        2 0x0500000000000000020000000000000000000000\n");
}

BOOST_AUTO_TEST_CASE(a_struct_that_begins_like_an_attribute_is_none) {
    BOOST_TEST(decoded("tc qdisc add dev eth0 root prio bands 8") ==
               "RTM_NEWQDISC REQUEST ACK EXCL CREATE\n"
               "  tcmsg ifindex 7 handle 0:0 parent ffff:ffff info 0:0\n"
               "  TCA_KIND \"prio\"\n"
               "  TCA_OPTIONS 0x080000000102020201020000010101010101010104000200\n");
}

BOOST_AUTO_TEST_CASE(no_line_makes_a_message_of_an_unknown_family) {
    test::GoldenWorld world;
    MessageBuffer out;
    for (auto const& row : test::golden_rows()) {
        out.clear();
        world.encoder(row.stream)->encode(row.line, out);
        if (out.size() == 0) continue;  // A flush lists first what it deletes.
        auto const text = decode(out.message());
        BOOST_CHECK_MESSAGE(text.starts_with("RTM_") && text.find("\n  header ") == text.npos && text.find(" rest ") == text.npos, row.line + "\n" + text);
    }
}

BOOST_AUTO_TEST_CASE(a_message_cut_short_is_shown_as_far_as_it_goes) {
    MessageBuffer out;
    out.begin(24, 5);
    BOOST_TEST(decode(out.message()) == "RTM_NEWROUTE REQUEST ACK\n  header 0x\n");
    BOOST_TEST(decode(out.message().first(7)).starts_with("rest "));
    auto const empty = std::span<std::byte const>{};
    BOOST_TEST(decode(empty) == "rest \n");
}

}  // namespace
}  // namespace nlstream
