// Links: what a change of a tunnel keeps, which names a line touches, which files it keeps open, and what nlstream does on purpose
// where ip link does something else (docs/compatibility.md, "ip link").
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/rtnetlink.h>

#include <boost/test/unit_test.hpp>

#include "netlink/encoder.hpp"
#include "netlink/links.hpp"
#include "netlink/received.hpp"
#include "test/support/fixed_world.hpp"

namespace nlstream {
namespace {

/// Tells the rates of virtual function 3 of link 5.
class DeviceKernel : public test::TableKernel {
  public:
    std::unique_ptr<Dump> begin_dump(std::span<std::byte const> request) override {
        BOOST_TEST(reinterpret_cast<nlmsghdr const*>(request.data())->nlmsg_type == RTM_GETLINK);
        return std::make_unique<Rates>();
    }

  private:
    struct Rates : Dump {
        bool next(std::function<void(nlmsghdr const&)> const& each) override {
            MessageBuffer answer;
            answer.begin(RTM_NEWLINK, 0);
            answer.fixed_header<ifinfomsg>().ifi_index = 5;
            answer.nest(IFLA_VFINFO_LIST, [&] { answer.nest(IFLA_VF_INFO, [&] { answer.put(IFLA_VF_RATE, ifla_vf_rate{.vf = 3, .min_tx_rate = 40, .max_tx_rate = 90}); }); });
            answer.end();
            each(answer.head());
            return false;
        }
    };
};

struct World {
    DeviceKernel kernel;
    test::MemoryFiles files;
    Encoder encoder{kernel, files, {.tool = Tool::ip}};
    MessageBuffer out;
    Encoded last;

    World() {
        kernel.add({.index = 5, .name = "eth0", .kind = {}, .address_length = 6});
        kernel.add({.index = 6, .name = "gre1", .kind = "gre", .address_length = 4});
        kernel.add({.index = 7, .name = "none0", .kind = {}});
        files.descriptors = {{"/var/run/netns/blue", 31}, {"/proc/4711/ns/net", 32}, {"/run/x", 33}};
    }
    void operator()(std::string_view line) {
        out.clear();
        last = encoder.encode(line, out);
    }
    /// The attribute at the end of the path of types; nullptr if there is none.
    nlattr const* find(std::initializer_list<u16> path) {
        nlattr const* found = nullptr;
        for (auto const type : path) {
            nlattr const* next = nullptr;
            auto const look = [&](nlattr const& a) { if (type_of(a) == type) next = &a; };
            if (found) for_each_attribute(*found, look);
            else for_each_attribute(attributes_of(out.head(), sizeof(ifinfomsg)), look);
            if (!next) return nullptr;
            found = next;
        }
        return found;
    }
    template <class T = u32>
    T value(std::initializer_list<u16> path) {
        auto const* found = find(path);
        BOOST_REQUIRE(found);
        BOOST_REQUIRE_EQUAL(payload_of(*found).size(), sizeof(T));
        return value_of<T>(*found);
    }
    std::string blamed(std::string const& line) {
        try {
            (*this)(line);
        } catch (Diagnostic const& d) {
            BOOST_TEST(d.where.end > d.where.begin);
            return d.where.begin >= line.size() ? "the end" : line.substr(d.where.begin, d.where.end - d.where.begin);
        }
        return "accepted";
    }
};

BOOST_FIXTURE_TEST_CASE(a_change_of_a_tunnel_keeps_what_it_does_not_say, World) {
    MessageBuffer present;
    present.begin(0, 0);
    auto const start = present.position();
    present.put(IFLA_GRE_LOCAL, u32{0x0100000a});
    present.put(IFLA_GRE_IKEY, u32{0x05000000});
    present.put(IFLA_GRE_IFLAGS, u16{0x0020});
    present.put(IFLA_GRE_TTL, u8{9});
    present.put(IFLA_GRE_PMTUDISC, u8{0});
    present.put(IFLA_GRE_ENCAP_DPORT, big16(5555));
    auto const bytes = present.message().subspan(start);
    kernel.options[6].assign(bytes.begin(), bytes.end());

    (*this)("link set gre1 type gre tos 8");
    BOOST_TEST(value({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_LOCAL}) == 0x0100000au);
    BOOST_TEST(value({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_IKEY}) == 0x05000000u);
    BOOST_TEST(value<u16>({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_IFLAGS}) == 0x0020);
    BOOST_TEST(value<u8>({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_TTL}) == 9);
    BOOST_TEST(value<u8>({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_PMTUDISC}) == 0);
    BOOST_TEST(value<u8>({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_TOS}) == 8);
    BOOST_TEST(value<u16>({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_ENCAP_DPORT}) == big16(5555));

    // A new one starts from the defaults.
    (*this)("link add gre2 type gre tos 8");
    BOOST_TEST(value<u8>({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_TTL}) == 0);
    BOOST_TEST(!find({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_GRE_LOCAL}));
}

BOOST_FIXTURE_TEST_CASE(a_change_of_a_tunnel_waits_for_the_one_before, World) {
    (*this)("link set gre1 type gre tos 8");
    BOOST_TEST(encoder.links().dirty());
    encoder.links().settled();
    (*this)("link set eth0 mtu 1400");
    BOOST_TEST(!encoder.links().dirty());
    BOOST_TEST(blamed("link set eth0 type gre ttl 5") == "gre");
}

BOOST_FIXTURE_TEST_CASE(lines_that_touch_names_say_so, World) {
    for (auto const* line : {"link add d0 type dummy", "link set eth0 name eth9", "link del eth0", "link set eth0 netns blue", "link set group 3 down", "link add type dummy",
                             "link add v0 type veth peer name v1", "link property add dev eth0 altname uplink"}) {
        encoder.links().settled();
        (*this)(line);
        BOOST_TEST(encoder.links().dirty(), line);
    }
    for (auto const* line : {"link set eth0 up", "link set dev eth0 name eth0", "link set eth0 nomaster"}) {
        encoder.links().settled();
        (*this)(line);
        BOOST_TEST(!encoder.links().dirty(), line);
    }
}

BOOST_FIXTURE_TEST_CASE(namespaces_stay_open_with_the_line, World) {
    (*this)("link set eth0 netns blue");
    BOOST_TEST(last.kept.size() == 1u);
    BOOST_TEST(value<s32>({IFLA_NET_NS_FD}) == last.kept.at(0)->descriptor());
    (*this)("link add link eth0 name v0 netns 4711 link-netns /run/x type vlan id 5");
    BOOST_TEST(last.kept.size() == 2u);
    BOOST_TEST(value<s32>({IFLA_NET_NS_FD}) == 32);
    // Seen from the namespace that the link is made in.
    BOOST_TEST(value<s32>({IFLA_LINK_NETNSID}) == 1133);
    (*this)("link set eth0 netns 0x1267");
    BOOST_TEST(value<s32>({IFLA_NET_NS_FD}) == 32);
    BOOST_TEST(blamed("link add link eth0 name v0 link-netns 4711 type vlan id 5") == "4711");  // no process there
    (*this)("link set eth0 up");
    BOOST_TEST(last.kept.empty());
    files.objects = {{"/x.o prog", 34}};
    (*this)("link set eth0 xdp object /x.o");
    BOOST_TEST(last.kept.size() == 1u);
    BOOST_TEST(value<s32>({IFLA_XDP, IFLA_XDP_FD}) == last.kept.at(0)->descriptor());
    BOOST_TEST(!find({IFLA_XDP, IFLA_XDP_FLAGS}));
    BOOST_TEST(files.loaded.back().device == 0u);
    (*this)("link set dev eth0 xdpoffload obj /x.o verbose");
    BOOST_TEST(value<u32>({IFLA_XDP, IFLA_XDP_FLAGS}) == u32{XDP_FLAGS_HW_MODE});
    BOOST_TEST(files.loaded.back().device == encoder.links().index({"eth0", {}}));
    BOOST_TEST(blamed("link set eth0 netns red") == "red");
}

BOOST_FIXTURE_TEST_CASE(one_rate_of_a_virtual_function_leaves_the_other, World) {
    (*this)("link set eth0 vf 3 max_tx_rate 100");
    auto rate = value<ifla_vf_rate>({IFLA_VFINFO_LIST, IFLA_VF_INFO, IFLA_VF_RATE});
    BOOST_TEST(rate.min_tx_rate == 40u);
    BOOST_TEST(rate.max_tx_rate == 100u);
    BOOST_CHECK_THROW((*this)("link set eth0 vf 3 min_tx_rate 50"), BarrierNeeded);  // the request before may not have been applied yet
    encoder.settled();
    (*this)("link set eth0 vf 4 min_tx_rate 7");
    rate = value<ifla_vf_rate>({IFLA_VFINFO_LIST, IFLA_VF_INFO, IFLA_VF_RATE});
    BOOST_TEST(rate.min_tx_rate == 7u);
    BOOST_TEST(rate.max_tx_rate == 0u);
    encoder.settled();
    BOOST_TEST(blamed("link set eth0 vf 3 min_tx_rate 91") == "91");
}

BOOST_FIXTURE_TEST_CASE(an_address_has_the_length_of_the_links_own, World) {
    BOOST_TEST(blamed("link set eth0 address 10.0.0.1") == "10.0.0.1");
    BOOST_TEST(blamed("link set eth0 vf 0 mac 02:00:00:00:00") == "02:00:00:00:00");
    BOOST_TEST(blamed("link set none0 address 10.0.0.1") == "accepted");
    BOOST_TEST(blamed("link add d0 address 10.0.0.1 type dummy") == "accepted");
}

BOOST_FIXTURE_TEST_CASE(errors_point_at_the_word, World) {
    BOOST_TEST(blamed("link set eth0 mtuu 1500") == "mtuu");
    BOOST_TEST(blamed("link set eth0 index 5") == "5");
    BOOST_TEST(blamed("link add d0 type vxlann id 5") == "vxlann");
    BOOST_TEST(blamed("link add d0 type dummy id 5") == "id");
    BOOST_TEST(blamed("link add d0 name d1 dev d2 type dummy") == "d2");
    BOOST_TEST(blamed("link add v0 type veth peer name v1 type veth") == "veth");
    BOOST_TEST(blamed("link add d0 mtu 5") == "the end");
    BOOST_TEST(blamed("link set h up") == "h");
    BOOST_TEST(blamed("link set absent up") == "absent");
    BOOST_TEST(blamed("link show") == "show");
}

BOOST_FIXTURE_TEST_CASE(what_iproute2_gets_wrong, World) {
    BOOST_TEST(blamed("link add d0 index 1x type dummy") == "1x");
    BOOST_TEST(blamed("link add d0 address 0g:00:00:00:00:00 type dummy") == "0g:00:00:00:00:00");
    BOOST_TEST(blamed("link add m0 link eth0 type macsec address 02:00:00:00:00:01") == "the end");
    BOOST_TEST(blamed("link add g0 type gtp role sgsn junk") == "junk");
    BOOST_TEST(blamed("link add t0 type ip6tnl encaplimit x") == "x");
    BOOST_TEST(blamed("link add c0 type can sample-point -1") == "-1");
    BOOST_TEST(blamed("link set eth0 xdp object x.o") == "x.o");
    BOOST_TEST(blamed("link set eth0 xdp bytecode x") == "bytecode");
    (*this)("link add s0 type sit 6rd-reset");
    BOOST_TEST(value<u16>({IFLA_LINKINFO, IFLA_INFO_DATA, IFLA_IPTUN_6RD_PREFIXLEN}) == 16);
    encoder.settled();
    (*this)("link set eth0 vf 0 rate 5 vf 1 max_tx_rate 9");
    BOOST_TEST(find({IFLA_VFINFO_LIST, IFLA_VF_INFO, IFLA_VF_RATE}));
}

}  // namespace
}  // namespace nlstream
