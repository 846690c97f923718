// ip address ...: the addresses of links.
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>

#include "netlink/address.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/ip/kinds.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL}, {"change*|chg", RTM_NEWADDR, NLM_F_REPLACE}, {"replace*", RTM_NEWADDR, NLM_F_CREATE | NLM_F_REPLACE},
    {"delete*", RTM_DELADDR, 0},                      {"list*|show*|lst*"},                        {"save*"},
    {"showdump*"},                                    {"restore*"},                                {"flush*", RTM_DELADDR, 0},
};

constexpr u32 forever = 0xffffffff;  // seconds

// An address without a length ("any") may be given again.
struct InterfaceAddress {
    Word const* device = nullptr;
    Address local;
    Address peer;
    Address broadcast;
    Address anycast;
    char derived_broadcast = 0;  // '+': host bits set, '-': cleared
    bool scope = false;
    bool lifetime = false;
    u32 valid = forever;         // seconds
    u32 preferred = forever;     // seconds
    u32 flags = 0;               // IFA_F_*
};

ifaddrmsg& header(Line& line) { return line.out.value_at<ifaddrmsg>(sizeof(nlmsghdr)); }

std::string_view second_local(InterfaceAddress const& a) { return a.local.length ? "the address was given before" : ""; }
std::string_view second_peer(InterfaceAddress const& a) { return a.peer.length ? "the peer was given before" : ""; }
std::string_view second_broadcast(InterfaceAddress const& a) { return a.broadcast.length || a.derived_broadcast ? "the broadcast address was given before" : ""; }
std::string_view second_anycast(InterfaceAddress const& a) { return a.anycast.length ? "the anycast address was given before" : ""; }

/// The first address of a line decides its family.
void take_family(Line& line, Address const& address) {
    if (header(line).ifa_family == AF_UNSPEC) header(line).ifa_family = address.family;
}

void read_local(Line& line, InterfaceAddress& a) {
    a.local = read_prefix(line.take("ADDRESS"), header(line).ifa_family);
    take_family(line, a.local);
    line.out.put(IFA_LOCAL, a.local.bytes.data(), a.local.length);
}
void read_peer(Line& line, InterfaceAddress& a) {
    a.peer = read_prefix(line.take("ADDRESS"), header(line).ifa_family);
    take_family(line, a.peer);
    line.out.put(IFA_ADDRESS, a.peer.bytes.data(), a.peer.length);
    header(line).ifa_prefixlen = static_cast<u8>(a.peer.bits);
}
Address put_address(Line& line, u16 attribute) {
    auto const address = read_address(line.take("ADDRESS"), header(line).ifa_family);
    take_family(line, address);
    line.out.put(attribute, address.bytes.data(), address.length);
    return address;
}
void read_broadcast(Line& line, InterfaceAddress& a) {
    if (line.take_if("+")) a.derived_broadcast = '+';
    else if (line.take_if("-")) a.derived_broadcast = '-';
    else a.broadcast = put_address(line, IFA_BROADCAST);
}
void read_anycast(Line& line, InterfaceAddress& a) { a.anycast = put_address(line, IFA_ANYCAST); }
void read_device(Line& line, InterfaceAddress& a) { a.device = &line.take("a device"); }
void read_scope(Line& line, InterfaceAddress& a) {
    header(line).ifa_scope = static_cast<u8>(read_name(line, line.take("SCOPE"), Names::Of::scope));
    a.scope = true;
}
template <auto Member>
void read_lifetime(Line& line, InterfaceAddress& a) {
    a.*Member = line.take_if("forever") ? forever : static_cast<u32>(read_number(line.take("SECONDS")));
    a.lifetime = true;
}
template <u32 Flag>
void set_ipv6_flag(Line& line, InterfaceAddress& a) {
    // Where the line is not known to be about IPv6 yet, iproute2 warns and goes on.
    if (header(line).ifa_family == AF_INET6) a.flags |= Flag;
}
void ignore(Line&, InterfaceAddress&) {}

constexpr Row rows[] = {
    {"peer|remote",                    "ADDRESS[/BITS]", custom<read_peer>,      "The other end's address, on a point-to-point link.", unless<second_peer>},
    {"broadcast*|brd",                 "ADDRESS",        custom<read_broadcast>, "The broadcast address; + derives it with the host's bits set, - with them cleared.", unless<second_broadcast>},
    {"anycast",                        "ADDRESS",        custom<read_anycast>,   "The anycast address.", unless<second_anycast>},
    {"scope",                          "SCOPE",          custom<read_scope>,     "Where the address is valid (default: host for 127.0.0.0/8, else global)."},
    {"dev",                            "DEVICE",         custom<read_device>,    "The link. Required."},
    {"label",                          "NAME",           Text{IFA_LABEL, 1024},  "A name for the address (IPv4)."},
    {"metric*|priority*|preference*",  "N",              U32(IFA_RT_PRIORITY),   "The metric of the route to its prefix."},
    {"valid_lft*",                     "SECONDS",        custom<read_lifetime<&InterfaceAddress::valid>>,     "Remove the address after SECONDS, or keep it forever (default).", {}, true},
    {"preferred_lft*",                 "SECONDS",        custom<read_lifetime<&InterfaceAddress::preferred>>, "Do not use it for new connections after SECONDS; forever is the default.", {}, true},
    {"secondary|temporary|dadfailed|deprecated|tentative|permanent|stable-privacy", "", custom<ignore>, "Flags that only the kernel sets: accepted, without effect."},
    {"nodad",                          "",               custom<set_ipv6_flag<IFA_F_NODAD>>,          "Do not look for duplicates (IPv6, behind the address)."},
    {"optimistic",                     "",               custom<set_ipv6_flag<IFA_F_OPTIMISTIC>>,     "Use it while duplicates are looked for (IPv6, behind the address)."},
    {"home",                           "",               custom<set_ipv6_flag<IFA_F_HOMEADDRESS>>,    "A home address of Mobile IPv6 (behind the address)."},
    {"mngtmpaddr",                     "",               custom<set_ipv6_flag<IFA_F_MANAGETEMPADDR>>, "Make temporary addresses from it (IPv6, behind the address)."},
    {"noprefixroute",                  "",               set(add_bits<&InterfaceAddress::flags>, IFA_F_NOPREFIXROUTE), "Make no route to its prefix."},
    {"autojoin",                       "",               set(add_bits<&InterfaceAddress::flags>, IFA_F_MCAUTOJOIN),    "Join the multicast group of this address."},
    {"proto",                          "PROTOCOL",       Name{{IFA_PROTO, 1}, Names::Of::address_protocol}, "Who gave the address."},
    {"local",                          "ADDRESS[/BITS]", custom<read_local>,     "The address, with or without \"local\".", unless<second_local>},
};
constexpr auto table = keywords<InterfaceAddress>(rows);

bool is_multicast(Address const& a) { return a.family == AF_INET ? (a.bytes[0] & 0xf0) == 0xe0 : a.family == AF_INET6 && a.bytes[0] == 0xff; }

void put_derived_broadcast(Line& line, InterfaceAddress const& a, Address broadcast) {
    line.source_keyword("broadcast");
    if (header(line).ifa_family != AF_INET || broadcast.length != 4) fail_use(line.last(), "a broadcast address needs an IPv4 address");
    if (broadcast.bits > 30) return;
    for (auto bit = broadcast.bits; bit < 32; ++bit) {
        auto const mask = 0x80 >> bit % 8;
        auto& byte = broadcast.bytes[bit / 8];
        byte = static_cast<u8>(a.derived_broadcast == '+' ? byte | mask : byte & ~mask);
    }
    line.out.put(IFA_BROADCAST, broadcast.bytes.data(), broadcast.length);
}

void put_lifetime(Line& line, InterfaceAddress const& a) {
    line.source_keyword("valid_lft");
    if (a.valid == 0) fail_use(line.last(), "valid_lft must not be zero");
    if (a.valid < a.preferred) fail_use(line.last(), "preferred_lft is greater than valid_lft");
    line.out.put(IFA_CACHEINFO, ifa_cacheinfo{.ifa_prefered = a.preferred, .ifa_valid = a.valid, .cstamp = 0, .tstamp = 0});
}

}  // namespace

extern constinit KindInfo const address_info = {"ip", "address", "An address of a link.", {{{"", table}, {"flush", flush_addresses_table}}}};

void read_interface_address(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip address");
    if (verb.words == "flush*") return flush_addresses(line);
    bool const remove = verb.type == RTM_DELADDR;
    begin_request<ifaddrmsg>(line, verb.type, verb.flags).ifa_family = line.family;

    InterfaceAddress a;
    Reader reader(table, a);
    while (!line.done()) {
        if (reader.read_one(line)) continue;
        if (a.local.length) reader.fail_unknown(line);
        read_local(line, a);
    }
    if (!a.device) fail_missing(line, "dev DEVICE");

    if (a.flags <= 0xff) header(line).ifa_flags = static_cast<u8>(a.flags);
    else line.out.put(IFA_FLAGS, a.flags);
    // An IPv4 address without a length is deleted whatever its length is.
    bool const any_length = remove && a.local.family == AF_INET && !a.local.has_bits;
    if (a.peer.length == 0 && a.local.length && !any_length) {
        line.source_keyword("local");
        line.out.put(IFA_ADDRESS, a.local.bytes.data(), a.local.length);
    }
    if (header(line).ifa_prefixlen == 0) header(line).ifa_prefixlen = static_cast<u8>(a.local.bits);
    if (a.derived_broadcast && !remove) put_derived_broadcast(line, a, a.peer.length ? a.peer : a.local);
    if (!a.scope && !remove) header(line).ifa_scope = a.local.family == AF_INET && a.local.length && a.local.bytes[0] == 127 ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE;
    header(line).ifa_index = line.links.index(*a.device);
    if (a.lifetime) put_lifetime(line, a);
    if ((a.flags & IFA_F_MCAUTOJOIN) && !is_multicast(a.local)) fail_use(line.last(), "autojoin needs a multicast address");
    end_request(line);
}

}  // namespace nlstream::ip
