// What nlstream does on purpose where iproute2's ip does something else (docs/compatibility.md, "ip"), what depends on
// the order of words, and where errors point.
#include <linux/bpf.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <boost/test/unit_test.hpp>

#include "test/support/encoding.hpp"

namespace nlstream {
namespace {

struct World : test::Encoding {
    World() : Encoding(Tool::ip) {
        kernel.add({.index = 1, .name = "lo", .kind = {}});
        kernel.add({.index = 7, .name = "blue", .kind = "vrf", .vrf_table = 1007});
    }
    /// The fixed header of a route's request.
    rtmsg route(std::string_view line) {
        (*this)(line);
        return out.value_at<rtmsg>(sizeof(nlmsghdr));
    }
};

BOOST_FIXTURE_TEST_CASE(what_is_not_changed_over_rtnetlink_is_refused_with_what_does_it, World) {
    std::string const others[] = {"xfrm", "l2tp", "fou", "macsec", "mptcp", "tcp_metrics", "ila", "sr", "ioam", "tunnel", "tuntap", "maddress", "mroute", "monitor", "netconf", "netns", "vrf"};
    for (auto const& object : others)
        try {
            (*this)(object + " add x");
            BOOST_ERROR(object + " was accepted");
        } catch (Diagnostic const& d) {
            BOOST_TEST(d.where.begin == 0u);
            BOOST_TEST(d.where.end == object.size());
            auto const names_it = d.what.find("ip " + object + " itself") != std::string::npos || d.what.find("ip " + object + " only reads") != std::string::npos;
            BOOST_TEST(names_it, d.what);
        }
}

BOOST_FIXTURE_TEST_CASE(names_come_from_files_as_iproute2_reads_them, World) {
    auto const file = [&](char const* name) -> std::string& { return files.contents[std::string("/etc/iproute2/") + name]; };
    file("rt_tables") = "5 low\n256 low\n7 same\n0x107 same\n\t# text\n-5 negative\n6 don't # \"\n8 a b c\n4294967295 last\nbad\n9 unseen\n";
    file("rt_protos") = "200 bgp\n186 other\n4 fixed\n256 beyond\n10 two\n11 two\n";
    file("rt_dsfield") = "0x10 slow\n";
    file("rt_realms") = "300 big\n0x0a ten\n";
    auto const table = [&](std::string const& name) {
        auto const header = route("route add default dev lo table " + name);
        if (header.rtm_table != RT_TABLE_UNSPEC) return std::to_string(header.rtm_table);
        return std::to_string(out.value_at<u32>(sizeof(nlmsghdr) + sizeof(rtmsg) + sizeof(nlattr)));
    };
    BOOST_TEST(table("low") == "256");   // 256 has the lesser lowest 8 bits
    BOOST_TEST(table("same") == "263");  // alike: the later one
    BOOST_TEST(table("\"don't\"") == "6");
    BOOST_TEST(table("a") == "8");
    for (std::string const name : {"negative", "last", "unseen", "unspec"}) BOOST_TEST(blamed("route add default dev lo table " + name) == name);
    auto const protocol = [&](std::string const& name) { return static_cast<int>(route("route add default dev lo proto " + name).rtm_protocol); };
    BOOST_TEST(protocol("bgp") == 200);
    BOOST_TEST(protocol("fixed") == 4);
    BOOST_TEST(protocol("two") == 10);
    BOOST_TEST(protocol("kernel") == 2);
    for (std::string const name : {"static", "beyond", "openr"}) BOOST_TEST(blamed("route add default dev lo proto " + name) == name);
    BOOST_TEST(static_cast<int>(route("route add default dev lo tos slow").rtm_tos) == 0x10);
    BOOST_TEST(blamed("route add default dev lo tos AF11") == "AF11");
    for (std::string const name : {"big", "cosmos"}) BOOST_TEST(blamed("route add default dev lo realms " + name) == name);
    BOOST_TEST(blamed("route add default dev lo realms ten/unknown") == "accepted");
}

BOOST_FIXTURE_TEST_CASE(folders_add_names_as_in_iproute2, World) {
    auto const etc = [&](char const* name) -> std::string& { return files.contents[std::string("/etc/iproute2/") + name]; };
    auto const usr = [&](char const* name) -> std::string& { return files.contents[std::string("/usr/share/iproute2/") + name]; };
    usr("rt_protos") = "150 of_usr\n";
    usr("rt_protos.d/a.conf") = "151 a_of_usr\n152 later\n";
    usr("rt_protos.d/b.conf") = "154 hidden\n";
    etc("rt_protos.d/b.conf") = "155 b_of_etc\n152 replaced\n4 fixed\n";
    etc("rt_protos.d/c.conf") = "156 c_of_etc\nbad\n157 unseen\n";
    for (auto const* name : {"rt_protos.d/d", "rt_protos.d/d.conf.bak", "rt_protos.d/.conf", "rt_protos.d/.d.conf", "rt_protos.d/dconf"}) etc(name) = "158 no_conf\n";
    auto const protocol = [&](std::string const& name) { return static_cast<int>(route("route add default dev lo proto " + name).rtm_protocol); };
    BOOST_TEST(protocol("of_usr") == 150);
    BOOST_TEST(protocol("a_of_usr") == 151);
    BOOST_TEST(protocol("b_of_etc") == 155);
    BOOST_TEST(protocol("c_of_etc") == 156);
    BOOST_TEST(protocol("replaced") == 152);  // /etc comes after /usr/share
    BOOST_TEST(protocol("fixed") == 4);
    for (std::string const name : {"hidden", "later", "static", "unseen", "no_conf"}) BOOST_TEST(blamed("route add default dev lo proto " + name) == name);

    // A file in /etc stands for the one in /usr/share, but not for its folder.
    usr("rt_tables") = "70 not_read\n";
    etc("rt_tables") = "71 read\n";
    usr("rt_tables.d/vpn.conf") = "72 vpn\n";
    usr("rt_addrprotos.d/own.conf") = "73 own\n";
    usr("protodown_reasons.d/own.conf") = "5 maintenance\n";
    for (auto const* line : {"route add default dev lo table read", "route add default dev lo table vpn", "address add 10.0.0.1/8 dev lo proto own", "link set lo protodown_reason maintenance on"})
        BOOST_TEST(blamed(line) == "accepted");
    BOOST_TEST(blamed("route add default dev lo table not_read") == "not_read");

    etc("protodown_reasons") = usr("protodown_reasons") = "6 not_read\n";  // only the folder is read
    BOOST_TEST(blamed("link set lo protodown_reason not_read on") == "not_read");

    // The other files have no folders.
    for (auto const* folder : {"rt_scopes.d/x.conf", "rt_realms.d/x.conf", "rt_dsfield.d/x.conf", "group.d/x.conf"}) etc(folder) = usr(folder) = "74 nowhere_known\n";
    for (auto const* keyword : {"scope", "realms", "tos"})
        BOOST_TEST(blamed("route add default dev lo " + std::string(keyword) + " nowhere_known") == "nowhere_known");
    BOOST_TEST(blamed("link set lo group nowhere_known") == "nowhere_known");
}

BOOST_FIXTURE_TEST_CASE(scope_and_table_follow_the_type, World) {
    auto const scope = [&](std::string_view line) { return static_cast<int>(route(line).rtm_scope); };
    auto const table = [&](std::string_view line) { return static_cast<int>(route(line).rtm_table); };
    BOOST_TEST(scope("route add 10.0.0.0/8 dev lo") == RT_SCOPE_LINK);
    BOOST_TEST(scope("route add 10.0.0.0/8 via 10.1.1.1") == RT_SCOPE_UNIVERSE);
    BOOST_TEST(scope("route add 10.0.0.0/8 nexthop dev lo") == RT_SCOPE_UNIVERSE);
    BOOST_TEST(scope("route add 10.0.0.0/8 nhid 1") == RT_SCOPE_UNIVERSE);
    BOOST_TEST(scope("route add 2001:db8::/32 dev lo") == RT_SCOPE_UNIVERSE);
    BOOST_TEST(scope("route add local 10.0.0.1 dev lo") == RT_SCOPE_HOST);
    BOOST_TEST(scope("route add broadcast 10.0.0.255 dev lo") == RT_SCOPE_LINK);
    BOOST_TEST(scope("route add blackhole 10.0.0.0/8") == RT_SCOPE_UNIVERSE);
    BOOST_TEST(scope("route del 10.0.0.0/8") == RT_SCOPE_NOWHERE);
    BOOST_TEST(scope("route del 2001:db8::/32") == RT_SCOPE_UNIVERSE);
    BOOST_TEST(table("route add 10.0.0.0/8 dev lo") == RT_TABLE_MAIN);
    BOOST_TEST(table("route add local 10.0.0.1 dev lo") == RT_TABLE_LOCAL);
    BOOST_TEST(table("route add local 10.0.0.1 dev lo table 9") == 9);
    BOOST_TEST(table("route add 10.0.0.0/8 dev lo vrf blue") == RT_TABLE_UNSPEC);
    BOOST_TEST(table("route add 10.0.0.0/8 dev lo vrf default") == RT_TABLE_MAIN);
}

BOOST_FIXTURE_TEST_CASE(the_first_address_decides_the_family, World) {
    BOOST_TEST(static_cast<int>(route("route add default via 2001:db8::1").rtm_family) == AF_INET6);
    BOOST_TEST(static_cast<int>(route("route add default dev lo").rtm_family) == AF_INET);
    BOOST_TEST(blamed("route add default via 10.0.0.1 src 2001:db8::1") == "2001:db8::1");
    BOOST_TEST(blamed("route add 10.0.0.0/8 via 2001:db8::1") == "2001:db8::1");
    BOOST_TEST(blamed("route add 10.0.0.0/8 via inet6 2001:db8::1") == "accepted");
    BOOST_TEST(blamed("nexthop add id 1 dev lo via 2001:db8::1") == "2001:db8::1");
    BOOST_TEST(blamed("nexthop add id 1 via 2001:db8::1 dev lo") == "accepted");
}

BOOST_FIXTURE_TEST_CASE(abbreviations_are_taken_in_the_order_of_the_keywords, World) {
    BOOST_TEST(blamed("ro a 10.0.0.0/8 d lo") == "lo");  // no dsfield
    BOOST_TEST((*this)("route add 10.0.0.0/8 p 5") == (*this)("route add 10.0.0.0/8 metric 5"));
    BOOST_TEST((*this)("route add 10.0.0.0/8 pre high") == (*this)("route add 10.0.0.0/8 pref high"));
    BOOST_TEST((*this)("route add 10.0.0.0/8 pro static") == (*this)("route add 10.0.0.0/8 proto static"));
    BOOST_TEST((*this)("route add 10.0.0.0/8 rt 10") == (*this)("route add 10.0.0.0/8 rttvar 10"));
    BOOST_TEST((*this)("route add un 10.0.0.0/8") == (*this)("route add unreachable 10.0.0.0/8"));
    BOOST_TEST((*this)("rule add p 5") == (*this)("rule add preference 5"));
    BOOST_TEST((*this)("rule add t 5") == (*this)("rule add tun_id 5"));
    BOOST_TEST((*this)("rule add ta 5") == (*this)("rule add table 5"));
    BOOST_TEST((*this)("neigh add pro 10.0.0.1") == (*this)("neigh add proxy 10.0.0.1"));
    BOOST_TEST((*this)("addr add 10.0.0.1/8 dev lo pref 5") == (*this)("addr add 10.0.0.1/8 dev lo metric 5"));
}

BOOST_FIXTURE_TEST_CASE(what_stands_behind_an_encapsulation_is_the_routes, World) {
    BOOST_TEST((*this)("route add 10.0.0.0/8 encap xfrm if_id 5 dev lo").ends_with("0800040001000000"));
    BOOST_TEST((*this)("route add 10.0.0.0/8 dev lo encap xfrm if_id 5") == (*this)("route add 10.0.0.0/8 encap xfrm if_id 5 dev lo"));
    BOOST_TEST((*this)("route add 10.0.0.0/8 dev lo encap mpls 100") == (*this)("route add 10.0.0.0/8 encap mpls 100 dev lo"));
    BOOST_TEST(blamed("route add 2001:db8::/32 dev lo encap seg6local action End.B6 srh segs 2001:db8::1") == "accepted");
    BOOST_TEST(blamed("route add 2001:db8::/32 dev lo encap ioam6 trace prealloc type 1 ns 0 size 4") == "accepted");
}

BOOST_FIXTURE_TEST_CASE(an_encapsulation_says_what_it_lacks, World) {
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap") == "the end");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap mplss 100") == "mplss");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap mpls") == "the end");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap mpls 1048576 dev lo") == "1048576");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap seg6 segs 2001:db8::1 mode encap dev lo") == "segs");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap seg6 mode encap dev lo") == "encap");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap seg6 mode encap segs 2001:db8::1,,2001:db8::2 dev lo") != "accepted");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap seg6 mode encap segs 2001:db8::1 hmac key dev lo") == "key");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap seg6 mode inline tunsrc 2001:db8::1 segs 2001:db8::1 dev lo") == "tunsrc");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap rpl dev lo") == "dev");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap ioam6 trace prealloc type 1 ns 0 size 5 dev lo") == "5");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap ioam6 mode encap trace prealloc type 1 ns 0 size 4 dev lo") == "trace");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap ip geneve_opts 1:2:0 dev lo") == "0");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap ip vxlan_opts 1 erspan_opts 1:5 dev lo") == "erspan_opts");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap bpf in obj prog.o dev lo") == "prog.o");
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap bpf in bytecode x dev lo") == "bytecode");
    files.objects = {{"x.o prog", 9}};
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap bpf xmit obj x.o dev lo") == "accepted");
    BOOST_TEST(files.loaded.back().type == u32{BPF_PROG_TYPE_LWT_XMIT});
    BOOST_TEST(blamed("route add 2001:db8::/32 encap seg6local action End.BPF endpoint obj x.o dev lo") == "accepted");
    BOOST_TEST(files.loaded.back().type == u32{BPF_PROG_TYPE_LWT_SEG6LOCAL});
    BOOST_TEST(blamed("route add 10.0.0.0/8 encap bpf in pinned /none dev lo") == "/none");
}

BOOST_FIXTURE_TEST_CASE(errors_name_the_word_at_fault, World) {
    BOOST_TEST(blamed("route") == "the end");
    BOOST_TEST(blamed("route add") == "the end");
    BOOST_TEST(blamed("route show") == "show");
    BOOST_TEST(blamed("route add dev lo") == "the end");
    BOOST_TEST(blamed("route add 10.0.0.0/8 dev nolink") == "nolink");
    BOOST_TEST(blamed("route add 10.0.0.0/8 metrc 5") == "metrc");
    BOOST_TEST(blamed("route add 10.0.0.0/33 dev lo") == "33");
    BOOST_TEST(blamed("route add 10.0.0.0/8 via 10.0.0.1 via 10.0.0.2") == "via");
    BOOST_TEST(blamed("route add 10.0.0.0/8 nexthop via 10.0.0.1 wieght 5") == "wieght");
    BOOST_TEST(blamed("route add 10.0.0.0/8 nexthop via 10.0.0.1 weight 257") == "257");
    BOOST_TEST(blamed("route add 10.0.0.0/8 nexthop") == "the end");
    BOOST_TEST(blamed("route add 10.0.0.0/8 dev lo vrf lo") == "lo");
    BOOST_TEST(blamed("route add 10.0.0.0/8 dev lo rtt 600000000s") == "600000000s");
    BOOST_TEST(blamed("addr add 10.0.0.1/24") == "the end");
    BOOST_TEST(blamed("addr add 2001:db8::1/64 dev lo brd +") != "accepted");
    BOOST_TEST(blamed("addr add 10.0.0.1/24 dev lo autojoin") == "autojoin");
    BOOST_TEST(blamed("neigh add 10.0.0.1 lladdr 0g:00:00:00:00:00 dev lo") == "0g:00:00:00:00:00");
    BOOST_TEST(blamed("neigh add 10.0.0.1 nud 3 dev lo") == "3");
    BOOST_TEST(blamed("nexthop add id 1 group 1,0/2") == "0");
    BOOST_TEST(blamed("rule add") == "the end");
    BOOST_TEST(blamed("rule add from all lookp 5") == "lookp");
    BOOST_TEST(blamed("rule add from all sport 80-x table 5") == "x");
    BOOST_TEST(blamed("rule add from all sport 80- table 5") == " ");
    BOOST_TEST(blamed("rule add from all uidrange 80 table 5") == "80");
    BOOST_TEST(blamed("nexthop add id 1 group 1//2") == "1//2");
    BOOST_TEST(blamed("nexthop add id 1 group 1,2,3") == "3");
    BOOST_TEST(blamed("addrlabel add prefix 2001:db8::/32 label 5 lable 6") == "lable");
    BOOST_TEST(blamed("token set ::1 ::2 dev lo") == "::2");
    BOOST_TEST(blamed("stats set dev lo l3_stats yes") == "yes");
    BOOST_TEST(blamed("ntable change name arp_cache") == "the end");
    BOOST_TEST(blamed("netconf show") == "netconf");
}

BOOST_FIXTURE_TEST_CASE(long_requests_are_sent_whole, World) {
    // iproute2 has 4096 bytes for all hops.
    std::string line = "route add 10.0.0.0/8";
    for (int i = 0; i < 400; ++i) line += " nexthop via 10.0.0.1 dev lo";
    (*this)(line);
    BOOST_TEST(out.size() > 400 * 16u);
}

}  // namespace
}  // namespace nlstream
