// ip link ... type vxlan: Ethernet in UDP, RFC 7348.
#include "netlink/ip/link/common.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Vxlan {
    OnceEach once;
    u32 vni = 0;
    u16 port = 0;
    bool learning = true;
    bool external = false;
    bool vnifilter = false;
    Address local;
    Address remote;  // or group
};

void read_vni(Line& line, Vxlan& v) { v.vni = static_cast<u32>(read_number(line.take("VNI"), 0, 0xffffff)); }

void read_group(Line& line, Vxlan& v) {
    if (is_ip(v.remote) && !is_multicast(v.remote)) fail_use(line.last(), "group and remote exclude each other");
    auto const& word = line.take("ADDRESS");
    v.once.mark(line, IFLA_VXLAN_GROUP);
    v.remote = read_address(word, v.local.family);
    if (!is_multicast(v.remote)) fail_value(word, "a group", "a multicast address");
}

void read_remote(Line& line, Vxlan& v) {
    if (is_multicast(v.remote)) fail_use(line.last(), "group and remote exclude each other");
    auto const& word = line.take("ADDRESS");
    v.once.mark(line, IFLA_VXLAN_GROUP);
    v.remote = read_host_address(word, v.local.family);
}
void read_local(Line& line, Vxlan& v) { v.local = read_host_address(line.take("ADDRESS"), v.remote.family); }

void read_dev(Line& line, Vxlan& v) {
    v.once.mark(line, IFLA_VXLAN_LINK);
    line.out.put(IFLA_VXLAN_LINK, line.take_device());
}

void read_ttl(Line& line, Vxlan&) {
    auto const& word = line.take("TTL");
    if (word.text == "inherit") return line.out.put_flag(IFLA_VXLAN_TTL_INHERIT);
    line.out.put(IFLA_VXLAN_TTL, word.text == "auto" ? u8{0} : static_cast<u8>(read_number(word, 0, 255)));
}
void read_vxlan_tos(Line& line, Vxlan&) { line.out.put(IFLA_VXLAN_TOS, read_tos(line)); }
void read_label(Line& line, Vxlan&) { line.out.put(IFLA_VXLAN_LABEL, read_encap_label(line)); }

constexpr NamedValue fragment_modes[] = {{"unset", VXLAN_DF_UNSET}, {"set", VXLAN_DF_SET}, {"inherit", VXLAN_DF_INHERIT}};
constexpr NamedValue none[] = {{"none", 0}};
constexpr NamedValue unlimited[] = {{"unlimited", 0}};

void read_source_ports(Line& line, Vxlan&) {
    ifla_vxlan_port_range range{};
    range.low = big16(static_cast<u16>(read_number(line.take("LOW"), 0, 0xffff)));
    range.high = big16(static_cast<u16>(read_number(line.take("HIGH"), 0, 0xffff)));
    if (range.low || range.high) line.out.put(IFLA_VXLAN_PORT_RANGE, range);
}
void read_port(Line& line, Vxlan& v) {
    v.once.mark(line, IFLA_VXLAN_PORT);
    v.port = static_cast<u16>(read_number(line.take("PORT"), 0, 0xffff));
}

template <bool On>
void read_learning(Line& line, Vxlan& v) {
    v.once.mark(line, IFLA_VXLAN_LEARNING);
    v.learning = On;
}
void read_external(Line& line, Vxlan& v) {
    put_switch<IFLA_VXLAN_COLLECT_METADATA, 1>(line, v);
    v.external = true;
    v.learning = false;
}
void read_gpe(Line& line, Vxlan& v) {
    v.once.mark(line, IFLA_VXLAN_GPE);
    line.out.put_flag(IFLA_VXLAN_GPE);
}
void read_vnifilter(Line& line, Vxlan& v) {
    put_switch<IFLA_VXLAN_VNIFILTER, 1>(line, v);
    v.vnifilter = true;
}

template <u16 Attribute, u8 Value>
constexpr Custom once = custom<put_switch<Attribute, Value, Vxlan>>;

// clang-format off
constexpr Row rows[] = {
    {"id*|vni*",          "VNI",      custom<read_vni>,                           "The network's number, 0 to 16777215.", {}, true},
    {"group*",            "ADDRESS",  custom<read_group>,                         "The multicast group of all members; needs dev."},
    {"remote*",           "ADDRESS",  custom<read_remote>,                        "Where packets for unknown addresses go."},
    {"local*",            "ADDRESS",  custom<read_local>,                         "The source address of packets.", {}, true},
    {"dev*",              "DEVICE",   custom<read_dev>,                           "The link that packets leave by."},
    {"ttl*|hoplimit*",    "TTL",      custom<read_ttl>,                           "TTL of packets: 1 to 255, auto, or inherit from the inner packet.", {}, true},
    {"tos*|dsfield*",     "TOS",      custom<read_vxlan_tos>,                     "TOS of packets, hexadecimal, or inherit from the inner packet.", {}, true},
    {"df*",               "MODE",     one_of(fragment_modes, {IFLA_VXLAN_DF, 1}), "Whether IPv4 packets may be fragmented: unset, set or inherit.", {}, true},
    {"label*|flowlabel*", "LABEL",    custom<read_label>,                         "IPv6 flow label of packets.", {}, true},
    {"ageing*",           "SECONDS",  Choice{{IFLA_VXLAN_AGEING, 4}, none, ~0u},  "How long a learned address is kept, or none: for ever.", {}, true},
    {"maxaddress*",       "COUNT",    Choice{{IFLA_VXLAN_LIMIT, 4}, unlimited, ~0u}, "The most addresses, or unlimited.", {}, true},
    {"port*|srcport*",    "LOW HIGH", custom<read_source_ports>,                  "Range of UDP source ports.", {}, true},
    {"dstport*",          "PORT",     custom<read_port>,                          "UDP destination port (the kernel's default is 8472, IANA's 4789)."},
    {"nolearning*",       "",         custom<read_learning<false>>,               "Do not learn addresses."},
    {"learning*",         "",         custom<read_learning<true>>,                "Learn addresses (default)."},
    {"noproxy*",          "",         once<IFLA_VXLAN_PROXY, 0>,                  "Pass ARP on (default)."},
    {"proxy*",            "",         once<IFLA_VXLAN_PROXY, 1>,                  "Answer ARP from what is known."},
    {"norsc*",            "",         once<IFLA_VXLAN_RSC, 0>,                    "No route short circuit (default)."},
    {"rsc*",              "",         once<IFLA_VXLAN_RSC, 1>,                    "Route short circuit: send routed packets straight to the host."},
    {"nol2miss*",         "",         once<IFLA_VXLAN_L2MISS, 0>,                 "Do not tell of unknown link-layer addresses (default)."},
    {"l2miss*",           "",         once<IFLA_VXLAN_L2MISS, 1>,                 "Tell of unknown link-layer addresses."},
    {"nol3miss*",         "",         once<IFLA_VXLAN_L3MISS, 0>,                 "Do not tell of unknown IP addresses (default)."},
    {"l3miss*",           "",         once<IFLA_VXLAN_L3MISS, 1>,                 "Tell of unknown IP addresses."},
    {"udpcsum*",          "",         once<IFLA_VXLAN_UDP_CSUM, 1>,               "UDP checksums over IPv4."},
    {"noudpcsum*",        "",         once<IFLA_VXLAN_UDP_CSUM, 0>,               "No UDP checksums over IPv4."},
    {"udp6zerocsumtx*",   "",         once<IFLA_VXLAN_UDP_ZERO_CSUM6_TX, 1>,      "No UDP checksums over IPv6."},
    {"noudp6zerocsumtx*", "",         once<IFLA_VXLAN_UDP_ZERO_CSUM6_TX, 0>,      "UDP checksums over IPv6."},
    {"udp6zerocsumrx*",   "",         once<IFLA_VXLAN_UDP_ZERO_CSUM6_RX, 1>,      "Take packets without UDP checksum over IPv6."},
    {"noudp6zerocsumrx*", "",         once<IFLA_VXLAN_UDP_ZERO_CSUM6_RX, 0>,      "Take no packets without UDP checksum over IPv6."},
    {"remcsumtx*",        "",         once<IFLA_VXLAN_REMCSUM_TX, 1>,             "Remote checksum offload when sending."},
    {"noremcsumtx*",      "",         once<IFLA_VXLAN_REMCSUM_TX, 0>,             "No remote checksum offload when sending."},
    {"remcsumrx*",        "",         once<IFLA_VXLAN_REMCSUM_RX, 1>,             "Remote checksum offload when receiving."},
    {"noremcsumrx*",      "",         once<IFLA_VXLAN_REMCSUM_RX, 0>,             "No remote checksum offload when receiving."},
    {"localbypass",       "",         once<uapi::IFLA_VXLAN_LOCALBYPASS, 1>,      "Packets to this host skip encapsulation (default)."},
    {"nolocalbypass",     "",         once<uapi::IFLA_VXLAN_LOCALBYPASS, 0>,      "Packets to this host are encapsulated, too."},
    {"reserved_bits",     "MASK",     Number{{uapi::IFLA_VXLAN_RESERVED_BITS, 8, true}, 0, no_limit}, "Bits of the VXLAN header that may be set.", {}, true},
    {"external*",         "",         custom<read_external>,                      "The remote end comes from routes, filters or the FDB, packet by packet."},
    {"noexternal*",       "",         once<IFLA_VXLAN_COLLECT_METADATA, 0>,       "The remote end is fixed (default)."},
    {"gbp*",              "",         Flag{IFLA_VXLAN_GBP},                       "Group policy extension.", {}, true},
    {"gpe*",              "",         custom<read_gpe>,                           "Generic protocol extension (default port then 4790)."},
    {"vnifilter",         "",         custom<read_vnifilter>,                     "Take only VNIs that are listed (bridge vni add); needs external."},
    {"novnifilter",       "",         once<IFLA_VXLAN_VNIFILTER, 0>,              "Take all VNIs (default)."},
    {"mcroute",           "",         once<uapi::IFLA_VXLAN_MC_ROUTE, 1>,         "Multicast packets are routed."},
    {"nomcroute",         "",         once<uapi::IFLA_VXLAN_MC_ROUTE, 0>,         "Multicast packets are sent out of dev (default)."},
};
// clang-format on
constexpr auto table = keywords<Vxlan>(rows);

void check(Line& line, Vxlan& v, bool has_vni) {
    if (!v.external && v.vnifilter) fail_use(line.last(), "vnifilter needs external");
    if (v.external && has_vni) fail_use(line.last(), "external and id exclude each other");
    if (!v.external && !has_vni && !changes(line)) fail_missing(line, "id VNI");
    if (is_multicast(v.remote) && !v.once.has(IFLA_VXLAN_LINK)) fail_missing(line, "dev DEVICE, which a group needs,");
}

void put_addresses(Line& line, Vxlan const& v) {
    line.source_keyword("local");
    if (is_ip(v.local)) line.out.put(v.local.family == AF_INET ? IFLA_VXLAN_LOCAL : IFLA_VXLAN_LOCAL6, v.local.bytes.data(), v.local.length);
    line.source_keyword(is_multicast(v.remote) ? "group" : "remote");
    if (is_ip(v.remote)) return line.out.put(v.remote.family == AF_INET ? IFLA_VXLAN_GROUP : IFLA_VXLAN_GROUP6, v.remote.bytes.data(), v.remote.length);
    if (is_ip(v.local)) return;
    // -4 and -6 decide what carries the packets where no address does.
    if (line.family == AF_INET) line.out.put(IFLA_VXLAN_GROUP, u32{0});
    if (line.family == AF_INET6) line.out.put(IFLA_VXLAN_GROUP6, std::array<u8, 16>{});
}

void read(Line& line) {
    Vxlan v;
    Reader reader(table, v);
    reader.read_all(line);
    bool const has_vni = reader.seen("id");
    check(line, v, has_vni);
    if (!v.once.has(IFLA_VXLAN_PORT) && v.once.has(IFLA_VXLAN_GPE)) v.port = 4790;

    line.source_keyword("id");
    if (has_vni) line.out.put(IFLA_VXLAN_ID, v.vni);
    put_addresses(line, v);
    line.source_keyword("learning");
    if (!changes(line) || v.once.has(IFLA_VXLAN_LEARNING)) line.out.put(IFLA_VXLAN_LEARNING, u8{v.learning});
    line.source_keyword("dstport");
    if (v.port) line.out.put(IFLA_VXLAN_PORT, big16(v.port));
}

}  // namespace

extern constinit LinkKind const vxlan_link = {{"link", "vxlan", "Ethernet in UDP (RFC 7348).", {{{"", table}}}}, read};

}  // namespace nlstream::ip
