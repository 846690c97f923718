// Messages as people read them.
#define BOOST_TEST_MODULE decode
#include "netlink/decode.hpp"

#include <sys/socket.h>

#include <boost/test/unit_test.hpp>

#include "netlink/encoder.hpp"
#include "test/support/fixed_world.hpp"

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
