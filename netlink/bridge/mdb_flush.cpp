// bridge mdb flush ...: one request that removes every entry it selects.
#include <linux/if_bridge.h>

#include "netlink/bridge/mdb.hpp"
#include "netlink/bridge/values.hpp"
#include "netlink/command.hpp"
#include "netlink/service.hpp"
#include "netlink/tc/put_given.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::bridge {
namespace {

using tc::put_given;

struct Flush {
    std::optional<u32> index;
    u32 port = 0;
    u16 vid = 0;
    std::optional<bool> permanent;
    std::optional<u8> protocol;
    std::optional<Address> dst;
    std::optional<u16> dst_port;
    std::optional<u32> vni, source_vni;
};

void read_dev(Line& line, Flush& f) { f.index = line.take_main_device(); }
void read_vid_of_group(Line& line, Flush& f) { f.vid = read_vid(line.take("VID"), 0xffff); }
void read_dst(Line& line, Flush& f) { f.dst = read_host(line.take("ADDRESS")); }
void read_dst_port(Line& line, Flush& f) { f.dst_port = read_udp_port(line, line.take("PORT")); }

constexpr Row rows[] = {
    {"dev",         "DEVICE",   custom<read_dev>,                "The bridge, or the VXLAN."},
    {"port",        "DEVICE",   device(keep<&Flush::port>),      "Entries of this port."},
    {"vid",         "VID",      custom<read_vid_of_group>,       "Entries of this VLAN."},
    {"src_vni",     "VNI",      U32(keep<&Flush::source_vni>),   "VXLAN: entries that belong to this VNI."},
    {"proto",       "PROTOCOL", Name{{kept, 1, false, keep<&Flush::protocol>}, Names::Of::route_protocol}, "Entries that this protocol made."},
    {"permanent",   "",         set(keep<&Flush::permanent>, 1), "Entries that do not expire."},
    {"nopermanent", "",         set(keep<&Flush::permanent>, 0), "Entries that expire."},
    {"dst",         "ADDRESS",  custom<read_dst>,                "VXLAN: entries for this host."},
    {"dst_port",    "PORT",     custom<read_dst_port>,           "VXLAN: entries with this UDP port, a number or a name."},
    {"vni",         "VNI",      U32(keep<&Flush::vni>),          "VXLAN: entries whose packets carry this VNI."},
};
constexpr auto table = keywords<Flush>(rows);

}  // namespace

Table mdb_flush_table() { return table; }

void read_mdb_flush(Line& line) {
    Flush f;
    Reader(table, f).read_all(line);
    if (!f.index) fail_missing(line, "dev DEVICE");
    line.out.value_at<br_port_msg>(sizeof(nlmsghdr)).ifindex = *f.index;

    br_mdb_entry entry{};
    entry.ifindex = f.port;
    entry.vid = f.vid;
    entry.state = f.permanent == true ? MDB_PERMANENT : MDB_TEMPORARY;
    line.source_keyword("port");
    line.out.put(MDBA_SET_ENTRY, entry);
    if (f.protocol || f.dst || f.dst_port || f.vni || f.source_vni || f.permanent)
        line.out.nest(MDBA_SET_ENTRY_ATTRS | NLA_F_NESTED, [&] {
            put_given(line, "proto", uapi::MDBE_ATTR_RTPROT, f.protocol);
            line.source_keyword("dst");
            if (f.dst) line.out.put(uapi::MDBE_ATTR_DST, f.dst->bytes.data(), f.dst->length);
            put_given(line, "dst_port", uapi::MDBE_ATTR_DST_PORT, f.dst_port);
            put_given(line, "vni", uapi::MDBE_ATTR_VNI, f.vni);
            put_given(line, "src_vni", uapi::MDBE_ATTR_SRC_VNI, f.source_vni);
            if (!f.permanent) return;
            line.source_keyword(*f.permanent ? "permanent" : "nopermanent");
            line.out.put(uapi::MDBE_ATTR_STATE_MASK, u8{MDB_PERMANENT});
        });
    end_request(line);
}

}  // namespace nlstream::bridge
