// tc ... action vlan: push, pop or change a VLAN tag or an Ethernet header.
#include <linux/if_ether.h>
#include <linux/tc_act/tc_vlan.h>

#include "netlink/address.hpp"
#include "netlink/ether_protocol.hpp"
#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/put_given.hpp"

namespace nlstream::tc {
namespace {

struct Vlan {
    u32 deed = 0;  // TCA_VLAN_ACT_*
    std::optional<u16> id;
    u16 protocol = 0;  // ETH_P_*, 0: not given
    std::optional<u8> priority;
    std::optional<std::array<u8, 6>> destination;
    std::optional<std::array<u8, 6>> source;
};

constexpr bool has_tag(Vlan const& v) { return v.deed == TCA_VLAN_ACT_PUSH || v.deed == TCA_VLAN_ACT_MODIFY; }

std::string_view second_deed(Vlan const& v) { return v.deed ? "only one of pop, push, modify, pop_eth and push_eth can be done" : ""; }
std::string_view no_tag(Vlan const& v) { return has_tag(v) ? "" : "needs push or modify before it"; }
std::string_view no_header(Vlan const& v) { return v.deed == TCA_VLAN_ACT_PUSH_ETH ? "" : "needs push_eth before it"; }

void read_id(Line& line, Vlan& v) { v.id = static_cast<u16>(read_number(line.take("VID"), 0, 0xffff)); }
void read_protocol(Line& line, Vlan& v) {
    auto const& word = line.take("PROTOCOL");
    v.protocol = read_ether_protocol(word);
    if (v.protocol != ETH_P_8021Q && v.protocol != ETH_P_8021AD) fail_value(word, "a protocol of VLAN tags", "802.1Q or 802.1ad");
}
void read_priority(Line& line, Vlan& v) { v.priority = static_cast<u8>(read_number(line.take("N"), 0, 7)); }
void read_destination(Line& line, Vlan& v) { v.destination = read_mac(line.take("MAC")); }
void read_source(Line& line, Vlan& v) { v.source = read_mac(line.take("MAC")); }

constexpr Row rows[] = {
    {"pop*",      "",         set(keep<&Vlan::deed>, TCA_VLAN_ACT_POP),      "Remove the outer tag.", unless<second_deed>},
    {"push*",     "",         set(keep<&Vlan::deed>, TCA_VLAN_ACT_PUSH),     "Add a tag; needs id.", unless<second_deed>},
    {"modify*",   "",         set(keep<&Vlan::deed>, TCA_VLAN_ACT_MODIFY),   "Change the outer tag; needs id.", unless<second_deed>},
    {"pop_eth*",  "",         set(keep<&Vlan::deed>, TCA_VLAN_ACT_POP_ETH),  "Remove the Ethernet header.", unless<second_deed>},
    {"push_eth*", "",         set(keep<&Vlan::deed>, TCA_VLAN_ACT_PUSH_ETH), "Add an Ethernet header; needs dst_mac and src_mac.", unless<second_deed>},
    {"id*",       "VID",      custom<read_id>,                               "The tag's VLAN ID, which the kernel takes up to 4095.", unless<no_tag>},
    {"protocol*", "PROTOCOL", custom<read_protocol>,                         "The tag's protocol: 802.1Q (default) or 802.1ad.", unless<no_tag>},
    {"priority*", "N",        custom<read_priority>,                         "The tag's priority, 0 to 7.", unless<no_tag>},
    {"dst_mac*",  "MAC",      custom<read_destination>,                      "The header's destination.", unless<no_header>},
    {"src_mac*",  "MAC",      custom<read_source>,                           "The header's source.", unless<no_header>},
};
constexpr auto table = keywords<Vlan>(rows);

void read(Line& line) {
    auto const kind = line.last();
    if (line.done()) line.take("pop, push, modify, pop_eth or push_eth");
    Vlan v;
    Reader(table, v).read_some(line);
    tc_vlan parms{};
    read_action_end(line, parms, TC_ACT_PIPE);
    parms.v_action = static_cast<int>(v.deed);
    if (has_tag(v) && !v.id) fail_use(kind, "push and modify need id VID");
    if (v.deed == TCA_VLAN_ACT_PUSH_ETH && !(v.destination && v.source)) fail_use(kind, "push_eth needs dst_mac MAC and src_mac MAC");
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_VLAN_PARMS, parms);
        put_given(line, "id", TCA_VLAN_PUSH_VLAN_ID, v.id);
        put_given(line, "protocol", TCA_VLAN_PUSH_VLAN_PROTOCOL, big16(v.protocol));
        put_given(line, "priority", TCA_VLAN_PUSH_VLAN_PRIORITY, v.priority);
        put_given(line, "dst_mac", TCA_VLAN_PUSH_ETH_DST, v.destination);
        put_given(line, "src_mac", TCA_VLAN_PUSH_ETH_SRC, v.source);
    });
}

}  // namespace

extern constinit ActionKind const vlan_action = {{"action", "vlan", "Adds, removes or changes a VLAN tag or an Ethernet header.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
