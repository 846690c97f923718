// bridge fdb flush ...: one request that removes every entry it selects.
#include <linux/neighbour.h>

#include "netlink/bridge/fdb.hpp"
#include "netlink/command.hpp"
#include "netlink/service.hpp"

namespace nlstream::bridge {
namespace {

constexpr u32 not_given = ~0u;

struct Flush {
    u32 index = not_given;
    u32 bridge_port = not_given;
    u32 vlan = not_given;
    u32 vni = not_given;
    u32 source_vni = not_given;
    u32 nexthop = 0;
    u16 port = 0;
    bool dst_given = false;
    Address dst;
    u16 state = 0;
    u16 state_mask = 0;
    u8 flags = 0;
    u8 flags_mask = 0;
};

std::string_view second_dst(Flush const& f) { return f.dst_given ? "dst was given before" : ""; }
std::string_view second_vlan(Flush const& f) { return f.vlan != not_given ? "vlan was given before" : ""; }
std::string_view second_bridge_port(Flush const& f) { return f.bridge_port != not_given ? "brport was given before" : ""; }

void read_dev(Line& line, Flush& f) { f.index = line.take_main_device(); }
void read_vlan(Line& line, Flush& f) { f.vlan = read_vid(line.take("VID"), 4095); }
void read_port(Line& line, Flush& f) { f.port = read_udp_port(line, line.take("PORT")); }
void read_dst(Line& line, Flush& f) {
    f.dst = read_address(line.take("ADDRESS"), line.family);
    f.dst_given = true;
}

/// Entries with all bits of Set, and none of the others of Mask, if On; entries without those of Set otherwise.
template <u16 Set, u16 Mask, bool On>
void state(Line&, Flush& f) {
    f.state = static_cast<u16>(On ? f.state | Set : f.state & ~Set);
    f.state_mask |= Mask;
}
template <u8 Bit, bool On>
void flag(Line&, Flush& f) {
    f.flags = static_cast<u8>(On ? f.flags | Bit : f.flags & ~Bit);
    f.flags_mask |= Bit;
}

constexpr Row rows[] = {
    {"dev",             "DEVICE",  custom<read_dev>,                               "The bridge, the port (with master) or the VXLAN whose table it is."},
    {"master",          "",        set(add_bits<&Flush::flags>, NTF_MASTER),       "In the table of the bridge that the link is a port of."},
    {"self",            "",        set(add_bits<&Flush::flags>, NTF_SELF),         "In the link's own table (default)."},
    {"permanent",       "",        custom<state<NUD_PERMANENT, NUD_PERMANENT, true>>, "This host's own addresses."},
    {"nopermanent",     "",        custom<state<NUD_PERMANENT, NUD_PERMANENT, false>>, "All but this host's own addresses."},
    {"static",          "",        custom<state<NUD_NOARP, NUD_NOARP | NUD_PERMANENT, true>>, "Static entries."},
    {"nostatic",        "",        custom<state<NUD_NOARP, NUD_NOARP, false>>,     "All but static entries."},
    {"dynamic",         "",        custom<state<NUD_NOARP, NUD_NOARP | NUD_PERMANENT, false>>, "Dynamic entries."},
    {"nodynamic",       "",        custom<state<NUD_NOARP, NUD_NOARP, true>>,      "All but dynamic entries."},
    {"added_by_user",   "",        custom<flag<NTF_USE, true>>,                    "Entries made by a user."},
    {"noadded_by_user", "",        custom<flag<NTF_USE, false>>,                   "Entries not made by a user."},
    {"extern_learn",    "",        custom<flag<NTF_EXT_LEARNED, true>>,            "Entries learnt outside the kernel."},
    {"noextern_learn",  "",        custom<flag<NTF_EXT_LEARNED, false>>,           "Entries not learnt outside the kernel."},
    {"sticky",          "",        custom<flag<NTF_STICKY, true>>,                 "Entries that packets do not move."},
    {"nosticky",        "",        custom<flag<NTF_STICKY, false>>,                "Entries that packets may move."},
    {"offloaded",       "",        custom<flag<NTF_OFFLOADED, true>>,              "Entries that hardware has."},
    {"nooffloaded",     "",        custom<flag<NTF_OFFLOADED, false>>,             "Entries that hardware has not."},
    {"router",          "",        custom<flag<NTF_ROUTER, true>>,                 "VXLAN: entries of routers."},
    {"norouter",        "",        custom<flag<NTF_ROUTER, false>>,                "VXLAN: entries of others than routers."},
    {"brport",          "DEVICE",  device(keep<&Flush::bridge_port>),              "Entries of this port of the bridge.", unless<second_bridge_port>},
    {"vlan",            "VID",     custom<read_vlan>,                              "Entries of this VLAN.", unless<second_vlan>},
    {"src_vni",         "VNI",     U32(keep<&Flush::source_vni>).in(0, 0xffffff),  "VXLAN: entries that belong to this VNI."},
    {"nhid",            "ID",      U32(keep<&Flush::nexthop>),                     "VXLAN: entries that use this nexthop object."},
    {"vni",             "VNI",     U32(keep<&Flush::vni>).in(0, 0xffffff),         "VXLAN: entries whose packets carry this VNI."},
    {"port",            "PORT",    custom<read_port>,                              "VXLAN: entries with this UDP port, a number or a name."},
    {"dst",             "ADDRESS", custom<read_dst>,                               "VXLAN: entries behind this host.", unless<second_dst>},
};
constexpr auto table = keywords<Flush>(rows);

}  // namespace

Table fdb_flush_table() { return table; }

void read_fdb_flush(Line& line) {
    Flush f;
    Reader(table, f).read_all(line);
    if (f.index == not_given) fail_missing(line, "dev DEVICE");
    if (!(f.flags & (NTF_SELF | NTF_MASTER))) f.flags |= NTF_SELF;

    auto& header = line.out.value_at<ndmsg>(sizeof(nlmsghdr));
    header.ndm_ifindex = static_cast<int>(f.index);
    header.ndm_flags = f.flags;
    header.ndm_state = f.state;
    line.source_keyword("brport");
    if (f.bridge_port != not_given) line.out.put(NDA_IFINDEX, f.bridge_port);
    line.source_keyword("vlan");
    if (f.vlan != not_given) line.out.put(NDA_VLAN, static_cast<u16>(f.vlan));
    line.source_keyword("src_vni");
    if (f.source_vni != not_given) line.out.put(NDA_SRC_VNI, f.source_vni);
    line.source_keyword("nhid");
    if (f.nexthop) line.out.put(NDA_NH_ID, f.nexthop);
    line.source_keyword("vni");
    if (f.vni != not_given) line.out.put(NDA_VNI, f.vni);
    line.source_keyword("port");
    if (f.port) line.out.put(NDA_PORT, big16(f.port));
    line.source_keyword("dst");
    if (f.dst_given) line.out.put(NDA_DST, f.dst.bytes.data(), f.dst.length);
    line.out.source({});
    if (f.flags_mask) line.out.put(NDA_NDM_FLAGS_MASK, f.flags_mask);
    if (f.state_mask) line.out.put(NDA_NDM_STATE_MASK, f.state_mask);
    end_request(line);
}

}  // namespace nlstream::bridge
