// ip link ... type vlan: a VLAN of the link below, IEEE 802.1Q.
#include <linux/if_vlan.h>

#include "netlink/ether_protocol.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Vlan {
    ifla_vlan_flags flags{};
};

void read_protocol(Line& line, Vlan&) { line.out.put(IFLA_VLAN_PROTOCOL, big16(read_ether_protocol(line.take("PROTOCOL")))); }

template <u32 Bit>
void read_flag(Line& line, Vlan& v) {
    bool const on = read_choice(line.take("on or off"), off_on, "this switch") != 0;
    v.flags.mask |= Bit;
    v.flags.flags = on ? v.flags.flags | Bit : v.flags.flags & ~Bit;
}

/// "FROM:TO", as many as there are.
template <u16 Attribute>
void read_map(Line& line, Vlan&) {
    if (line.done()) line.take("FROM:TO");
    line.out.nest(Attribute, [&] {
        for (; !line.done(); ) {
            auto const colon = line.peek().text.find(':');
            if (colon == std::string_view::npos) return;
            auto const& word = line.take("FROM:TO");
            auto const middle = word.span.begin + static_cast<u32>(colon);
            Word const from{word.text.substr(0, colon), {word.span.begin, middle}};
            Word const to{word.text.substr(colon + 1), {middle + 1, word.span.end}};
            line.out.put(IFLA_VLAN_QOS_MAPPING, ifla_vlan_qos_mapping{.from = static_cast<u32>(read_number(from)), .to = static_cast<u32>(read_number(to))});
        }
    });
}

constexpr Row rows[] = {
    {"protocol*",        "PROTOCOL", custom<read_protocol>,                       "The tag: 802.1Q (default) or 802.1ad."},
    {"id*",              "VID",      U16(IFLA_VLAN_ID),                           "The VLAN's number, 0 to 4094."},
    {"reorder_hdr*",     "on|off",   custom<read_flag<VLAN_FLAG_REORDER_HDR>>,    "Received packets look as if they never had a tag (default on)."},
    {"gvrp*",            "on|off",   custom<read_flag<VLAN_FLAG_GVRP>>,           "Announce the VLAN by GVRP."},
    {"mvrp*",            "on|off",   custom<read_flag<VLAN_FLAG_MVRP>>,           "Announce the VLAN by MVRP."},
    {"loose_binding*",   "on|off",   custom<read_flag<VLAN_FLAG_LOOSE_BINDING>>,  "Its state does not follow the link below."},
    {"bridge_binding*",  "on|off",   custom<read_flag<VLAN_FLAG_BRIDGE_BINDING>>, "Its state follows the bridge ports that are in the VLAN."},
    {"ingress-qos-map*", "FROM:TO...", custom<read_map<IFLA_VLAN_INGRESS_QOS>>,   "Received packets: priority of the tag to priority in the kernel."},
    {"egress-qos-map*",  "FROM:TO...", custom<read_map<IFLA_VLAN_EGRESS_QOS>>,    "Sent packets: priority in the kernel to priority of the tag."},
};
constexpr auto table = keywords<Vlan>(rows);

void read(Line& line) {
    Vlan v;
    Reader(table, v).read_all(line);
    if (v.flags.mask) line.out.put(IFLA_VLAN_FLAGS, v.flags);
}

}  // namespace

extern constinit LinkKind const vlan_link = {{"link", "vlan", "A VLAN of the link below (IEEE 802.1Q).", {{{"", table}}}}, read};

}  // namespace nlstream::ip
