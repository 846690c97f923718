// bridge fdb ...: which port a MAC address is behind; for VXLAN, which host.
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "netlink/bridge/fdb.hpp"
#include "netlink/bridge/kinds.hpp"
#include "netlink/service.hpp"

namespace nlstream::bridge {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_EXCL},
    {"append*", RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_APPEND},
    {"replace*", RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE},
    {"delete*", RTM_DELNEIGH, 0},
    {"get*"},
    {"show*|lst*|list*"},
    {"flush", RTM_DELNEIGH, NLM_F_BULK},
};

constexpr u32 not_given = ~0u;

struct Fdb {
    u32 index = not_given;
    bool mac_given = false;
    bool dst_given = false;
    std::array<u8, 6> mac;
    Address dst;
    u32 vlan = not_given;
    u32 vni = not_given;
    u32 source_vni = not_given;
    u32 nexthop = 0;
    u32 via = not_given;
    u16 port = 0;
    u16 state = NUD_NOARP;
    u8 flags = 0;
    u8 notify = 0;
    bool no_refresh = false;
};

std::string_view second_dst(Fdb const& f) { return f.dst_given ? "dst was given before" : ""; }
std::string_view second_vlan(Fdb const& f) { return f.vlan != not_given ? "vlan was given before" : ""; }
std::string_view second_mac(Fdb const& f) { return f.mac_given ? "the MAC address was given before" : ""; }

void read_dev(Line& line, Fdb& f) { f.index = line.take_main_device(); }
void read_dst(Line& line, Fdb& f) {
    f.dst = read_address(line.take("ADDRESS"), line.family);
    f.dst_given = true;
}
void read_port(Line& line, Fdb& f) { f.port = read_udp_port(line, line.take("PORT")); }
void read_vlan(Line& line, Fdb& f) { f.vlan = read_vid(line.take("VID"), 0x7fff); }
void read_dynamic(Line&, Fdb& f) { f.state = static_cast<u16>((f.state | NUD_REACHABLE) & ~NUD_NOARP); }
void read_entry_mac(Line& line, Fdb& f) {
    f.mac = read_mac(line.take("MAC"));
    f.mac_given = true;
}

constexpr Row rows[] = {
    {"dev",              "DEVICE",  custom<read_dev>,                             "The port that the address is behind, the VXLAN or the bridge itself."},
    {"dst",              "ADDRESS", custom<read_dst>,                             "VXLAN: the host that the address is behind.", unless<second_dst>},
    {"nhid",             "ID",      U32(keep<&Fdb::nexthop>),                     "VXLAN: the nexthop object that leads to the hosts."},
    {"port",             "PORT",    custom<read_port>,                            "VXLAN: that host's UDP port, a number or a name (default: the link's)."},
    {"vni",              "VNI",     U32(keep<&Fdb::vni>).in(0, 0xffffff),         "VXLAN: the VNI that packets to that host carry (default: the link's)."},
    {"src_vni",          "VNI",     U32(keep<&Fdb::source_vni>).in(0, 0xffffff),  "VXLAN: the VNI that the entry belongs to, if the link has several."},
    {"via",              "DEVICE",  device(keep<&Fdb::via>),                      "VXLAN: the link towards that host."},
    {"self",             "",        set(add_bits<&Fdb::flags>, NTF_SELF),         "The entry is in the link's own table (default)."},
    {"master*",          "",        set(add_bits<&Fdb::flags>, NTF_MASTER),       "The entry is in the table of the bridge that the link is a port of."},
    {"router*",          "",        set(add_bits<&Fdb::flags>, NTF_ROUTER),       "VXLAN: the host is a router."},
    {"local*|permanent*", "",       set(add_bits<&Fdb::state>, NUD_PERMANENT),    "The address is this host's own (default)."},
    {"temp*|static*",    "",        set(add_bits<&Fdb::state>, NUD_REACHABLE),    "The entry stays where it is until it is deleted or moved by hand."},
    {"dynamic*",         "",        custom<read_dynamic>,                         "The entry ages like a learnt one."},
    {"vlan*",            "VID",     custom<read_vlan>,                            "The VLAN (default: all that the port is in).", unless<second_vlan>},
    {"use*",             "",        set(add_bits<&Fdb::flags>, NTF_USE),          "The entry counts as just used."},
    {"extern_learn*",    "",        set(add_bits<&Fdb::flags>, NTF_EXT_LEARNED),  "The entry was learnt outside the kernel."},
    {"sticky*",          "",        set(add_bits<&Fdb::flags>, NTF_STICKY),       "Packets from elsewhere do not move the entry."},
    {"activity_notify",  "",        set(add_bits<&Fdb::notify>, FDB_NOTIFY_BIT),  "Tell listeners when the address becomes active or falls silent."},
    {"inactive",         "",        set(add_bits<&Fdb::notify>, FDB_NOTIFY_INACTIVE_BIT), "The address counts as silent now."},
    {"norefresh",        "",        set(keep<&Fdb::no_refresh>),                  "Changing the entry does not count as a use."},
    {"to",               "MAC",     custom<read_entry_mac>,                       "The MAC address, with or without \"to\".", unless<second_mac>},
};
constexpr auto table = keywords<Fdb>(rows);

void put_extensions(Line& line, Fdb const& f) {
    if (!f.notify && !f.no_refresh) return;
    line.out.nest(NDA_FDB_EXT_ATTRS | NLA_F_NESTED, [&] {
        line.source_keyword("activity_notify");
        if (f.notify) line.out.put(NFEA_ACTIVITY_NOTIFY, f.notify);
        line.source_keyword("norefresh");
        if (f.no_refresh) line.out.put_flag(NFEA_DONT_REFRESH);
    });
}

void put(Line& line, Fdb const& f) {
    line.out.put(NDA_LLADDR, f.mac);
    line.source_keyword("dst");
    if (f.dst_given) line.out.put(NDA_DST, f.dst.bytes.data(), f.dst.length);
    line.source_keyword("vlan");
    if (f.vlan != not_given) line.out.put(NDA_VLAN, static_cast<u16>(f.vlan));
    line.source_keyword("nhid");
    if (f.nexthop) line.out.put(NDA_NH_ID, f.nexthop);
    line.source_keyword("port");
    if (f.port) line.out.put(NDA_PORT, big16(f.port));
    line.source_keyword("vni");
    if (f.vni != not_given) line.out.put(NDA_VNI, f.vni);
    line.source_keyword("src_vni");
    if (f.source_vni != not_given) line.out.put(NDA_SRC_VNI, f.source_vni);
    line.source_keyword("via");
    if (f.via != not_given) line.out.put(NDA_IFINDEX, f.via);
    put_extensions(line, f);
}

}  // namespace

extern constinit KindInfo const fdb_info = {"bridge", "fdb", "An entry of a forwarding table: what a MAC address is behind.", {{{"", table}, {"flush", fdb_flush_table}}}};

void read_fdb(Line& line) {
    auto const& verb = read_verb(line, verbs, "bridge fdb");
    auto& header = begin_request<ndmsg>(line, verb.type, verb.flags);
    header.ndm_family = AF_BRIDGE;
    if (verb.words == "flush") return read_fdb_flush(line);

    Fdb f;
    Reader reader(table, f);
    Span mac_source;
    while (!line.done()) {
        if (reader.read_one(line)) continue;
        if (f.mac_given) reader.fail_unknown(line);
        mac_source = line.peek().span;
        read_entry_mac(line, f);
    }
    if (f.index == not_given) fail_missing(line, "dev DEVICE");
    if (!f.mac_given) fail_missing(line, "a MAC address");
    if (f.nexthop && (f.dst_given || f.port || f.vni != not_given)) fail_use(line.last(), "nhid excludes dst, port and vni");

    if (!(f.flags & (NTF_SELF | NTF_MASTER))) f.flags |= NTF_SELF;
    if (!(f.state & (NUD_PERMANENT | NUD_REACHABLE))) f.state |= NUD_PERMANENT;
    header.ndm_ifindex = static_cast<int>(f.index);
    header.ndm_state = f.state;
    header.ndm_flags = f.flags;
    line.out.source(mac_source);
    put(line, f);
    end_request(line);
}

}  // namespace nlstream::bridge
