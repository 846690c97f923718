// bridge vni ...: the VNIs of a VXLAN that has several.
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "netlink/bridge/kinds.hpp"
#include "netlink/bridge/values.hpp"
#include "netlink/parts.hpp"

namespace nlstream::bridge {
namespace {

constexpr Verb verbs[] = {{"add", RTM_NEWTUNNEL, 0}, {"delete|del", RTM_DELTUNNEL, 0}, {"show|lst|list"}};

struct Vni {
    std::optional<u32> index;
    Word const* vnis = nullptr;
    std::optional<Address> destination;
};

std::string_view second_destination(Vni const& v) { return v.destination ? "a group or remote was given before" : ""; }

void read_dev(Line& line, Vni& v) { v.index = line.take_main_device(); }
void read_vnis(Line& line, Vni& v) { v.vnis = &line.take("VNI"); }
void read_remote(Line& line, Vni& v) {
    auto const& word = line.take("ADDRESS");
    v.destination = read_address(word, AF_UNSPEC);
    if (v.destination->is_default) fail_value(word, "an address", "an IPv4 or IPv6 address");
}
void read_group(Line& line, Vni& v) {
    read_remote(line, v);
    auto const& a = *v.destination;
    if (a.family == AF_INET ? a.bytes[0] >> 4 != 14 : a.bytes[0] != 0xff) fail_value(line.last(), "a multicast address", "224.0.0.0/4 or ff00::/8");
}

constexpr Row rows[] = {
    {"dev",    "DEVICE",           custom<read_dev>,    "The VXLAN, made with vnifilter."},
    {"vni",    "VNI[-LAST][,...]", custom<read_vnis>,   "One VNI, all from VNI to LAST, or several such.", {}, true},
    {"group",  "ADDRESS",          custom<read_group>,  "Where their packets for unknown addresses go: a multicast group.", unless<second_destination>},
    {"remote", "ADDRESS",          custom<read_remote>, "Where their packets for unknown addresses go: a host.", unless<second_destination>},
};
constexpr auto table = keywords<Vni>(rows);

void put_vnis(Line& line, Range const& vnis, std::optional<Address> const& destination) {
    line.out.nest(VXLAN_VNIFILTER_ENTRY | NLA_F_NESTED, [&] {
        line.out.put(VXLAN_VNIFILTER_ENTRY_START, vnis.first);
        // To the kernel an end of 0 is none.
        if (vnis.last.value_or(0)) line.out.put(VXLAN_VNIFILTER_ENTRY_END, *vnis.last);
        if (destination)
            line.out.put(destination->family == AF_INET ? VXLAN_VNIFILTER_ENTRY_GROUP : VXLAN_VNIFILTER_ENTRY_GROUP6, destination->bytes.data(), destination->length);
    });
}

}  // namespace

extern constinit KindInfo const vni_info = {"bridge", "vni", "VNIs of a VXLAN that has several.", {{{"", table}}}};

void read_vni(Line& line) {
    auto const& verb = read_verb(line, verbs, "bridge vni");
    auto& header = begin_request<tunnel_msg>(line, verb.type, verb.flags);
    header.family = AF_BRIDGE;
    Vni v;
    Reader(table, v).read_all(line);
    if (!v.index) fail_missing(line, "dev DEVICE");
    if (!v.vnis) fail_missing(line, "vni VNI");
    header.ifindex = *v.index;

    Parts list(*v.vnis, ',', Parts::Empty::skipped);
    if (!list.more()) fail_value(*v.vnis, "a list of VNIs", "VNI, VNI-LAST, or several with commas between them");
    while (list.more()) {
        auto const one = list.next();
        line.out.source(one.span);
        put_vnis(line, read_tunnel_ids(one, 10), v.destination);
    }
    end_request(line);
}

}  // namespace nlstream::bridge
