// What nlstream does on purpose where iproute2's bridge does something else (docs/compatibility.md), and what depends on
// the order of words.
#include <boost/test/unit_test.hpp>

#include "test/support/encoding.hpp"

namespace nlstream {
namespace {

struct World : test::Encoding {
    World() : Encoding(Tool::bridge) {
        kernel.add({.index = 5, .name = "br0", .kind = "bridge"});
        kernel.add({.index = 70000, .name = "port0", .kind = {}});
        files.contents["/etc/services"] = "# no port here\ndomain 53/tcp\ndomain 53/udp nameserver # resolver\nvxlan 4789/udp\n";
    }
};

BOOST_FIXTURE_TEST_CASE(words_that_are_no_keywords_are_refused, World) {
    BOOST_TEST(blamed("mdb add dev br0 port port0 grp 239.1.1.1 permanen") == "permanen");
    BOOST_TEST(blamed("vlan add dev br0 vid 5 pvi") == "pvi");
    BOOST_TEST(blamed("vni add dev br0 vni 5 grup 239.1.1.1") == "grup");
    BOOST_TEST(blamed("mst set dev br0 msti 1 state 1 now") == "now");
    BOOST_TEST(blamed("fdb add 02:00:00:00:00:01 dev br0 02:00:00:00:00:02") == "02:00:00:00:00:02");
}

BOOST_FIXTURE_TEST_CASE(numbers_are_read_to_their_end_and_have_to_fit, World) {
    BOOST_TEST(blamed("link set dev br0 cost x") == "x");
    BOOST_TEST(blamed("link set dev br0 priority 70000") == "70000");
    BOOST_TEST(blamed("fdb add 02:00:00:00:00:01 dev br0 vlan 0x5") == "0x5");
    BOOST_TEST(blamed("fdb add 02:00:00:00:00:01 dev br0 vlan 32768") == "32768");
    BOOST_TEST(blamed("vlan add dev br0 vid 5a") == "5a");
    BOOST_TEST(blamed("vlan add dev br0 vid -1") == "-1");
    BOOST_TEST(blamed("vlan add dev br0 vid 5-4096") == "4096");
    BOOST_TEST(blamed("vlan add dev br0 vid 9-5") == "9-5");
    BOOST_TEST(blamed("vni add dev br0 vni 5,16777216,7") == "16777216");
    BOOST_TEST(blamed("vni add dev br0 vni ,") == ",");
    BOOST_TEST(blamed("fdb add 1:2:3:4:5:100 dev br0") == "1:2:3:4:5:100");
    BOOST_TEST(blamed("fdb add 1:2:3:4:5:6:7 dev br0") == "1:2:3:4:5:6:7");
}

BOOST_FIXTURE_TEST_CASE(what_is_missing_is_wanted_behind_the_last_word, World) {
    BOOST_TEST(blamed("fdb add 02:00:00:00:00:01") == "the end");
    BOOST_TEST(blamed("fdb add dev br0") == "the end");
    BOOST_TEST(blamed("mdb add dev br0 grp 239.1.1.1") == "the end");
    BOOST_TEST(blamed("vlan set dev br0 state 1") == "the end");
}

BOOST_FIXTURE_TEST_CASE(the_last_of_two_ranges_counts, World) {
    BOOST_TEST((*this)("vlan add dev br0 vid 10-20 vid 5") == (*this)("vlan add dev br0 vid 5"));
    BOOST_TEST((*this)("vlan add dev br0 vid 5-9 tunnel_info id 10-20 tunnel_info id 1-5") == (*this)("vlan add dev br0 vid 5-9 tunnel_info id 1-5"));
}

BOOST_FIXTURE_TEST_CASE(the_index_of_a_port_has_32_bits, World) {
    BOOST_TEST((*this)("fdb flush dev br0 brport port0").find("080008007011010") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(vni_wants_a_real_address, World) {
    BOOST_TEST(blamed("vni add dev br0 vni 5 remote any") == "any");
    BOOST_TEST(blamed("vni add dev br0 vni 5 group 10.0.0.1") == "10.0.0.1");
    BOOST_TEST(blamed("vni add dev br0 vni 5 group 239.1.1.1 remote 10.0.0.1") == "remote");
}

BOOST_FIXTURE_TEST_CASE(ports_have_names, World) {
    BOOST_TEST((*this)("fdb add 02:00:00:00:00:01 dev br0 port vxlan") == (*this)("fdb add 02:00:00:00:00:01 dev br0 port 4789"));
    BOOST_TEST((*this)("fdb flush dev br0 port nameserver") == (*this)("fdb flush dev br0 port 53"));
    BOOST_TEST(blamed("fdb add 02:00:00:00:00:01 dev br0 port resolver") == "resolver");
    BOOST_TEST(blamed("mdb add dev br0 port port0 grp 239.1.1.1 dst_port 65536") == "65536");
}

BOOST_FIXTURE_TEST_CASE(hwmode_makes_self_of_a_master_before_it, World) {
    BOOST_TEST((*this)("link set dev br0 master hwmode veb") == (*this)("link set dev br0 hwmode veb"));
    BOOST_TEST((*this)("link set dev br0 hwmode veb master") != (*this)("link set dev br0 hwmode veb"));
}

BOOST_FIXTURE_TEST_CASE(the_first_keyword_that_an_abbreviation_fits_gets_it, World) {
    BOOST_TEST((*this)("fdb add 02:00:00:00:00:01 dev br0 s") == (*this)("fdb add 02:00:00:00:00:01 dev br0 static"));
    BOOST_TEST((*this)("fdb add 02:00:00:00:00:01 dev br0 st m") == (*this)("fdb add 02:00:00:00:00:01 dev br0 master static"));
    BOOST_TEST((*this)("fdb a 02:00:00:00:00:01 dev br0 l") == (*this)("fdb add 02:00:00:00:00:01 dev br0 local"));
}

}  // namespace
}  // namespace nlstream
