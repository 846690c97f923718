// What nlstream does on purpose where iproute2's filters do something else (docs/compatibility.md, "tc: filters and chains"),
// when keywords may be used, and where errors point.
#include <linux/bpf.h>
#include <boost/test/unit_test.hpp>

#include "test/support/encoding.hpp"

namespace nlstream {
namespace {

struct World : test::Encoding {
    World() : Encoding(Tool::tc) { kernel.add({.index = 1, .name = "lo", .kind = {}}); }
    std::string operator()(std::string const& rest) { return Encoding::operator()(begin + rest); }
    std::string blamed(std::string const& rest) { return Encoding::blamed(begin + rest); }
    bool holds(std::string const& rest, std::string const& hex) { return (*this)(rest).find(hex) != std::string::npos; }
    std::string const begin = "filter add dev lo parent 1: ";
};

BOOST_FIXTURE_TEST_CASE(masks_of_mac_addresses, World) {
    BOOST_TEST(holds("flower dst_mac 02:00:00:00:00:01/0", "0a000500000000000000"));
    BOOST_TEST(holds("flower dst_mac 02:00:00:00:00:01/010", "0a000500ffc000000000"));  // decimal
    BOOST_TEST(holds("flower dst_mac 02:00:00:00:00:01/ff:0:ff:0:ff:0", "0a000500ff00ff00ff00"));
    BOOST_TEST(blamed("flower dst_mac 02:00:00:00:00:01/49") == "49");
    BOOST_TEST(blamed("flower dst_mac 02:00:00:00:01") == "02:00:00:00:01");
    BOOST_TEST(blamed("u32 match ether src 1:2:3:4:5:100") == "1:2:3:4:5:100");
}

BOOST_FIXTURE_TEST_CASE(flower_keys_need_their_protocol, World) {
    BOOST_TEST(blamed("protocol ip flower vlan_id 5") == "vlan_id");
    BOOST_TEST(blamed("protocol ip flower num_of_vlans 1 vlan_id 5") == "accepted");
    BOOST_TEST(blamed("protocol ip flower num_of_vlans 1 cvlan_id 5") == "cvlan_id");
    BOOST_TEST(blamed("protocol 802.1Q flower vlan_ethtype ip dst_ip 10.0.0.1") == "accepted");
    BOOST_TEST(blamed("protocol 802.1Q flower dst_ip 10.0.0.1") == "dst_ip");
    BOOST_TEST(blamed("protocol ip flower dst_ip ::1") == "::1");
    BOOST_TEST(blamed("protocol ip flower dst_port 80") == "dst_port");
    BOOST_TEST(blamed("protocol ip flower ip_proto icmpv6") == "icmpv6");
    BOOST_TEST(blamed("protocol ip flower ip_proto icmp dst_port 80") == "dst_port");
    BOOST_TEST(blamed("protocol ip flower arp_op request") == "arp_op");
    BOOST_TEST(blamed("protocol mpls_uc flower mpls_label 5 mpls lse depth 1") == "mpls");
    BOOST_TEST(blamed("protocol mpls_uc flower mpls_label 0 mpls lse depth 1") == "mpls");
    BOOST_TEST(blamed("protocol mpls_uc flower mpls lse depth 1 mpls_ttl 5") == "mpls_ttl");
    BOOST_TEST(blamed("protocol mpls_uc flower mpls lse label 5") == "lse");
}

BOOST_FIXTURE_TEST_CASE(flower_values, World) {
    BOOST_TEST(blamed("protocol ip flower ip_proto tcp dst_port 90-80") == "90-80");
    BOOST_TEST(blamed("protocol ip flower ip_proto tcp dst_port 80-8x") == "8x");
    BOOST_TEST(blamed("protocol ip flower ip_proto tcp dst_port 0x50") == "0x50");
    BOOST_TEST(blamed("protocol ip flower ip_proto tcp dst_port 0x50/0xff") == "accepted");
    BOOST_TEST(blamed("protocol ip flower tcp_flags 1000") == "1000");
    BOOST_TEST(blamed("protocol ip flower ct_state +trk+bad") == "+bad");
    BOOST_TEST(blamed("protocol ip flower ct_label 123") == "123");
    BOOST_TEST(blamed("protocol ip flower geneve_opts 0102:80:123") == "123");
    BOOST_TEST(blamed("protocol ip flower geneve_opts 0102::12") == "0102::12");
    BOOST_TEST(blamed("protocol ip flower erspan_opts 1") == "1");
    BOOST_TEST(blamed("protocol ip flower gtp_opts 1") == "1");
    BOOST_TEST(blamed("protocol ip flower gtp_opts 1:2:3") == "3");
    BOOST_TEST(blamed("protocol ip flower ip_flags frag/nofrag/nothing") == "nothing");
    BOOST_TEST(blamed("protocol arp flower arp_op 3") == "3");
    BOOST_TEST(blamed("flower hw_tc 16") == "16");
    BOOST_TEST(blamed("flower dst_mca 02:00:00:00:00:01") == "dst_mca");
}

BOOST_FIXTURE_TEST_CASE(u32_handles_and_ends_of_lines, World) {
    BOOST_TEST(blamed("u32 match mark 1 1") == "accepted");
    BOOST_TEST(blamed("u32 match ip df") == "accepted");
    BOOST_TEST(blamed("u32 sample ip src 1.2.3.4 divisor 64") == "accepted");
    BOOST_TEST(blamed("u32 ht 1:2:3:4 match ip df") == "1:2:3:4");
    BOOST_TEST(blamed("u32 ht 800 match ip df") == "800");
    BOOST_TEST(blamed("u32 link 1:2:3 match ip df") == "1:2:3");
    BOOST_TEST(blamed("handle 1:2:3 u32 order 4 match ip df") == "1:2:3");
    BOOST_TEST(blamed("u32 order 5000 match ip df") == "5000");
    BOOST_TEST(blamed("u32 divisor 3") == "3");
    BOOST_TEST(blamed("u32 sample ip6 src ::1") == "ip6");
    BOOST_TEST(blamed("u32 match u8 1 ff at 0 match u8 2 ff at 0") == "2");
    BOOST_TEST(blamed("u32 match u32 1 1 at 2") == "1");
    BOOST_TEST(blamed("u32 match mark 4 3") == "4");
    BOOST_TEST(blamed("u32 match ip sprot 1 ff") == "sprot");
    BOOST_TEST(blamed("u32 match ip") == "the end");
    BOOST_TEST(blamed("u32 skip_hw match ip df skip_sw") == "skip_sw");
    BOOST_TEST((*this)("u32 match u16 1 ff at 3") == (*this)("u32 match u16 1 ff at 2"));
    BOOST_TEST((*this)("u32 match u8 1 ff at nexthdr+1") == (*this)("u32 match icmp code 1 ff"));
}

BOOST_FIXTURE_TEST_CASE(a_filter_matches_at_most_128_words, World) {
    std::string line = "u32";
    for (int i = 0; i < 128; ++i) line += " match u32 1 1 at " + std::to_string(4 * i);
    BOOST_TEST(blamed(line) == "accepted");
    BOOST_TEST(blamed(line + " match u32 3 3 at 512") == "3");
    // One more for a word that is there already joins it.
    BOOST_TEST(blamed(line + " match u32 2 2 at 0") == "accepted");
}

BOOST_FIXTURE_TEST_CASE(realms_flows_and_marks, World) {
    BOOST_TEST(blamed("route order 200 to 5") == "200");
    BOOST_TEST(blamed("route to 256") == "256");
    BOOST_TEST(blamed("flow map key src,dst") == "src,dst");
    BOOST_TEST(blamed("flow hash keys src,dts") == "dts");
    BOOST_TEST(blamed("flow map key nfct-src addend 10.0.0.1") == "accepted");
    BOOST_TEST(blamed("flow map key mark addend 10.0.0.1") == "10.0.0.1");
    BOOST_TEST(blamed("flow map key mark baseclass 1:") == "1:");
    BOOST_TEST(blamed("handle 5/x fw flowid 1:1") == "x");
    BOOST_TEST(blamed("handle 5x basic flowid 1:1") == "5x");
}

BOOST_FIXTURE_TEST_CASE(expressions, World) {
    BOOST_TEST((*this)("basic match cmp(u8 at 0 eq 1) or not nbyte(abc at 3) flowid 1:1") == (*this)("basic match 'cmp( u8 at 0 eq 1 )or not nbyte (abc at 3)' flowid 1:1"));
    BOOST_TEST(blamed("basic match cmp(u8 at 0 eq 1)") == "accepted");
    BOOST_TEST((*this)("basic match u32(u32 1 1 at nexthdr+ 4)") == (*this)("basic match u32(u32 1 1 at nexthdr+4)"));
    BOOST_TEST(blamed("basic match CMP(u8 at 0 eq 1)") == "CMP");
    BOOST_TEST(blamed("basic match cmp(u8 at 0 eq 1") == "the end");
    BOOST_TEST(blamed("basic match cmp(u8 eq 1)") == "u8");
    BOOST_TEST(blamed("basic match cmp(u8 at 1x eq 1)") == "1x");
    BOOST_TEST(blamed("basic match cmp(u8 at 0 ne 1)") == "ne");
    BOOST_TEST(blamed("basic match u32(u8 1 1)") == "1");
    BOOST_TEST(blamed("basic match ()") == ")");
    BOOST_TEST(blamed("basic match cmp(u8 at 0 eq 1) and flowid 1:1") == "1:1");
    BOOST_TEST(blamed("basic match cmp(u8 at 0 eq 1)flowid 1:1") == "flowid");
    BOOST_TEST(blamed("basic match not not cmp(u8 at 0 eq 1)") == "not");
    BOOST_TEST(blamed("basic match ipt(-m x)") == "ipt");
    BOOST_TEST(blamed("basic match meta(\"a\" eq nf_mark)") == "nf_mark");
    BOOST_TEST(blamed("basic match meta(nf_mark ge 3)") == "ge");
    BOOST_TEST(blamed("basic match canid(sff 12:)") == ")");
    BOOST_TEST(blamed("fw flowid 1:1 handle 5/") == "handle");
    BOOST_TEST(blamed("handle 5/ fw") == " ");
    BOOST_TEST(blamed("basic match canid(eff)") == ")");
    BOOST_TEST(blamed("basic match " + std::string(40, '(')) == "(");
}

BOOST_FIXTURE_TEST_CASE(strings_in_expressions, World) {
    BOOST_TEST(holds(R"(basic match 'nbyte("\x41\102\q\n" at 1)')", "010004104142710a"));
    auto const two = (*this)("basic match 'nbyte(\"abcd\" at 1) or nbyte(\"wxyz\" at 2)'");
    BOOST_TEST(two.find("61626364") != two.npos);
    BOOST_TEST(two.find("7778797a") != two.npos);
    BOOST_TEST(holds("basic match nbyte(\"ab cd\" at 1)", "6162206364"));  // without quotes around the expression
    BOOST_TEST(blamed(R"(basic match 'nbyte("abc at 1)')") == "\"");
    BOOST_TEST(blamed(R"(basic match 'nbyte("\777" at 1)')") == R"("\777")");
    BOOST_TEST(blamed(R"(basic match 'nbyte("" at 1)')") == R"("")");
}

BOOST_FIXTURE_TEST_CASE(sets_are_asked_for, World) {
    // Set 7, two dimensions, the first one the source's.
    BOOST_TEST(holds("basic match ipset(bulk src,dst)", "08000000000007000202"));
    BOOST_TEST(blamed("basic match ipset(none src)") == "none");
    BOOST_TEST(blamed("basic match ipset(bulk src,dts)") == "dts");
    BOOST_TEST(blamed("basic match ipset(bulk src,src,src,src,src,src,dst)") == "dst");
}

BOOST_FIXTURE_TEST_CASE(redirections, World) {
    BOOST_TEST(blamed("matchall action mirred egress egress redirect dev lo") == "egress");
    BOOST_TEST(blamed("matchall action mirred egress dev lo") == "dev");
    BOOST_TEST(blamed("matchall action mirred egress redirect") == "the end");
    BOOST_TEST(blamed("matchall action mirred egress redirect dev lo index 1 index 2") == "index");
    BOOST_TEST(blamed("matchall action mirred egress redirect blockid 0") == "0");
    BOOST_TEST(blamed("matchall action mirred index 5") == "accepted");
    BOOST_TEST(blamed("matchall action vlan push protocol 802.1Q") == "vlan");
    BOOST_TEST(blamed("matchall action vlan push id 1 protocol ip") == "ip");
    BOOST_TEST(blamed("matchall action vlan pop push id 1") == "push");
    BOOST_TEST(blamed("matchall action vlan id 5") == "id");
    BOOST_TEST(blamed("matchall action skbedit pipe") == "skbedit");
}

BOOST_FIXTURE_TEST_CASE(kinds_and_programs, World) {
    BOOST_TEST(blamed("flowre") == "flowre");
    BOOST_TEST(blamed("bpf bytecode '1,6 0 0 0' bytecode '1,6 0 0 0'") == "bytecode");
    BOOST_TEST(blamed("bpf bytecode '2,6 0 0 0'") == "2");
    BOOST_TEST(blamed("bpf object-file x.o section s verbose") == "x.o");
    files.contents["/prog"] = "2,\n6 0 0 1\n6 0 0 0\n";
    BOOST_TEST((*this)("bpf bytecode-file /prog") == (*this)("bpf run bytecode '2,6 0 0 1,6 0 0 0'"));
    files.programs["/sys/fs/bpf/dir/name"] = 9;
    // TCA_BPF_FD, TCA_BPF_NAME
    BOOST_TEST(holds("bpf da pinned /sys/fs/bpf/dir/name", "08000600090000001200070" + std::string("06e616d653a5b2a66736f626a5d00")));
}

BOOST_FIXTURE_TEST_CASE(a_program_in_an_object_file, World) {
    files.objects = {{"/dir/x.o classifier", 8}, {"/dir/x.o mine", 9}, {"/dir/x.o main", 10}};
    // TCA_BPF_FD, TCA_BPF_NAME ("x.o:[classifier]"), TCA_BPF_FLAGS
    BOOST_TEST(holds("bpf da object-file /dir/x.o", "0800060008000000150007" "00782e6f3a5b636c61737369666965725d000000000800080001000000"));
    BOOST_TEST(files.loaded.back().type == u32{BPF_PROG_TYPE_SCHED_CLS});
    BOOST_TEST(files.loaded.back().device == 0u);
    BOOST_TEST(!files.loaded.back().verbose);
    // The section in the name is the one that would have counted.
    BOOST_TEST(holds("bpf run obj /dir/x.o sec mine program main verb", "080006000a0000000f000700782e6f3a5b6d696e655d00"));
    BOOST_TEST(files.loaded.back().verbose);
    BOOST_TEST(holds("bpf object /dir/x.o section mine skip_sw", "0800060009000000"));
    BOOST_TEST(files.loaded.back().device != 0u);
    BOOST_TEST(blamed("bpf obj /dir/x.o section his") == "his");
    BOOST_TEST(blamed("bpf obj /dir/x.o section mine program his") == "his");
    BOOST_TEST(blamed("bpf obj /dir/x.o program main section mine") == "section");
    BOOST_TEST(blamed("bpf obj /dir/x.o export /agent") == "export");
    // Nothing is loaded for a line that cannot be read to its end.
    auto const before = files.loaded.size();
    BOOST_TEST(blamed("bpf obj /dir/x.o flowid x") == "x");
    BOOST_TEST(files.loaded.size() == before);
}

}  // namespace
}  // namespace nlstream
