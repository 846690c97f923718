// ip nexthop ...: next hops and groups of them, for routes to refer to.
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include "netlink/address.hpp"
#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/ip/kinds.hpp"
#include "netlink/ip/route.hpp"
#include "netlink/parts.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWNEXTHOP, NLM_F_CREATE | NLM_F_EXCL}, {"replace*", RTM_NEWNEXTHOP, NLM_F_CREATE | NLM_F_REPLACE}, {"delete*", RTM_DELNEXTHOP, 0},
    {"list*|show*|lst*"},                                {"get*"},                                                   {"bucket*"},
    {"flush*", RTM_DELNEXTHOP, 0},
};

struct Nexthop {};

nhmsg& header(Line& line) { return line.out.value_at<nhmsg>(sizeof(nlmsghdr)); }

void take_family(Line& line, u8 family) {
    if (header(line).nh_family == AF_UNSPEC) header(line).nh_family = family;
}

void read_device(Line& line, Nexthop&) {
    line.out.put(NHA_OIF, line.take_device());
    take_family(line, AF_INET);
}
void read_via(Line& line, Nexthop&) {
    auto const address = read_gateway_address(line, header(line).nh_family);
    take_family(line, address.family);
    if (address.family != header(line).nh_family) fail_use(line.last(), "the nexthop is of another family");
    line.out.put(NHA_GATEWAY, address.bytes.data(), address.length);
}
void read_nexthop_encap(Line& line, Nexthop&) { read_encap(line, NHA_ENCAP, NHA_ENCAP_TYPE); }
void read_blackhole(Line& line, Nexthop&) {
    line.out.put_flag(NHA_BLACKHOLE);
    take_family(line, AF_INET);
}
void read_onlink(Line& line, Nexthop&) { header(line).nh_flags |= RTNH_F_ONLINK; }

/// struct nexthop_grp, whose weight has had a high byte since Linux 6.12: headers differ in its name.
struct Member {
    u32 id = 0;
    u8 weight = 0;
    u8 weight_high = 0;
    u16 reserved = 0;
};
static_assert(sizeof(Member) == sizeof(nexthop_grp));

/// ID[,WEIGHT][/ID[,WEIGHT]...]
void read_group(Line& line, Nexthop&) {
    auto const& word = line.take("ID[,WEIGHT]/...");
    auto const at = line.out.open(NHA_GROUP);
    for (Parts members(word, '/'); members.more();) {
        auto const member = members.next();
        if (member.text.empty()) fail_value(word, "a group", "ID[,WEIGHT]/...");
        Parts parts(member, ',');
        Member hop;
        hop.id = static_cast<u32>(read_number(parts.next()));
        if (parts.more()) {
            auto const less = read_number(parts.next(), 1, 65536) - 1;
            hop.weight = static_cast<u8>(less);
            hop.weight_high = static_cast<u8>(less >> 8);
        }
        parts.finish("ID,WEIGHT");
        line.out.put_raw(&hop, sizeof hop);
    }
    line.out.close(at);
}

template <u16 Attribute>
void read_timer(Line& line, Nexthop&) {
    // In hundredths of a second on the wire.
    line.out.put(Attribute, static_cast<u32>(read_number(line.take("SECONDS"), 0, 0xffffffffu / 100 - 1) * 100));
}
constexpr Row resilient_rows[] = {
    {"buckets",          "N",       U16(NHA_RES_GROUP_BUCKETS),                         "The hash table has N buckets."},
    {"idle_timer",       "SECONDS", custom<read_timer<NHA_RES_GROUP_IDLE_TIMER>>,       "A bucket without traffic for so long may change its nexthop."},
    {"unbalanced_timer", "SECONDS", custom<read_timer<NHA_RES_GROUP_UNBALANCED_TIMER>>, "When the weights have not been met for so long, buckets in use change too."},
};
constexpr auto resilient_table = keywords<Nexthop>(resilient_rows);

constexpr NamedValue group_types[] = {{"mpath", NEXTHOP_GRP_TYPE_MPATH}, {"resilient", NEXTHOP_GRP_TYPE_RES}};

void read_type(Line& line, Nexthop& n) {
    auto const type = static_cast<u16>(read_choice(line.take("TYPE"), group_types, "type"));
    if (type == NEXTHOP_GRP_TYPE_RES && !line.done()) line.out.nest(NHA_RES_GROUP | NLA_F_NESTED, [&] { Reader(resilient_table, n).read_some(line); });
    line.source_keyword("type");
    line.out.put(NHA_GROUP_TYPE, type);
}
void read_protocol(Line& line, Nexthop&) { header(line).nh_protocol = static_cast<u8>(read_name(line, line.take("PROTOCOL"), Names::Of::route_protocol)); }

constexpr Row rows[] = {
    {"id",        "ID",               U32(NHA_ID),                 "Its number (default: the kernel chooses one)."},
    {"dev",       "DEVICE",           custom<read_device>,         "The link that packets leave by."},
    {"via",       "[FAMILY] ADDRESS", custom<read_via>,            "The next router."},
    {"encap",     "TYPE ...",         custom<read_nexthop_encap>,  "Encapsulate packets."},
    {"blackhole", "",                 custom<read_blackhole>,      "Drop packets."},
    {"fdb",       "",                 Flag{NHA_FDB},               "For forwarding entries of bridges and VXLANs."},
    {"onlink",    "",                 custom<read_onlink>,         "The gateway is on the link even though no prefix says so."},
    {"group",     "ID[,WEIGHT]/...",  custom<read_group>,          "A group of nexthops; WEIGHT is 1 to 65536 (default 1)."},
    {"type",      "TYPE ...",         custom<read_type>,           "How the group chooses: mpath (default) or resilient."},
    {"protocol*", "PROTOCOL",         custom<read_protocol>,       "Who made it."},
    {"hw_stats",  "on|off",           Choice{{uapi::NHA_HW_STATS_ENABLE, 4}, off_on}, "Count packets in hardware."},
};
constexpr auto table = keywords<Nexthop>(rows);

}  // namespace

extern constinit KindInfo const nexthop_info = {"ip", "nexthop", "A next hop, or a group of them, that routes refer to.", {{{"", table}, {"type resilient", resilient_table}, {"flush", flush_nexthops_table}}}};

void read_nexthop(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip nexthop");
    if (verb.words == "flush*") return flush_nexthops(line);
    begin_request<nhmsg>(line, verb.type, verb.flags).nh_family = line.family;
    Nexthop n;
    Reader(table, n).read_all(line);
    end_request(line);
}

}  // namespace nlstream::ip
