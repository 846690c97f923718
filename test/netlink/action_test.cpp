// What nlstream does on purpose where iproute2's actions do something else (docs/compatibility.md, "tc: actions"), how lists end,
// and where errors point.
#include <linux/bpf.h>
#include <linux/rtnetlink.h>

#include <boost/test/unit_test.hpp>

#include "netlink/received.hpp"
#include "test/support/encoding.hpp"

namespace nlstream {
namespace {

struct World : test::Encoding {
    World() : Encoding(Tool::tc) { kernel.add({.index = 1, .name = "lo", .kind = {}}); }
    /// The types of the line's messages.
    std::vector<int> types(std::string const& line) {
        (*this)(line);
        std::vector<int> types;
        BOOST_TEST(for_each_message(out.bytes(), [&](nlmsghdr const& message) { types.push_back(message.nlmsg_type); }).empty());
        return types;
    }
};

BOOST_FIXTURE_TEST_CASE(a_cookie_stays_with_its_action, World) {
    auto const cookie = (*this)("actions add action drop cookie aabbccdd");
    BOOST_TEST(cookie.find("aabbccdd") != cookie.npos);
    auto const both = (*this)("actions add action drop cookie aabbccdd action pass");
    BOOST_TEST(both.find("aabbccdd") != both.npos);
    BOOST_TEST(both.find("aabbccdd") == both.rfind("aabbccdd"));
}

BOOST_FIXTURE_TEST_CASE(a_list_ends_where_a_command_begins, World) {
    std::vector<int> const expected{RTM_NEWACTION, RTM_NEWACTION, RTM_DELACTION};
    BOOST_TEST(types("actions add action drop replace pass index 2 delete action gact index 1 action csum index 2") == expected, boost::test_tools::per_element());
    BOOST_TEST(blamed("actions add delete action gact index 1") == "delete");
    BOOST_TEST(blamed("actions add action") == "the end");
    BOOST_TEST(blamed("actions add action drop action") == "the end");
    BOOST_TEST(blamed("actions add action drop action flowid 1:1") == "flowid");
    BOOST_TEST(blamed("filter add dev lo parent ffff: matchall action flowid 1:1") == "flowid");
    BOOST_TEST(blamed("filter add dev lo parent ffff: matchall action drop flowid 1:1") == "accepted");
    BOOST_TEST((*this)("actions add action drop pass") == (*this)("actions add action gact drop action gact pass"));
}

BOOST_FIXTURE_TEST_CASE(abbreviations_of_commands_come_before_those_of_controls, World) {
    BOOST_TEST(blamed("actions add action d") == "d");                               // delete, not drop
    BOOST_TEST((*this)("actions add action dr") == (*this)("actions add action drop"));
    BOOST_TEST((*this)("actions add action connmark c") == (*this)("actions add action connmark pipe"));  // connmark, not continue
    BOOST_TEST((*this)("actions add action pedit munge ip ttl clear p index 5") == (*this)("actions add action pedit munge ip ttl clear pass index 5"));
    BOOST_TEST(blamed("actions add action pedit munge ip ttl clear p") == "the end");  // pedit, which wants a word behind it
}

BOOST_FIXTURE_TEST_CASE(unknown_kinds_are_refused, World) {
    BOOST_TEST(blamed("actions add action index 5") == "index");
    BOOST_TEST(blamed("actions add action gac drop") == "gac");
    BOOST_TEST(blamed("actions flush action gac") == "gac");
    BOOST_TEST(blamed("actions delete action nothing index 1") == "nothing");
}

BOOST_FIXTURE_TEST_CASE(words_that_iproute2_passes_over_are_refused, World) {
    BOOST_TEST(blamed("actions delete gact index 5") == "gact");
    BOOST_TEST(blamed("actions flush gact gact") == "gact");
    BOOST_TEST(blamed("actions flush action gact index 5") == "index");
    BOOST_TEST(blamed("actions delete action gact") == "the end");
    BOOST_TEST(blamed("actions add action ct commit label abc pipe") == "abc");
    BOOST_TEST(blamed("actions add action ct helper ipv4-tcp-ftp-x pipe") == "ipv4-tcp-ftp-x");
    BOOST_TEST(blamed("actions add action tunnel_key set src_ip 1.1.1.1 dst_ip 1.1.1.2 geneve_opts 1:2:abc") == "abc");
    BOOST_TEST(blamed("actions add action skbmod set dmac 1:2:3:4:5:6:7") == "1:2:3:4:5:6:7");
    BOOST_TEST(blamed("actions add action ife encode dst 1:2:3:4:5:6x") == "1:2:3:4:5:6x");
    BOOST_TEST(blamed("actions add action police rate 1mbit burst 10k mpu 70000") == "70000");
    BOOST_TEST(blamed("actions add action gate base-time 18446744073709551615 sched-entry open 5") == "18446744073709551615");
    BOOST_TEST(blamed("actions add action bpf bytecode '1,6 0 0 0 0'") == "6 0 0 0 0");
    BOOST_TEST(blamed("actions add action bpf bytecode '1,6 0 256 0'") == "256");
    BOOST_TEST(blamed("actions add action bpf object-file prog.o section act") == "prog.o");
    BOOST_TEST(blamed("actions add action bpf obj prog.o export /agent") == "export");
}

BOOST_FIXTURE_TEST_CASE(a_slot_without_octets_takes_any_number, World) {
    BOOST_TEST((*this)("actions add action gate sched-entry open 5 3 drop") == (*this)("actions add action gate sched-entry open 5 3 -1 drop"));
    BOOST_TEST((*this)("actions add action gate sched-entry close 5 3 8k") == (*this)("actions add action gate sched-entry close 5"));
    std::string many = "actions add action gate";
    for (int i = 0; i < 40; ++i) many += " sched-entry open 5";
    auto const hex = (*this)(many);
    // 40 slots: a nest of a flag and three numbers each.
    std::size_t slots = 0;
    for (auto at = hex.find("2000018004000200"); at != hex.npos; at = hex.find("2000018004000200", at + 1)) ++slots;
    BOOST_TEST(slots == 40u);
}

BOOST_FIXTURE_TEST_CASE(errors_point_at_the_word_that_is_wrong, World) {
    BOOST_TEST(blamed("actions add action mpls pop label 5") == "label");
    BOOST_TEST(blamed("actions add action mpls push label 1048576") == "1048576");
    BOOST_TEST(blamed("actions add action mpls push label 1 protocol ip") == "ip");
    BOOST_TEST(blamed("actions add action mpls push pop") == "pop");
    BOOST_TEST(blamed("actions add action pedit munge tcp dport set 1") == "tcp");
    BOOST_TEST(blamed("actions add action pedit munge ip ttl decrement") == "decrement");
    BOOST_TEST(blamed("actions add action pedit ex munge ip dport set 1") == "dport");
    BOOST_TEST(blamed("actions add action pedit munge offset 6 u32 clear") == "6");
    BOOST_TEST(blamed("actions add action pedit munge ip ttl set 256") == "256");
    BOOST_TEST(blamed("actions add action pedit ex munge ip6 src set ::1 retain 1") == "1");
    BOOST_TEST(blamed("actions add action police rate 1mbit burst 1k rate 2mbit") == "rate");
    BOOST_TEST(blamed("actions add action police rate 1mbit") == "the end");
    BOOST_TEST(blamed("actions add action ct nat src addr 10.0.0.1-10.0.0.x pipe") == "10.0.0.x");
    BOOST_TEST(blamed("actions add action ctinfo dscp 0x7f") == "0x7f");
    BOOST_TEST(blamed("actions add action simple sdata 12345678901234567890123456789012") == "12345678901234567890123456789012");
    BOOST_TEST(blamed("actions add action ct commit pipe index 5") == "index");
    BOOST_TEST(blamed("actions list action gact") == "list");
}

BOOST_FIXTURE_TEST_CASE(a_pedit_of_more_keys_than_fit_is_refused, World) {
    std::string line = "actions add action pedit";
    for (int i = 0; i < 128; ++i) line += " munge ip ttl set 1";
    BOOST_TEST(blamed(line) == "accepted");
    BOOST_TEST(blamed(line + " munge ip ttl set 2") == "2");
}

BOOST_FIXTURE_TEST_CASE(a_program_is_loaded_for_its_use, World) {
    files.objects = {{"x.o action", 8}, {"x.o prog", 9}};
    BOOST_TEST((*this)("actions add action bpf obj x.o drop").find("782e6f3a5b616374696f6e5d00") != std::string::npos);  // x.o:[action]
    BOOST_TEST(files.loaded.back().type == u32{BPF_PROG_TYPE_SCHED_ACT});
}

BOOST_FIXTURE_TEST_CASE(bytecode_comes_from_files_too, World) {
    files.contents["prog"] = "2\n40 0 0 12\n\n6 0 0 0\n";
    BOOST_TEST((*this)("actions add action bpf bytecode-file prog") == (*this)("actions add action bpf bytecode '2,40 0 0 12,6 0 0 0'"));
    files.contents["bad"] = "2\n40 0 0 12\n";
    BOOST_TEST(blamed("actions add action bpf bytecode-file bad") == "bad");
    BOOST_TEST(blamed("actions add action bpf bytecode-file none") == "none");
}

BOOST_FIXTURE_TEST_CASE(text_of_simple_is_followed_by_the_line, World) {
    auto const data = [](std::string_view text) { return test::to_hex(std::as_bytes(std::span(text))); };
    using namespace std::string_view_literals;
    std::pair<std::string, std::string_view> const lines[] = {
        {"actions add action simple sdata 'a b' index 7", "a b\0 index\0007\0\0"sv},
        {"actions add action simple sdata 'a b'", "a b\0\n\0"sv},
        {"actions add action simple sdata ab  ", "ab\0 \n\0"sv},
        {"actions add action simple sdata ab\r", "ab\0\n\0"sv},
        {"actions add action simple sdata ab", "ab\0\0"sv},
        {"actions add action simple sdata 'a b' # why", "a b\0 \0 why\n\0"sv},
        {"actions add action simple sdata ab#why", "ab\0why\n\0"sv},
        {"actions add action simple sdata 1234567890123456789012345678901", "1234567890123456789012345678901\0"sv},
        {"actions add action simple sdata 'a b' index 12 cookie 12345678901234", "a b\0 index\00012\0cookie\00012345678901"sv},
    };
    for (auto const& [line, sent] : lines) {
        auto const hex = (*this)(line);
        BOOST_TEST(hex.find(data(sent)) != hex.npos, line);
    }
}

}  // namespace
}  // namespace nlstream
