// ip link ... type geneve: Ethernet in UDP with options, RFC 8926.
#include "netlink/ip/link/common.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Geneve {
    OnceEach once;
    u32 vni = 0;
    u32 label = 0;  // network order
    u16 port = 0;
    u8 ttl = 0;
    u8 tos = 0;
    bool external = false;
    bool inherits_protocol = false;
    bool checksum = false;          // UDP, over IPv4
    bool zero_checksum_out = false; // UDP, over IPv6
    bool zero_checksum_in = false;
    Address local, remote;
};

void read_geneve_remote(Line& line, Geneve& g) { g.remote = read_host_address(line.take("ADDRESS"), AF_UNSPEC); }
void read_geneve_local(Line& line, Geneve& g) { g.local = read_host_address(line.take("ADDRESS"), AF_UNSPEC); }

void read_ttl(Line& line, Geneve& g) {
    g.once.mark(line, IFLA_GENEVE_TTL);
    auto const& word = line.take("TTL");
    if (word.text == "inherit") line.out.put(IFLA_GENEVE_TTL_INHERIT, u8{1});
    else if (word.text != "auto") g.ttl = static_cast<u8>(read_number(word, 0, 255));
}
void read_geneve_tos(Line& line, Geneve& g) {
    g.once.mark(line, IFLA_GENEVE_TOS);
    g.tos = read_tos(line);
}
void read_label(Line& line, Geneve& g) {
    g.once.mark(line, IFLA_GENEVE_LABEL);
    g.label = read_encap_label(line);
}

constexpr NamedValue fragment_modes[] = {{"unset", GENEVE_DF_UNSET}, {"set", GENEVE_DF_SET}, {"inherit", GENEVE_DF_INHERIT}};

template <u16 Attribute, bool Geneve::*Member, bool Value>
void read_switch(Line& line, Geneve& g) {
    g.once.mark(line, Attribute);
    g.*Member = Value;
}

// clang-format off
constexpr Row rows[] = {
    {"id*|vni*",          "VNI",     U32(keep<&Geneve::vni>).in(0, 0xffffff),      "The network's number, 0 to 16777215.", {}, true},
    {"remote*",           "ADDRESS", custom<read_geneve_remote>,                   "The other end.", {}, true},
    {"local",             "ADDRESS", custom<read_geneve_local>,                    "This end.", {}, true},
    {"ttl*|hoplimit*",    "TTL",     custom<read_ttl>,                             "TTL of packets: 1 to 255, auto (default), or inherit from the inner packet."},
    {"tos*|dsfield*",     "TOS",     custom<read_geneve_tos>,                      "TOS of packets, hexadecimal, or inherit from the inner packet."},
    {"df*",               "MODE",    one_of(fragment_modes, {IFLA_GENEVE_DF, 1}),  "Whether IPv4 packets may be fragmented: unset, set or inherit.", {}, true},
    {"label*|flowlabel*", "LABEL",   custom<read_label>,                           "IPv6 flow label of packets."},
    {"dstport*",          "PORT",    U16(keep<&Geneve::port>),                     "UDP destination port (default 6081).", {}, true},
    {"external*",         "",        custom<read_switch<IFLA_GENEVE_COLLECT_METADATA, &Geneve::external, true>>,            "The other end comes from routes or filters, packet by packet."},
    {"noexternal*",       "",        custom<read_switch<IFLA_GENEVE_COLLECT_METADATA, &Geneve::external, false>>,           "The other end is fixed (default)."},
    {"udpcsum*",          "",        custom<read_switch<IFLA_GENEVE_UDP_CSUM, &Geneve::checksum, true>>,                    "UDP checksums over IPv4."},
    {"noudpcsum*",        "",        custom<read_switch<IFLA_GENEVE_UDP_CSUM, &Geneve::checksum, false>>,                   "No UDP checksums over IPv4."},
    {"udp6zerocsumtx*",   "",        custom<read_switch<IFLA_GENEVE_UDP_ZERO_CSUM6_TX, &Geneve::zero_checksum_out, true>>,  "No UDP checksums over IPv6."},
    {"noudp6zerocsumtx*", "",        custom<read_switch<IFLA_GENEVE_UDP_ZERO_CSUM6_TX, &Geneve::zero_checksum_out, false>>, "UDP checksums over IPv6."},
    {"udp6zerocsumrx*",   "",        custom<read_switch<IFLA_GENEVE_UDP_ZERO_CSUM6_RX, &Geneve::zero_checksum_in, true>>,   "Take packets without UDP checksum over IPv6."},
    {"noudp6zerocsumrx*", "",        custom<read_switch<IFLA_GENEVE_UDP_ZERO_CSUM6_RX, &Geneve::zero_checksum_in, false>>,  "Take no packets without UDP checksum over IPv6."},
    {"innerprotoinherit", "",        set(keep<&Geneve::inherits_protocol>),        "IP packets travel without an Ethernet header.", {}, true},
};
// clang-format on
constexpr auto table = keywords<Geneve>(rows);

void put_ends(Line& line, Geneve const& g) {
    line.source_keyword("remote");
    if (g.remote.family) line.out.put(g.remote.family == AF_INET ? IFLA_GENEVE_REMOTE : IFLA_GENEVE_REMOTE6, g.remote.bytes.data(), g.remote.length);
    line.source_keyword("local");
    if (g.local.family) line.out.put(g.local.family == AF_INET ? uapi::IFLA_GENEVE_LOCAL : uapi::IFLA_GENEVE_LOCAL6, g.local.bytes.data(), g.local.length);
}

void put_switches(Line& line, Geneve const& g) {
    line.source_keyword("external");
    if (g.external) line.out.put_flag(IFLA_GENEVE_COLLECT_METADATA);
    line.source_keyword("innerprotoinherit");
    if (g.inherits_protocol) line.out.put_flag(IFLA_GENEVE_INNER_PROTO_INHERIT);
    line.source_keyword("udpcsum");
    if (g.once.has(IFLA_GENEVE_UDP_CSUM)) line.out.put(IFLA_GENEVE_UDP_CSUM, u8{g.checksum});
    line.source_keyword("udp6zerocsumtx");
    if (g.once.has(IFLA_GENEVE_UDP_ZERO_CSUM6_TX)) line.out.put(IFLA_GENEVE_UDP_ZERO_CSUM6_TX, u8{g.zero_checksum_out});
    line.source_keyword("udp6zerocsumrx");
    if (g.once.has(IFLA_GENEVE_UDP_ZERO_CSUM6_RX)) line.out.put(IFLA_GENEVE_UDP_ZERO_CSUM6_RX, u8{g.zero_checksum_in});
}

void read(Line& line) {
    Geneve g;
    Reader reader(table, g);
    reader.read_all(line);
    bool const has_vni = reader.seen("id");
    if (g.external && has_vni) fail_use(line.last(), "external and id exclude each other");
    if (!g.external && !has_vni) fail_missing(line, "id VNI");
    if (!g.external && !changes(line) && !g.remote.family) fail_missing(line, "remote ADDRESS");

    line.source_keyword("id");
    line.out.put(IFLA_GENEVE_ID, g.vni);
    put_ends(line, g);
    line.source_keyword("label");
    if (!changes(line) || g.once.has(IFLA_GENEVE_LABEL)) line.out.put(IFLA_GENEVE_LABEL, g.label);
    line.source_keyword("ttl");
    if (!changes(line) || g.once.has(IFLA_GENEVE_TTL)) line.out.put(IFLA_GENEVE_TTL, g.ttl);
    line.source_keyword("tos");
    if (!changes(line) || g.once.has(IFLA_GENEVE_TOS)) line.out.put(IFLA_GENEVE_TOS, g.tos);
    line.source_keyword("dstport");
    if (g.port) line.out.put(IFLA_GENEVE_PORT, big16(g.port));
    put_switches(line, g);
}

}  // namespace

extern constinit LinkKind const geneve_link = {{"link", "geneve", "Ethernet in UDP, with options (RFC 8926).", {{{"", table}}}}, read};

}  // namespace nlstream::ip
