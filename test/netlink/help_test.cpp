// Help and reference are what the tables say.
#define BOOST_TEST_MODULE help
#include "netlink/help.hpp"

#include <boost/test/unit_test.hpp>

namespace nlstream {
namespace {

BOOST_AUTO_TEST_CASE(a_kind_is_found_by_its_help_name) {
    auto const* kind = find_help("action.gact");
    BOOST_REQUIRE(kind);
    BOOST_TEST(help_text(*kind) ==
               "action.gact: A verdict: drop, pass, pipe, reclassify, continue, trap, jump N, goto chain N.\n"
               "\n"
               "  random TYPE CONTROL N         Do CONTROL instead for one packet in N: netrand by chance, determ exactly.\n"
               "  index INDEX                   The action's number.\n");
    BOOST_TEST(!find_help("gact"));
    BOOST_TEST(nearest_help("gact") == "action.gact");
    BOOST_TEST(nearest_help("qdisc.htp") == "qdisc.htb");
    BOOST_TEST(nearest_help("xyzzy") == "");
}

}  // namespace
}  // namespace nlstream
