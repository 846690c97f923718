// bridge mdb ...: which ports, or which hosts behind a VXLAN, a multicast group goes to.
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>

#include "netlink/bridge/kinds.hpp"
#include "netlink/bridge/mdb.hpp"
#include "netlink/bridge/values.hpp"
#include "netlink/parts.hpp"
#include "netlink/service.hpp"
#include "netlink/tc/put_given.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::bridge {
namespace {

using tc::put_given;

constexpr Verb verbs[] = {
    {"add*", RTM_NEWMDB, NLM_F_CREATE | NLM_F_EXCL},
    {"replace", RTM_NEWMDB, NLM_F_CREATE | NLM_F_REPLACE},
    {"delete*", RTM_DELMDB, 0},
    {"show*|lst*|list*"},
    {"get"},
    {"flush", RTM_DELMDB, NLM_F_BULK},
};

struct Mdb {
    std::optional<u32> index;
    std::optional<u32> port;
    Word const* group = nullptr;
    bool permanent = false;
    u16 vid = 0;
    std::optional<Address> source;
    std::optional<u8> filter_mode;
    Word const* source_list = nullptr;
    std::optional<u8> protocol;
    std::optional<Address> dst;
    std::optional<u16> dst_port;
    std::optional<u32> vni, source_vni, via;
};

constexpr NamedValue filter_modes[] = {{"include", MCAST_INCLUDE}, {"exclude", MCAST_EXCLUDE}};

void read_dev(Line& line, Mdb& m) { m.index = line.take_main_device(); }
void read_group(Line& line, Mdb& m) { m.group = &line.take("GROUP"); }
void read_vid_of_group(Line& line, Mdb& m) { m.vid = read_vid(line.take("VID"), 0xffff); }
void read_source(Line& line, Mdb& m) { m.source = read_host(line.take("ADDRESS")); }
void read_source_list(Line& line, Mdb& m) { m.source_list = &line.take("ADDRESS,..."); }
void read_dst(Line& line, Mdb& m) { m.dst = read_host(line.take("ADDRESS")); }
void read_dst_port(Line& line, Mdb& m) { m.dst_port = read_udp_port(line, line.take("PORT")); }
void nothing(Line&, Mdb&) {}

constexpr Row rows[] = {
    {"dev",         "DEVICE",      custom<read_dev>,                        "The bridge, or the VXLAN."},
    {"grp",         "GROUP",       custom<read_group>,                      "The group: an IPv4, IPv6 or MAC address."},
    {"port",        "DEVICE",      device(keep<&Mdb::port>),                "The port that the group goes to; the bridge or the VXLAN itself."},
    {"permanent",   "",            set(keep<&Mdb::permanent>),              "Keep the entry until it is deleted."},
    {"temp",        "",            custom<nothing>,                         "Let the entry expire (default)."},
    {"vid",         "VID",         custom<read_vid_of_group>,               "The VLAN."},
    {"src",         "ADDRESS",     custom<read_source>,                     "Only what this host sends to the group."},
    {"filter_mode", "MODE",        one_of(filter_modes, {kept, 1, false, keep<&Mdb::filter_mode>}), "What source_list means: only these sources, or all but these."},
    {"source_list", "ADDRESS,...", custom<read_source_list>,                "The sources, without blanks between them."},
    {"proto",       "PROTOCOL",    Name{{kept, 1, false, keep<&Mdb::protocol>}, Names::Of::route_protocol}, "Who made the entry (default: static)."},
    {"dst",         "ADDRESS",     custom<read_dst>,                        "VXLAN: the host that packets go to."},
    {"dst_port",    "PORT",        custom<read_dst_port>,                   "VXLAN: that host's UDP port, a number or a name."},
    {"vni",         "VNI",         U32(keep<&Mdb::vni>),                    "VXLAN: the VNI that packets carry."},
    {"src_vni",     "VNI",         U32(keep<&Mdb::source_vni>),             "VXLAN: the VNI that the entry belongs to."},
    {"via",         "DEVICE",      device(keep<&Mdb::via>),                 "VXLAN: the link towards that host."},
};
constexpr auto table = keywords<Mdb>(rows);

void fill_group(br_mdb_entry& entry, Word const& word) {
    if (auto const host = parse_host(word.text)) {
        std::memcpy(&entry.addr.u, host->bytes.data(), host->length);
        entry.addr.proto = big16(host->family == AF_INET ? ETH_P_IP : ETH_P_IPV6);
        return;
    }
    auto const mac = parse_address(word.text, AF_PACKET);
    if (!mac || mac->length != 6) fail_value(word, "a multicast group", "an IPv4, IPv6 or MAC address");
    std::memcpy(&entry.addr.u, mac->bytes.data(), 6);
}

void put_sources(Line& line, Word const& list) {
    line.out.nest(uapi::MDBE_ATTR_SRC_LIST | NLA_F_NESTED, [&] {
        for (Parts sources(list, ','); sources.more();) {
            auto const one = sources.next();
            auto const host = parse_host(one.text);
            if (!host) fail_value(one, "a source", "IPv4 or IPv6 addresses in full, with commas between them");
            line.out.source(one.span);
            line.out.nest(uapi::MDBE_SRC_LIST_ENTRY | NLA_F_NESTED, [&] { line.out.put(uapi::MDBE_SRCATTR_ADDRESS, host->bytes.data(), host->length); });
        }
    });
}

void put_address(Line& line, std::string_view keyword, u16 attribute, std::optional<Address> const& address) {
    if (!address) return;
    line.source_keyword(keyword);
    line.out.put(attribute, address->bytes.data(), address->length);
}

void put_attributes(Line& line, Mdb const& m) {
    if (!m.source && !m.filter_mode && !m.source_list && !m.protocol && !m.dst && !m.dst_port && !m.vni && !m.source_vni && !m.via) return;
    line.out.nest(MDBA_SET_ENTRY_ATTRS | NLA_F_NESTED, [&] {
        put_address(line, "src", MDBE_ATTR_SOURCE, m.source);
        put_given(line, "filter_mode", uapi::MDBE_ATTR_GROUP_MODE, m.filter_mode);
        line.source_keyword("source_list");
        if (m.source_list) put_sources(line, *m.source_list);
        put_given(line, "proto", uapi::MDBE_ATTR_RTPROT, m.protocol);
        put_address(line, "dst", uapi::MDBE_ATTR_DST, m.dst);
        put_given(line, "dst_port", uapi::MDBE_ATTR_DST_PORT, m.dst_port);
        put_given(line, "vni", uapi::MDBE_ATTR_VNI, m.vni);
        put_given(line, "src_vni", uapi::MDBE_ATTR_SRC_VNI, m.source_vni);
        put_given(line, "via", uapi::MDBE_ATTR_IFINDEX, m.via);
    });
}

}  // namespace

extern constinit KindInfo const mdb_info = {"bridge", "mdb", "An entry of the multicast database: where a group goes.", {{{"", table}, {"flush", mdb_flush_table}}}};

void read_mdb(Line& line) {
    auto const& verb = read_verb(line, verbs, "bridge mdb");
    auto& header = begin_request<br_port_msg>(line, verb.type, verb.flags);
    header.family = AF_BRIDGE;
    if (verb.words == "flush") return read_mdb_flush(line);

    Mdb m;
    Reader(table, m).read_all(line);
    if (!m.index) fail_missing(line, "dev DEVICE");
    if (!m.group) fail_missing(line, "grp GROUP");
    if (!m.port) fail_missing(line, "port DEVICE");
    header.ifindex = *m.index;

    br_mdb_entry entry{};
    entry.ifindex = *m.port;
    entry.state = m.permanent && verb.type == RTM_NEWMDB ? MDB_PERMANENT : MDB_TEMPORARY;
    entry.vid = m.vid;
    fill_group(entry, *m.group);
    line.source_keyword("grp");
    line.out.put(MDBA_SET_ENTRY, entry);
    put_attributes(line, m);
    end_request(line);
}

}  // namespace nlstream::bridge
