// What qdiscs and classes mean where a row of bytes does not tell: where errors point, what nlstream does on purpose where iproute2
// does something else (docs/compatibility.md, "tc: qdiscs and classes"), tables from files, shares of a link's speed.
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include <boost/test/unit_test.hpp>

#include "netlink/clock.hpp"
#include "test/support/encoding.hpp"

namespace nlstream {
namespace {

struct World : test::Encoding {
    World() : Encoding(Tool::tc) { kernel.add({.index = 1, .name = "lo", .kind = {}}); }
    /// An encoder reads files once, and they change here.
    void encode(std::string_view line) override { Encoder(kernel, files, {.tool = Tool::tc}).encode(line, out); }
};

BOOST_FIXTURE_TEST_CASE(a_kind_that_only_the_kernel_knows_takes_no_options, World) {
    auto const hex = (*this)("qdisc add dev lo root teql0");
    BOOST_TEST(hex.ends_with("0a000100" "7465716c3000" "0000"));
    BOOST_TEST(blamed("qdisc add dev lo root teql0 limit 5") == "teql0");
    BOOST_TEST(blamed("qdisc add dev lo root a_name_of_sixteen") == "a_name_of_sixteen");
    BOOST_TEST(blamed("qdisc add dev lo root help") == "help");
    BOOST_TEST(blamed("class add dev lo parent 1: classid 1:1 teql0") == "teql0");
}

BOOST_FIXTURE_TEST_CASE(ingress_is_the_qdisc_and_not_its_block, World) {
    BOOST_TEST((*this)("qdisc add dev lo ingress").find("696e677265737300") != std::string::npos);
    BOOST_TEST((*this)("qdisc add dev lo ing 5 clsact") == (*this)("qdisc add dev lo ingress_block 5 clsact"));
    BOOST_TEST(blamed("qdisc add dev lo root clsact") == "clsact");
    BOOST_TEST(blamed("qdisc add dev lo clsact limit 5") == "limit");
}

BOOST_FIXTURE_TEST_CASE(the_first_row_that_fits_gets_an_abbreviation, World) {
    auto const same = [&](std::string const& options, std::string const& full) {
        BOOST_TEST((*this)("qdisc add dev lo root " + options) == (*this)("qdisc add dev lo root " + full));
    };
    same("netem l 5", "netem limit 5");
    same("netem d 5ms", "netem delay 5ms");
    same("netem la 5ms", "netem latency 5ms");
    same("netem dr 5%", "netem loss 5%");
    same("netem du 5%", "netem duplicate 5%");
    same("netem d 5ms r 5%", "netem delay 5ms reorder 5%");
    same("netem ra 5mbit", "netem rate 5mbit");
    same("netem s 5", "netem seed 5");
    same("netem sl 5ms p 2 b 3", "netem slot 5ms packets 2 bytes 3");
    same("etf d cl TAI", "etf deadline_mode clockid TAI");
    same("tbf rate 1mbit bu 5k l 5k", "tbf rate 1mbit burst 5k limit 5k");
    same("htb d 5 o", "htb default 5 offload");
    same("hfsc de 5", "hfsc default 5");
    same("red limit 400k avpkt 1000 q mark block 5", "red limit 400k avpkt 1000 qevent mark block 5");
    BOOST_TEST(blamed("qdisc add dev lo root fq_codel lim 5") == "lim");
    BOOST_TEST(blamed("qdisc add dev lo root tbf rat 5mbit") == "rat");
}

BOOST_FIXTURE_TEST_CASE(errors_point_at_the_word_at_fault, World) {
    BOOST_TEST(blamed("qdisc add dev lo root tbf burst 5k limit 5k") == "the end");
    BOOST_TEST(blamed("qdisc add dev lo root tbf rate 8bit burst 2000 limit 5k") == "burst");
    BOOST_TEST(blamed("qdisc add dev lo root tbf rate 1mbit burst 5k limit 5k latency 5ms") == "latency");
    BOOST_TEST(blamed("qdisc add dev lo root red limit 400k avpkt 1000 min 30000 max 20000 burst 100 ecn") == "max");
    BOOST_TEST(blamed("qdisc add dev lo root red limit 400k avpkt 1000 burst 1 min 30000 max 90000 ecn") == "burst");
    BOOST_TEST(blamed("qdisc add dev lo root red limit 400k avpkt 1000 qevent overlimit block 5") == "overlimit");
    BOOST_TEST(blamed("qdisc add dev lo root choke limit 100 bandwidth 1mbit max 200 ecn") == "max");
    BOOST_TEST(blamed("qdisc add dev lo root netem delay 5ms gap 5 limit 7") == "gap");
    BOOST_TEST(blamed("qdisc add dev lo root netem ecn delay 5ms") == "ecn");
    BOOST_TEST(blamed("qdisc add dev lo root netem loss 5% loss 6%") == "loss");
    BOOST_TEST(blamed("qdisc add dev lo root ets bands 3 strict 4") == "bands");
    BOOST_TEST(blamed("qdisc add dev lo root ets bands 3 priomap 0 3 1") == "3");
    BOOST_TEST(blamed("qdisc add dev lo root prio priomap 0 1 3") == "3");
    BOOST_TEST(blamed("qdisc add dev lo root fq bands 3 priomap 0 1 2") == "the end");
    BOOST_TEST(blamed("qdisc add dev lo root mqprio num_tc 2 queues 1@0 1@1 1@2 hw 0") == "queues");
    BOOST_TEST(blamed("qdisc add dev lo root mqprio hw 0 mode dcb") == "mode");
    BOOST_TEST(blamed("qdisc add dev lo root mqprio min_rate 5mbit") == "min_rate");
    BOOST_TEST(blamed("qdisc add dev lo root taprio sched-entry X 1 300") == "X");
    BOOST_TEST(blamed("qdisc add dev lo root gred setup default 3 vqs 4") == "default");
    BOOST_TEST(blamed("qdisc add dev lo root cake lan metro") == "metro");
    BOOST_TEST(blamed("qdisc add dev lo stab tsize 40000 mpu 64 root fq") == "stab");
    BOOST_TEST(blamed("class add dev lo parent 1: classid 1:1 hfsc ul rate 5mbit") == "ul");
    BOOST_TEST(blamed("class add dev lo parent 1: classid 1:1 hfsc sc m1 5mbit rate 6mbit") == "rate");
    BOOST_TEST(blamed("class add dev lo parent 1: classid 1:1 fq_codel") == "fq_codel");
}

BOOST_FIXTURE_TEST_CASE(values_that_iproute2_would_cut_are_refused, World) {
    BOOST_TEST(blamed("qdisc add dev lo root codel target 4295s") == "4295s");
    BOOST_TEST(blamed("qdisc add dev lo root tbf rate 1mbit burst 5k limit 5k mpu 65536") == "65536");
    BOOST_TEST(blamed("qdisc add dev lo root tbf rate 100gbit burst 5k latency 5s") == "latency");
    BOOST_TEST(blamed("qdisc change dev lo root gred vq 1 prio 256") == "256");
    BOOST_TEST(blamed("qdisc add dev lo root red limit 400k avpkt 1000 probability 0.1x") == "0.1x");
    BOOST_TEST(blamed("qdisc add dev lo root sfb increment 0.1x") == "0.1x");
    BOOST_TEST(blamed("qdisc add dev lo root taprio base-time x flags 1") == "x");
    BOOST_TEST(blamed("qdisc add dev lo root sfq redflowlimit 100000 avpkt 0") == "avpkt");
    BOOST_TEST(blamed("class add dev lo parent 1: classid 1:1 hfsc sc umax 1500 dmax 1ms rate 1mbit ul umax 2gb dmax 1us rate 1mbit") == "umax");
    BOOST_TEST(blamed("class add dev lo parent 1: classid 1:1 hfsc sc dmax 5ms rate 0") == "0");
}

BOOST_FIXTURE_TEST_CASE(a_schedule_of_more_than_a_kilobyte_is_sent_whole, World) {
    std::string line = "qdisc add dev lo root taprio num_tc 1";
    for (int i = 0; i < 100; ++i) line += " sched-entry S 01 300000";
    (*this)(line);
    BOOST_TEST(out.size() > 100 * 28u);
}

BOOST_FIXTURE_TEST_CASE(lists_given_twice_are_refused_or_replaced_whole, World) {
    BOOST_TEST(blamed("qdisc add dev lo root taprio fp E E fp P") == "fp");
    BOOST_TEST((*this)("qdisc add dev lo root mqprio fp E E fp P") == (*this)("qdisc add dev lo root mqprio fp P"));
}

BOOST_FIXTURE_TEST_CASE(delays_come_from_the_installed_tables, World) {
    auto const line = "qdisc add dev lo root netem delay 5ms 1ms distribution mine";
    BOOST_TEST(blamed(line) == "mine");
    for (auto const* path : {"/usr/lib/tc/mine.dist", "/usr/lib64/tc/mine.dist", "/usr/lib/aarch64-linux-gnu/tc/mine.dist"}) {
        files.contents[path] = "# numbers\n-2 -1\n\n  0 0x10 32767\t7 x 5\n";
        // TCA_NETEM_DELAY_DIST: a line ends at the first word that is no number.
        BOOST_TEST((*this)(line).ends_with("10000200" "feff" "ffff" "0000" "1000" "ff7f" "0700"));
        files.contents.erase(path);
    }
    files.contents["/usr/lib/tc/mine.dist"] = "# nothing\n";
    BOOST_TEST(blamed(line) == "mine");
    std::string many;
    for (int i = 0; i < 16385; ++i) many += "1 ";
    files.contents["/usr/lib/tc/mine.dist"] = many;
    BOOST_TEST(blamed(line) == "mine");
}

BOOST_FIXTURE_TEST_CASE(a_share_is_of_the_links_speed, World) {
    BOOST_TEST(blamed("class add dev lo parent 1: classid 1:1 htb rate 29%") == "29%");
    files.contents["/sys/class/net/lo/speed"] = "1000\n";
    BOOST_TEST((*this)("class add dev lo parent 1: classid 1:1 htb rate 29% ceil 7.5%") == (*this)("class add dev lo parent 1: classid 1:1 htb rate 290mbit ceil 75mbit"));
    BOOST_TEST((*this)("qdisc add dev lo root fq maxrate 10%") == (*this)("qdisc add dev lo root fq maxrate 100mbit"));
    BOOST_TEST(blamed("class add parent 1: classid 1:1 htb rate 29%") == "29%");
    files.contents["/sys/class/net/lo/speed"] = "-1\n";
    BOOST_TEST(blamed("qdisc add dev lo root tbf rate 10% burst 5k limit 5k") == "10%");
}

BOOST_FIXTURE_TEST_CASE(rate_tables_hold_ticks_rounded_up, World) {
    auto const check_table = [&](std::string const& options, u64 rate, u32 cell) {
        (*this)("class add dev lo parent 1: classid 1:1 htb rate 1mbit ceil " + options);
        for (u32 i = 0; i < 256; ++i) {
            u32 entry;
            std::memcpy(&entry, out.bytes().data() + out.size() - 1024 + 4 * i, sizeof entry);
            BOOST_TEST(entry == Clock{}.transmit_ticks(rate, (i + 1) * cell), options << ", entry " << i);
        }
    };
    check_table("1mbit", 125'000, 8);
    check_table("999mbit", 124'875'000, 8);
    check_table("7kbit cburst 2k/16", 875, 16);
    check_table("1gbit mtu 65535", 125'000'000, 256);
    // Beyond 31 bits, and beyond 32.
    check_table("56bit cburst 1", 7, 8);
    check_table("8bit cburst 1 mtu 9000", 1, 64);
    BOOST_TEST((Clock{}.transmit_ticks(3, 8)) == 41'666'667u);
    BOOST_TEST((Clock{}.transmit_ticks(1, 1 << 20)) == 0xffffffffu);
}

}  // namespace
}  // namespace nlstream
