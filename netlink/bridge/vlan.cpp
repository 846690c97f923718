// bridge vlan ...: the VLANs of a port, and their options.
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "netlink/bridge/kinds.hpp"
#include "netlink/bridge/values.hpp"
#include "netlink/bridge/vlan_options.hpp"

namespace nlstream::bridge {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_SETLINK, 0}, {"delete*", RTM_DELLINK, 0}, {"show*|lst*|list*"}, {"tunnelshow*"}, {"set*", RTM_NEWVLAN, 0}, {"global", RTM_NEWVLAN, 0},
};

struct Vlan {
    std::optional<u32> index;
    std::optional<Range> vids;
    u16 vlan_flags = 0;   // BRIDGE_VLAN_INFO_*
    u16 link_flags = 0;   // BRIDGE_FLAGS_*
    std::optional<Range> tunnel;
};

void read_dev(Line& line, Vlan& v) { v.index = line.take_main_device(); }
void read_vids_of_port(Line& line, Vlan& v) { v.vids = read_vids(line.take("VID")); }
void read_tunnel(Line& line, Vlan& v) {
    auto const& word = line.take("id");
    if (!abbreviates(word.text, "id")) fail_value(word, "a tunnel's key", "id");
    v.tunnel = read_tunnel_ids(line.take("TUNNEL"));
}

constexpr Row rows[] = {
    {"dev",         "DEVICE",             custom<read_dev>,                                         "The port, or the bridge itself (with self)."},
    {"vid",         "VID[-LAST]",         custom<read_vids_of_port>,                                "One VLAN, or all from VID to LAST."},
    {"self",        "",                   set(add_bits<&Vlan::link_flags>, BRIDGE_FLAGS_SELF),      "Configure the link itself."},
    {"master",      "",                   set(add_bits<&Vlan::link_flags>, BRIDGE_FLAGS_MASTER),    "Configure the bridge's port (default)."},
    {"pvid",        "",                   set(add_bits<&Vlan::vlan_flags>, BRIDGE_VLAN_INFO_PVID),  "Frames that arrive untagged belong to it."},
    {"untagged",    "",                   set(add_bits<&Vlan::vlan_flags>, BRIDGE_VLAN_INFO_UNTAGGED), "Its frames leave untagged."},
    {"tunnel_info", "id TUNNEL[-LAST]",   custom<read_tunnel>,                                      "The tunnel id (VNI) of the VLAN, or of as many VLANs."},
};
constexpr auto table = keywords<Vlan>(rows);

void put_tunnel(Line& line, u32 vid, u32 tunnel, u16 flags) {
    line.out.nest(IFLA_BRIDGE_VLAN_TUNNEL_INFO, [&] {
        line.out.put(IFLA_BRIDGE_VLAN_TUNNEL_ID, tunnel);
        line.out.put(IFLA_BRIDGE_VLAN_TUNNEL_VID, static_cast<u16>(vid));
        line.out.put(IFLA_BRIDGE_VLAN_TUNNEL_FLAGS, flags);
    });
}

void put_vlan(Line& line, u32 vid, u16 flags) { line.out.put(IFLA_BRIDGE_VLAN_INFO, bridge_vlan_info{.flags = flags, .vid = static_cast<u16>(vid)}); }

void put_vlans(Line& line, Vlan const& v) {
    auto const& vids = *v.vids;
    line.source_keyword(v.tunnel ? "tunnel_info" : "vid");
    if (v.tunnel && vids.last) {
        put_tunnel(line, vids.first, v.tunnel->first, BRIDGE_VLAN_INFO_RANGE_BEGIN);
        put_tunnel(line, *vids.last, v.tunnel->last.value_or(0), BRIDGE_VLAN_INFO_RANGE_END);
    } else if (v.tunnel) {
        put_tunnel(line, vids.first, v.tunnel->first, 0);
    } else if (vids.last) {
        put_vlan(line, vids.first, v.vlan_flags | BRIDGE_VLAN_INFO_RANGE_BEGIN);
        put_vlan(line, *vids.last, v.vlan_flags | BRIDGE_VLAN_INFO_RANGE_END);
    } else {
        put_vlan(line, vids.first, v.vlan_flags);
    }
}

void read_membership(Line& line, Verb const& verb) {
    auto& header = begin_request<ifinfomsg>(line, verb.type, verb.flags);
    header.ifi_family = AF_BRIDGE;
    Vlan v;
    Reader(table, v).read_all(line);
    if (!v.index) fail_missing(line, "dev DEVICE");
    if (!v.vids) fail_missing(line, "vid VID");
    if (v.vids->last && v.vlan_flags & BRIDGE_VLAN_INFO_PVID) fail_use(line.last(), "a range of VLANs cannot be pvid");
    header.ifi_index = static_cast<int>(*v.index);

    line.out.nest(IFLA_AF_SPEC, [&] {
        line.source_keyword("self");
        if (v.link_flags) line.out.put(IFLA_BRIDGE_FLAGS, v.link_flags);
        put_vlans(line, v);
    });
    end_request(line);
}

}  // namespace

extern constinit KindInfo const vlan_info = {"bridge", "vlan", "VLANs of a port and their options.",
                                   {{{"add, delete", table}, {"set", vlan_set_table}, {"global set", vlan_global_set_table}}}};

void read_vlan(Line& line) {
    auto const& verb = read_verb(line, verbs, "bridge vlan");
    if (verb.type != RTM_NEWVLAN) return read_membership(line, verb);
    if (verb.words == "global") return read_vlan_global_set(line);
    read_vlan_set(line);
}

}  // namespace nlstream::bridge
