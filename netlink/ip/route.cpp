// ip route ...: the routing tables of IPv4, IPv6 and MPLS.
#include "netlink/ip/route.hpp"

#include <linux/icmpv6.h>

#include "netlink/address.hpp"
#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/ip/kinds.hpp"

#ifndef AF_MPLS
#define AF_MPLS 28
#endif

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL},      {"change*|chg", RTM_NEWROUTE, NLM_F_REPLACE},
    {"replace*", RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE}, {"prepend*", RTM_NEWROUTE, NLM_F_CREATE},
    {"append*", RTM_NEWROUTE, NLM_F_CREATE | NLM_F_APPEND}, {"test*", RTM_NEWROUTE, NLM_F_EXCL},
    {"delete*", RTM_DELROUTE, 0},                           {"list*|show*|lst*"},
    {"get*"},                                               {"save*"},
    {"restore*"},                                           {"showdump*"},
    {"flush*", RTM_DELROUTE, 0},
};

struct Route {
    Word const* device = nullptr;
    bool destination = false;
    bool gateway = false;
    bool nexthops = false;
    bool scope = false;
    bool table = false;
    bool type = false;
    u32 nexthop_id = 0;
    Metrics metrics;
};

constexpr NamedValue route_types[] = {
    {"local", RTN_LOCAL},        {"nat", RTN_NAT},           {"broadcast*", RTN_BROADCAST}, {"brd", RTN_BROADCAST},
    {"anycast*", RTN_ANYCAST},   {"multicast*", RTN_MULTICAST}, {"prohibit*", RTN_PROHIBIT}, {"unreachable*", RTN_UNREACHABLE},
    {"blackhole*", RTN_BLACKHOLE}, {"xresolve*", RTN_XRESOLVE}, {"unicast*", RTN_UNICAST},  {"throw", RTN_THROW},
};
constexpr NamedValue address_families[] = {{"inet", AF_INET}, {"inet6", AF_INET6}, {"link", AF_PACKET}, {"mpls", AF_MPLS}, {"bridge", AF_BRIDGE}};
constexpr NamedValue preferences[] = {{"low", ICMPV6_ROUTER_PREF_LOW}, {"medium", ICMPV6_ROUTER_PREF_MEDIUM}, {"high", ICMPV6_ROUTER_PREF_HIGH}};
constexpr NamedValue enabled_disabled[] = {{"enabled*", 1}, {"disabled*", 0}};

std::string_view second_gateway(Route const& r) { return r.gateway ? "a route has one via: write nexthop via ... for several" : ""; }
std::string_view second_destination(Route const& r) { return r.destination ? "the destination was given before" : ""; }

bool starts_with_digit(std::string_view word) { return !word.empty() && static_cast<u8>(word[0] - '0') <= 9; }

/// The first address of a line decides the family of the route.
void take_family(Line& line, u8 family) {
    auto& header = route_header(line);
    if (header.rtm_family == AF_UNSPEC) header.rtm_family = family;
}

void read_destination(Line& line, Route& r) {
    if (line.done()) line.take("[TYPE] PREFIX");
    if (auto const type = read_route_type_if(line)) {
        route_header(line).rtm_type = *type;
        r.type = true;
    }
    auto const prefix = read_prefix(line.take("PREFIX"), route_header(line).rtm_family);
    take_family(line, prefix.family);
    route_header(line).rtm_dst_len = static_cast<u8>(prefix.bits);
    r.destination = true;
    if (prefix.length) line.out.put(RTA_DST, prefix.bytes.data(), prefix.length);
}
void read_source_address(Line& line, Route&) {
    auto const address = read_address(line.take("ADDRESS"), route_header(line).rtm_family);
    take_family(line, address.family);
    line.out.put(RTA_PREFSRC, address.bytes.data(), address.length);
}
void read_as(Line& line, Route&) { read_new_destination(line); }
void read_via(Line& line, Route& r) {
    read_gateway(line);
    r.gateway = true;
}
void read_from(Line& line, Route&) {
    auto const prefix = read_prefix(line.take("PREFIX"), route_header(line).rtm_family);
    take_family(line, prefix.family);
    if (prefix.length) line.out.put(RTA_SRC, prefix.bytes.data(), prefix.length);
    route_header(line).rtm_src_len = static_cast<u8>(prefix.bits);
}
void read_tos(Line& line, Route&) { route_header(line).rtm_tos = static_cast<u8>(read_name(line, line.take("DSFIELD"), Names::Of::dsfield)); }
void read_scope(Line& line, Route& r) {
    route_header(line).rtm_scope = static_cast<u8>(read_name(line, line.take("SCOPE"), Names::Of::scope));
    r.scope = true;
}
void read_realms_of_route(Line& line, Route&) { line.out.put(RTA_FLOW, read_realms(line, line.take("[FROM/]TO"))); }
void read_onlink(Line& line, Route&) { route_header(line).rtm_flags |= RTNH_F_ONLINK; }
void read_nexthop(Line& line, Route& r) {
    // The hops are written behind all else, and reach to the end of the line.
    line.untake();
    r.nexthops = true;
}
void read_protocol(Line& line, Route&) { route_header(line).rtm_protocol = static_cast<u8>(read_name(line, line.take("PROTOCOL"), Names::Of::route_protocol)); }
void put_table(Line& line, Route& r, u32 table) {
    // The header has 8 bits for it.
    route_header(line).rtm_table = static_cast<u8>(table < 256 ? table : RT_TABLE_UNSPEC);
    if (table >= 256) line.out.put(RTA_TABLE, table);
    r.table = true;
}
void read_table(Line& line, Route& r) { put_table(line, r, read_name(line, line.take("TABLE"), Names::Of::route_table)); }
void read_vrf(Line& line, Route& r) { put_table(line, r, read_vrf_table(line, line.take("VRF"))); }
void read_device(Line& line, Route& r) { r.device = &line.take("a device"); }

void read_route_encap(Line& line, Route&) { read_encap(line, RTA_ENCAP, RTA_ENCAP_TYPE); }

template <u16 Metric, u64 Max = 0xffffffff>
void metric(Line& line, Route& r) { r.metrics.read_number(line, Metric, Max); }
template <u16 Metric>
void metric_switch(Line& line, Route& r) { r.metrics.read_switch(line, Metric); }
template <u16 Metric, u32 Scale>
void metric_time(Line& line, Route& r) { r.metrics.read_time(line, Metric, Scale); }
void read_rto_min(Line& line, Route& r) { r.metrics.read_rto_min(line); }
void read_congctl(Line& line, Route& r) { r.metrics.read_congestion_control(line); }
void read_features(Line& line, Route& r) { r.metrics.read_features(line); }

constexpr Row rows[] = {
    {"src",                         "ADDRESS",         custom<read_source_address>,                    "The source address that the host prefers for packets it sends."},
    {"as",                          "[to] ADDRESS",    custom<read_as>,                                "Rewrite the destination: MPLS labels to swap in."},
    {"via",                         "[FAMILY] ADDRESS", custom<read_via>,                              "The next router, of the route's family or of FAMILY.", unless<second_gateway>},
    {"from",                        "PREFIX",          custom<read_from>,                              "Only for packets from PREFIX (IPv6)."},
    {"tos|dsfield*",                "DSFIELD",         custom<read_tos>,                               "Only for packets with this TOS byte, hexadecimal or a name."},
    {"expires",                     "SECONDS",         U32(RTA_EXPIRES),                               "Remove the route after SECONDS (IPv6)."},
    {"metric*|priority*|preference", "N",              U32(RTA_PRIORITY),                              "Of several routes to one destination the least N is used."},
    {"scope",                       "SCOPE",           custom<read_scope>,                             "How far the destination is: link, host, global (default: by type and gateway)."},
    {"mtu",                         "[lock] BYTES",    custom<metric<RTAX_MTU>>,                       "The path's MTU; lock: no path MTU discovery."},
    {"hoplimit",                    "[lock] N",        custom<metric<RTAX_HOPLIMIT, 255>>,             "The hop limit (TTL) of packets."},
    {"advmss",                      "[lock] BYTES",    custom<metric<RTAX_ADVMSS>>,                    "The segment size that TCP advertises."},
    {"reordering*",                 "[lock] N",        custom<metric<RTAX_REORDERING>>,                "So many segments may be out of order on the path."},
    {"rtt",                         "[lock] TIME",     custom<metric_time<RTAX_RTT, 8>>,               "The first guess of the round-trip time."},
    {"rto_min",                     "TIME",            custom<read_rto_min>,                           "The least retransmission timeout."},
    {"window*",                     "[lock] BYTES",    custom<metric<RTAX_WINDOW>>,                    "The largest window that TCP advertises."},
    {"cwnd*",                       "[lock] SEGMENTS", custom<metric<RTAX_CWND>>,                      "The congestion window's clamp."},
    {"initcwnd*",                   "[lock] SEGMENTS", custom<metric<RTAX_INITCWND>>,                  "The first congestion window."},
    {"initrwnd*",                   "[lock] SEGMENTS", custom<metric<RTAX_INITRWND>>,                  "The first receive window."},
    {"features*",                   "FEATURE...",      custom<read_features>,                          "Turn on ecn, tcp_usec_ts or both."},
    {"quickack*",                   "0|1",             custom<metric_switch<RTAX_QUICKACK>>,           "1: acknowledge at once."},
    {"congctl*",                    "[lock] NAME",     custom<read_congctl>,                           "The TCP congestion control algorithm."},
    {"rttvar*",                     "[lock] TIME",     custom<metric_time<RTAX_RTTVAR, 4>>,            "The first guess of the round-trip time's variance."},
    {"ssthresh*",                   "[lock] SEGMENTS", custom<metric<RTAX_SSTHRESH>>,                  "The first slow start threshold."},
    {"realms*",                     "[FROM/]TO",       custom<read_realms_of_route>,                   "The realms, for accounting and filters."},
    {"onlink",                      "",                custom<read_onlink>,                            "The gateway is on the link even though no prefix says so."},
    {"nexthop",                     "...",             custom<read_nexthop>,                           "One of several ways, up to the next nexthop or the end of the line."},
    {"nhid",                        "ID",              U32(RTA_NH_ID).and_keep(keep<&Route::nexthop_id>), "Use the nexthop object ID."},
    {"protocol*",                   "PROTOCOL",        custom<read_protocol>,                          "Who made the route (default: boot)."},
    {"table*",                      "TABLE",           custom<read_table>,                             "The routing table (default: main; local for local, broadcast, anycast and nat)."},
    {"vrf*",                        "VRF",             custom<read_vrf>,                               "The routing table of this VRF."},
    {"dev|oif",                     "DEVICE",          custom<read_device>,                            "The link that packets leave by."},
    {"pref*",                       "PREFERENCE",      Choice{{RTA_PREF, 1}, preferences, 255},        "The router preference (IPv6)."},
    {"encap",                       "TYPE ...",        custom<read_route_encap>,                       "Encapsulate packets: mpls, ip, ip6, seg6, seg6local, rpl, ioam6, bpf, xfrm, ila."},
    {"ttl-propagate",               "STATE",           one_of(enabled_disabled, {RTA_TTL_PROPAGATE, 1}), "Copy the TTL between MPLS and IP headers."},
    {"fastopen_no_cookie*",         "0|1",             custom<metric_switch<RTAX_FASTOPEN_NO_COOKIE>>, "1: TCP Fast Open without a cookie."},
    {"to",                          "[TYPE] PREFIX",   custom<read_destination>,                       "The destination, with or without \"to\": a prefix, or default. TYPE: unicast, local, broadcast, multicast, anycast, throw, unreachable, prohibit, blackhole, nat, xresolve.", unless<second_destination>},
};
constexpr auto table = keywords<Route>(rows);

/// What belongs to a type and family where the line does not say.
void fill_defaults(rtmsg& header, Route const& r, bool remove) {
    auto const type = header.rtm_type;
    if (header.rtm_family == AF_UNSPEC) header.rtm_family = AF_INET;
    if (!r.table && (type == RTN_LOCAL || type == RTN_BROADCAST || type == RTN_NAT || type == RTN_ANYCAST)) header.rtm_table = RT_TABLE_LOCAL;
    if (!r.scope) {
        if (header.rtm_family == AF_INET6 || header.rtm_family == AF_MPLS) header.rtm_scope = RT_SCOPE_UNIVERSE;
        else if (type == RTN_LOCAL || type == RTN_NAT) header.rtm_scope = RT_SCOPE_HOST;
        else if (type == RTN_BROADCAST || type == RTN_MULTICAST || type == RTN_ANYCAST) header.rtm_scope = RT_SCOPE_LINK;
        else if (type == RTN_UNICAST && !remove && !r.gateway && !r.nexthops && !r.nexthop_id) header.rtm_scope = RT_SCOPE_LINK;
    }
    if (!r.type && header.rtm_family == AF_MPLS) header.rtm_type = RTN_UNICAST;
}

}  // namespace

std::optional<u8> read_route_type_if(Line& line) {
    auto const word = line.peek().text;
    if (starts_with_digit(word)) return {};
    for (auto const& type : route_types)
        if (selects(type.word, word)) {
            line.take("TYPE");
            return static_cast<u8>(type.value);
        }
    line.missed(words_of(route_types));
    return {};
}

u32 read_vrf_table(Line& line, Word const& word) {
    auto const* link = line.links.find(word.text);
    if (!link && word.text == "default") return RT_TABLE_MAIN;
    if (!link) fail_value(word, "a VRF", "the name of a link of type vrf");
    if (link->kind != "vrf" || link->vrf_table == 0) fail_use(word, "the link is not of type vrf");
    return link->vrf_table;
}

u8 take_address_family(Line& line, u8 otherwise) {
    for (auto const& named : address_families)
        if (line.take_if(named.word)) return static_cast<u8>(named.value);
    line.missed(words_of(address_families));
    return otherwise;
}

Address read_gateway_address(Line& line, u8 family) {
    family = take_address_family(line, family);
    return read_address(line.take("[FAMILY] ADDRESS"), family);
}

void read_gateway(Line& line) {
    auto& header = route_header(line);
    auto const address = read_gateway_address(line, header.rtm_family);
    take_family(line, address.family);
    if (address.family == header.rtm_family) return line.out.put(RTA_GATEWAY, address.bytes.data(), address.length);
    struct {
        u16 family;
        std::array<u8, sizeof address.bytes> bytes;
    } via{address.family, address.bytes};
    line.out.put(RTA_VIA, &via, sizeof via.family + address.length);
}

void read_new_destination(Line& line) {
    line.take_if("to");
    auto const address = read_address(line.take("ADDRESS"), route_header(line).rtm_family);
    take_family(line, address.family);
    line.out.put(RTA_NEWDST, address.bytes.data(), address.length);
}

extern constinit KindInfo const route_info = {"ip", "route", "A route of a routing table.", {{{"", table}, {"nexthop", nexthop_table}, {"flush", flush_routes_table}}}};

void read_route(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip route");
    if (verb.words == "flush*") return flush_routes(line);
    bool const remove = verb.type == RTM_DELROUTE;
    auto& header = begin_request<rtmsg>(line, verb.type, verb.flags);
    header.rtm_family = line.family;
    header.rtm_table = RT_TABLE_MAIN;
    header.rtm_scope = remove ? RT_SCOPE_NOWHERE : RT_SCOPE_UNIVERSE;
    header.rtm_protocol = remove ? RTPROT_UNSPEC : RTPROT_BOOT;
    header.rtm_type = remove ? RTN_UNSPEC : RTN_UNICAST;

    Route r;
    Reader reader(table, r);
    while (!line.done() && !r.nexthops) {
        // No keyword begins with a digit.
        if (!starts_with_digit(line.peek().text) && reader.read_one(line)) continue;
        if (r.destination) reader.fail_unknown(line);
        read_destination(line, r);
    }
    if (!r.destination) fail_missing(line, "a destination PREFIX");

    if (r.device) {
        line.out.source(r.device->span);
        line.out.put(RTA_OIF, line.links.index(*r.device));
    }
    r.metrics.put(line);
    if (r.nexthops) read_nexthops(line);
    fill_defaults(route_header(line), r, remove);
    end_request(line);
}

}  // namespace nlstream::ip
