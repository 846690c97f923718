// ip route flush ...: which routes go.
#include <linux/rtnetlink.h>

#include "netlink/ip/flush.hpp"
#include "netlink/ip/route.hpp"
#include "netlink/quantity.hpp"
#include "netlink/received.hpp"

namespace nlstream::ip {
namespace {

/// What selects one number: an entry's has to be equal under the mask.
struct Wanted {
    u32 value = 0;
    u32 mask = 0;  // 0: any
    bool fits(u32 other) const { return ((value ^ other) & mask) == 0; }
};

struct Selection {
    u32 table = RT_TABLE_MAIN;  // 0: all
    u32 types = 0;              // a bit for each RTN_*; 0: all
    Wanted protocol, scope, tos, in_link, out_link, mark, realm, metric;
    Address via, source_address;
    // The destination and the source: at least (root) and at most (match) so long. A family of 0 without length: not given.
    Address root, match, from_root, from_match;
};

constexpr u32 all_bits = 0xffffffff;

[[noreturn]] void fail_cache(Word const& word) { fail_use(word, "the routing cache is not flushed over rtnetlink: use ip route flush cache itself"); }

void read_table(Line& line, Selection& s) {
    auto const& word = line.take("TABLE");
    if (word.text == "cache" && !line.names.find(Names::Of::route_table, "cache")) fail_cache(word);
    s.table = word.text == "all" && !line.names.find(Names::Of::route_table, "all") ? 0 : read_name(line, word, Names::Of::route_table);
}
void read_vrf(Line& line, Selection& s) {
    s.table = read_vrf_table(line, line.take("VRF"));
    s.types = ~(1u << RTN_LOCAL | 1u << RTN_BROADCAST);
}
void read_tos(Line& line, Selection& s) { s.tos = {read_name(line, line.take("DSFIELD"), Names::Of::dsfield), all_bits}; }
void read_protocol(Line& line, Selection& s) {
    auto const protocol = take_name_or_all(line, Names::Of::route_protocol);
    s.protocol = {protocol.value_or(0), protocol ? all_bits : 0};
}
void read_scope(Line& line, Selection& s) {
    auto const scope = take_name_or_all(line, Names::Of::scope);
    s.scope = {scope.value_or(0), scope ? all_bits : 0};
}
void read_type(Line& line, Selection& s) {
    if (line.done()) line.take("TYPE");
    auto const type = read_route_type_if(line);
    s.types = 1u << (type ? *type : read_number(line.take("TYPE"), 0, 31));
}
void read_out_link(Line& line, Selection& s) { s.out_link = {line.take_device(), all_bits}; }
void read_in_link(Line& line, Selection& s) { s.in_link = {line.take_device(), all_bits}; }
void read_mark(Line& line, Selection& s) { s.mark = {static_cast<u32>(read_number(line.take("MARK"))), all_bits}; }
void read_metric(Line& line, Selection& s) { s.metric = {static_cast<u32>(read_number(line.take("N"))), all_bits}; }
void read_via(Line& line, Selection& s) {
    auto const family = take_address_family(line, line.family);
    s.via = read_prefix(line.take("PREFIX"), family);
}
void read_src(Line& line, Selection& s) { s.source_address = read_prefix(line.take("PREFIX"), line.family); }
void read_realms_wanted(Line& line, Selection& s) {
    auto const& word = line.take("[FROM/]TO");
    s.realm = {read_realms(line, word), all_bits};
    // A half that is not given is any.
    if (!(s.realm.value & 0xffff) && word.text.ends_with('/')) s.realm.mask &= 0xffff0000;
    if (!(s.realm.value & 0xffff0000) && (word.text.find('/') == word.text.npos || word.text.starts_with('/'))) s.realm.mask &= 0xffff;
}

void read_lengths(Line& line, Address& root, Address& match) {
    bool const longer = line.take_if_abbreviates("root");
    bool const shorter = !longer && line.take_if_abbreviates("match");
    if (!longer && !shorter) line.take_if_abbreviates("exact");
    auto const prefix = read_prefix(line.take("PREFIX"), line.family);
    if (!shorter) root = prefix;
    if (!longer) match = prefix;
}
void read_from(Line& line, Selection& s) { read_lengths(line, s.from_root, s.from_match); }
void read_to(Line& line, Selection& s) { read_lengths(line, s.root, s.match); }

constexpr Row rows[] = {
    {"table*",                       "TABLE",                     custom<read_table>,     "Routes of this table (default: main); all: of every table."},
    {"vrf*",                         "VRF",                       custom<read_vrf>,       "Routes of this VRF's table, but for local and broadcast ones."},
    {"tos|dsfield*",                 "DSFIELD",                   custom<read_tos>,       "Routes for packets with this TOS byte."},
    {"protocol*",                    "PROTOCOL",                  custom<read_protocol>,  "Routes made by PROTOCOL; all: by any."},
    {"scope*",                       "SCOPE",                     custom<read_scope>,     "Routes of this scope; all: of any."},
    {"type*",                        "TYPE",                      custom<read_type>,      "Routes of this type: unicast, blackhole, local and so on."},
    {"dev|oif",                      "DEVICE",                    custom<read_out_link>,  "Routes that leave by this link, or one of whose nexthops does."},
    {"iif",                          "DEVICE",                    custom<read_in_link>,   "Routes for packets that come in by this link."},
    {"mark",                         "MARK",                      custom<read_mark>,      "Routes for packets with this mark."},
    {"metric*|priority*|preference", "N",                         custom<read_metric>,    "Routes of this metric."},
    {"via",                          "[FAMILY] PREFIX",           custom<read_via>,       "Routes by a router within PREFIX."},
    {"src",                          "PREFIX",                    custom<read_src>,       "Routes that prefer a source address within PREFIX."},
    {"realms*",                      "[FROM/]TO",                 custom<read_realms_wanted>, "Routes of these realms."},
    {"from*",                        "[root|match|exact] PREFIX", custom<read_from>,      "As to, for the source."},
    {"to*",                          "[root|match|exact] PREFIX", custom<read_to>,        "Routes for exactly PREFIX, with or without \"to\"; root: for what is within it; match: for what it is within."},
};
constexpr auto table = keywords<Selection>(rows);

bool given(Address const& prefix) { return prefix.family != AF_UNSPEC || prefix.has_bits; }

/// Whether a destination (or source) of `length` bits is within `root` and contains `match`.
bool fits(Address const& root, Address const& match, u8 family, std::span<u8 const> address, u8 length) {
    if (given(root)) {
        if ((root.family && root.family != family) || root.bits > length || !same_prefix(address, root.bytes, root.bits)) return false;
    }
    if (given(match)) {
        if ((match.family && match.family != family) || match.bits < length || !same_prefix(address, match.bytes, length)) return false;
    }
    return true;
}

using RouteAttributes = Attributes<RTA_MAX>;

bool leaves_by(RouteAttributes const& route, Wanted const& link) {
    if (route[RTA_OIF]) return link.fits(route.value<u32>(RTA_OIF));
    auto hops = route.payload(RTA_MULTIPATH);
    if (hops.empty()) return true;
    while (hops.size() >= sizeof(rtnexthop)) {
        rtnexthop hop;
        std::memcpy(&hop, hops.data(), sizeof hop);
        if (hop.rtnh_len < sizeof hop || hop.rtnh_len > hops.size()) break;
        if (link.fits(static_cast<u32>(hop.rtnh_ifindex))) return true;
        hops = hops.subspan(std::min<std::size_t>(RTNH_ALIGN(hop.rtnh_len), hops.size()));
    }
    return false;
}

bool goes_via(RouteAttributes const& route, u8 family, Address const& via) {
    if (via.family == AF_UNSPEC) return true;
    auto gateway = route.payload(RTA_GATEWAY);
    if (auto const other = route.payload(RTA_VIA); other.size() >= sizeof(u16)) {
        family = static_cast<u8>(route.value<u16>(RTA_VIA));
        gateway = other.subspan(sizeof(u16));
    }
    return family == via.family && same_prefix(gateway, via.bytes, via.bits);
}

bool selects(Selection const& s, nlmsghdr const& entry, u8 line_family) {
    auto const& head = *body_of<rtmsg>(entry);
    RouteAttributes const route(entry, sizeof head);
    auto const family = head.rtm_family;
    auto const route_table = route.value<u32>(RTA_TABLE, head.rtm_table);
    if (line_family != AF_UNSPEC && family != line_family) return false;
    if (head.rtm_flags & RTM_F_CLONED) return false;
    if (s.table && s.table != route_table) return false;
    // A kernel without tables for IPv6 has its local routes in the main one: these are not meant.
    if (family == AF_INET6 && s.table == RT_TABLE_MAIN && head.rtm_type == RTN_LOCAL && head.rtm_protocol == RTPROT_KERNEL) return false;
    if (!s.protocol.fits(head.rtm_protocol) || !s.scope.fits(head.rtm_scope) || !s.tos.fits(head.rtm_tos)) return false;
    if (s.types && !(s.types >> (head.rtm_type & 31) & 1)) return false;
    if (!fits(s.root, s.match, family, route.payload(RTA_DST), head.rtm_dst_len)) return false;
    if (!fits(s.from_root, s.from_match, family, route.payload(RTA_SRC), head.rtm_src_len)) return false;
    if (!goes_via(route, family, s.via)) return false;
    if (s.source_address.family && (s.source_address.family != family || !same_prefix(route.payload(RTA_PREFSRC), s.source_address.bytes, s.source_address.bits))) return false;
    if (!s.realm.fits(route.value<u32>(RTA_FLOW)) || !s.in_link.fits(route.value<u32>(RTA_IIF)) || !s.mark.fits(route.value<u32>(RTA_MARK))) return false;
    if (s.out_link.mask && !leaves_by(route, s.out_link)) return false;
    auto const metric = route.value<u32>(RTA_PRIORITY);
    if (!s.metric.fits(metric)) return false;
    // The kernel's own last resort, which it does not give up.
    return !(family == AF_INET6 && head.rtm_dst_len == 0 && head.rtm_type == RTN_UNREACHABLE && metric == all_bits);
}

/// The route as it was listed. Of one that has a nexthop object the kernel lists the object's nexthops as well, but takes
/// only one of the two back.
void identify(MessageBuffer& out, nlmsghdr const& entry) {
    auto const* body = reinterpret_cast<std::byte const*>(&entry) + sizeof entry;
    if (!RouteAttributes(entry, sizeof(rtmsg))[RTA_NH_ID]) return out.put_raw(body, entry.nlmsg_len - sizeof entry);
    out.put_raw(body, sizeof(rtmsg));
    for_each_attribute(attributes_of(entry, sizeof(rtmsg)), [&](nlattr const& attribute) {
        switch (type_of(attribute)) {
            case RTA_OIF: case RTA_GATEWAY: case RTA_VIA: case RTA_MULTIPATH: case RTA_ENCAP: case RTA_ENCAP_TYPE: return;
            default: out.put(attribute.nla_type, payload_of(attribute).data(), payload_of(attribute).size());
        }
    });
}

}  // namespace

Table flush_routes_table() { return table; }

void flush_routes(Line& line) {
    if (line.done()) fail_missing(line, "what to flush, such as table main or dev DEVICE,");
    Selection s;
    Reader reader(table, s);
    while (!line.done()) {
        auto const& word = line.peek();
        if (abbreviates(word.text, "cached") || abbreviates(word.text, "cloned")) fail_cache(word);
        if (!reader.read_one(line)) read_to(line, s);
    }

    auto const family = line.family;
    flush(line, {.what = "routes",
                 .entry = RTM_NEWROUTE,
                 .deletion = RTM_DELROUTE,
                 .header = sizeof(rtmsg),
                 .ask =
                     [&](MessageBuffer& request, u32) {
                         auto& head = request.fixed_header<rtmsg>();
                         head.rtm_family = family == AF_UNSPEC && s.table ? u8{AF_INET} : family;
                         head.rtm_protocol = static_cast<u8>(s.protocol.value);
                         if (s.table) request.put(RTA_TABLE, s.table);
                         if (s.out_link.mask) request.put(RTA_OIF, s.out_link.value);
                     },
                 .question = RTM_GETROUTE,
                 .selects = [&](nlmsghdr const& entry, u32) { return selects(s, entry, family); },
                 .identify = identify});
}

}  // namespace nlstream::ip
