#include "netlink/tc/action/pedit.hpp"

namespace nlstream::tc::pedit {
namespace {

constexpr auto eth = TCA_PEDIT_KEY_EX_HDR_TYPE_ETH, ip4 = TCA_PEDIT_KEY_EX_HDR_TYPE_IP4, ip6 = TCA_PEDIT_KEY_EX_HDR_TYPE_IP6;
constexpr auto tcp = TCA_PEDIT_KEY_EX_HDR_TYPE_TCP, udp = TCA_PEDIT_KEY_EX_HDR_TYPE_UDP;

template <Field What>
void read_field(Line& line, Pedit& pedit) {
    read_change(line, pedit, What);
}
template <Field What>
constexpr Custom field = custom<read_field<What>>;

/// A byte of which only these bits are the field's.
constexpr Field bits_of(pedit_header_type header, u32 offset, u32 retain) { return {header, offset, 1, Form::number, retain}; }
constexpr Field byte_of(pedit_header_type header, u32 offset) { return bits_of(header, offset, 0xff); }
constexpr Field short_of(pedit_header_type header, u32 offset) { return {header, offset, 2, Form::number, 0xffff}; }
constexpr Field hops_of(pedit_header_type header, u32 offset) { return {header, offset, 1, Form::number, 0xff, true}; }

std::string_view in_extended(Pedit const& p) { return p.extended ? "with \"pedit ex\" this is a field of tcp or udp" : ""; }
std::string_view without_ex(Pedit const& p) { return p.extended ? "" : "it needs \"pedit ex\""; }

constexpr Row ip_rows[] = {
    {"src",          "CHANGE", field<Field{ip4, 12, 4, Form::ipv4}>, "The source address."},
    {"dst",          "CHANGE", field<Field{ip4, 16, 4, Form::ipv4}>, "The destination address."},
    {"tos|dsfield*", "CHANGE", field<byte_of(ip4, 1)>,               "The type of service."},
    {"ihl",          "CHANGE", field<bits_of(ip4, 0, 0x0f)>,         "The header's length."},
    {"ttl",          "CHANGE", field<hops_of(ip4, 8)>,               "The time to live."},
    {"protocol",     "CHANGE", field<byte_of(ip4, 9)>,               "The protocol, a number."},
    {"precedence*",  "CHANGE", field<byte_of(ip4, 1)>,               "The type of service."},
    {"nofrag",       "CHANGE", field<bits_of(ip4, 6, 0x3f)>,         "The byte of flags, without its two highest bits."},
    {"firstfrag",    "CHANGE", field<bits_of(ip4, 6, 0x1f)>,         "The high part of the fragment's offset."},
    {"ce",           "CHANGE", field<bits_of(ip4, 6, 0x80)>,         "The highest flag."},
    {"df",           "CHANGE", field<bits_of(ip4, 6, 0x40)>,         "The flag that forbids fragments."},
    {"mf",           "CHANGE", field<bits_of(ip4, 6, 0x20)>,         "The flag that tells of more fragments."},
    {"dport",        "CHANGE", field<short_of(ip4, 22)>,             "The destination port, if the header has no options.", unless<in_extended>},
    {"sport",        "CHANGE", field<short_of(ip4, 20)>,             "The source port, if the header has no options.", unless<in_extended>},
    {"icmp_type",    "CHANGE", field<byte_of(ip4, 20)>,              "ICMP's type, if the header has no options.", unless<in_extended>},
    {"icmp_code",    "CHANGE", field<byte_of(ip4, 20)>,              "The same byte as icmp_type, as in iproute2.", unless<in_extended>},
};
constexpr auto ip_table = keywords<Pedit>(ip_rows);

constexpr Row ip6_rows[] = {
    {"src",           "CHANGE", field<Field{ip6, 8, 16, Form::ipv6}>,              "The source address."},
    {"dst",           "CHANGE", field<Field{ip6, 24, 16, Form::ipv6}>,             "The destination address."},
    {"flow_lbl",      "CHANGE", field<Field{ip6, 0, 4, Form::number, 0x0007ffff}>, "The flow label's lower 19 bits."},
    {"payload_len",   "CHANGE", field<short_of(ip6, 4)>,                           "The length of what follows the header."},
    {"nexthdr",       "CHANGE", field<byte_of(ip6, 6)>,                            "The next header, a number."},
    {"hoplimit",      "CHANGE", field<hops_of(ip6, 7)>,                            "The hop limit."},
    {"traffic_class", "CHANGE", field<Field{ip6, 1, 1, Form::number, 0xff, false, 4}>, "The traffic class."},
};
constexpr auto ip6_table = keywords<Pedit>(ip6_rows);

constexpr Row eth_rows[] = {
    {"type", "CHANGE", field<short_of(eth, 12)>,             "The EtherType, a number."},
    {"dst",  "CHANGE", field<Field{eth, 0, 6, Form::mac}>,   "The destination address."},
    {"src",  "CHANGE", field<Field{eth, 6, 6, Form::mac}>,   "The source address."},
};
constexpr auto eth_table = keywords<Pedit>(eth_rows);

constexpr Row tcp_rows[] = {
    {"sport", "CHANGE", field<short_of(tcp, 0)>, "The source port."},
    {"dport", "CHANGE", field<short_of(tcp, 2)>, "The destination port."},
    {"flags", "CHANGE", field<byte_of(tcp, 13)>, "The flags, a number."},
};
constexpr auto tcp_table = keywords<Pedit>(tcp_rows);

constexpr Row udp_rows[] = {
    {"sport", "CHANGE", field<short_of(udp, 0)>, "The source port."},
    {"dport", "CHANGE", field<short_of(udp, 2)>, "The destination port."},
};
constexpr auto udp_table = keywords<Pedit>(udp_rows);

void read_field_of(Line& line, Pedit& pedit, Table const& fields) {
    Reader reader(fields, pedit);
    if (line.done()) fail_missing(line, "a field of the header and what to do with it");
    if (!reader.read_one(line)) reader.fail_unknown(line);
}
void read_ip(Line& line, Pedit& p) { read_field_of(line, p, ip_table); }
void read_ip6(Line& line, Pedit& p) { read_field_of(line, p, ip6_table); }
void read_eth(Line& line, Pedit& p) { read_field_of(line, p, eth_table); }
void read_tcp(Line& line, Pedit& p) { read_field_of(line, p, tcp_table); }
void read_udp(Line& line, Pedit& p) { read_field_of(line, p, udp_table); }

/// "OFFSET u8|u16|u32 [at AT OFFMASK SHIFT] CHANGE".
void read_offset(Line& line, Pedit& pedit) {
    auto const& offset_word = line.take("OFFSET");
    auto const offset = static_cast<u32>(read_signed(offset_word, -2147483648LL, 2147483647));
    static constexpr NamedValue widths[] = {{"u32*", 4}, {"u16*", 2}, {"u8*", 1}};
    auto const width = static_cast<u32>(read_choice(line.take("WIDTH"), widths, "offset"));
    if ((offset & 3) + width > 4) fail_use(offset_word, "a u32 starts at a multiple of 4, and no number reaches beyond the next one");
    tc_pedit_key base{};
    if (line.take_if_abbreviates("at")) {
        base.at = static_cast<u32>(read_number(line.take("AT")));
        base.offmask = static_cast<u32>(read_number(line.take("OFFMASK"), 0, 0xffffffff, 16));
        base.shift = static_cast<u32>(read_number(line.take("SHIFT")));
    }
    read_change(line, pedit, {TCA_PEDIT_KEY_EX_HDR_TYPE_NETWORK, offset, width, Form::number, width == 4 ? ~0u : (1u << 8 * width) - 1}, base);
}

constexpr Row header_rows[] = {
    {"offset*", "OFFSET u8|u16|u32 [at AT OFFMASK SHIFT] CHANGE", custom<read_offset>,
     "The number OFFSET bytes into the packet, moved on by (the byte at AT & OFFMASK, hexadecimal) >> SHIFT."},
    {"ip",  "FIELD CHANGE", custom<read_ip>,  "A field of the IPv4 header."},
    {"ip6", "FIELD CHANGE", custom<read_ip6>, "A field of the IPv6 header; with ex.", unless<without_ex>},
    {"eth", "FIELD CHANGE", custom<read_eth>, "A field of the Ethernet header; with ex.", unless<without_ex>},
    {"tcp", "FIELD CHANGE", custom<read_tcp>, "A field of the TCP header; with ex.", unless<without_ex>},
    {"udp", "FIELD CHANGE", custom<read_udp>, "A field of the UDP header; with ex.", unless<without_ex>},
};
constexpr auto header_table = keywords<Pedit>(header_rows);

}  // namespace

void read_munge(Line& line, Pedit& pedit) {
    Reader reader(header_table, pedit);
    if (line.done()) fail_missing(line, "a header such as ip, or offset OFFSET");
    if (!reader.read_one(line)) reader.fail_unknown(line);
}

Table headers() { return header_table; }
Table ip_fields() { return ip_table; }
Table ip6_fields() { return ip6_table; }
Table eth_fields() { return eth_table; }
Table tcp_fields() { return tcp_table; }
Table udp_fields() { return udp_table; }

}  // namespace nlstream::tc::pedit
