#include "netlink/tc/filter/u32_selector.hpp"

#include <bit>

#include "netlink/address.hpp"

namespace nlstream::tc {
namespace {

constexpr s64 int_min = -2147483648LL, int_max = 2147483647;

/// Adds a key (value and mask in network order), or joins it to the one for the same word of the packet.
void add_key(Selector& s, Word const& word, u32 value, u32 mask, KeyPlace at) {
    value &= mask;
    auto& count = s.nkeys;
    for (std::size_t i = 0; i < count; ++i) {
        auto& key = s.keys[i];
        if (key.off != at.offset || key.offmask != at.next_header) continue;
        if ((value ^ key.val) & mask & key.mask) fail_use(word, "another match wants another value at the same place");
        key.val |= value;
        key.mask |= mask;
        return;
    }
    if (count == s.keys.size()) fail_use(word, "a filter has at most 128 words to match");
    if (at.offset % 4) fail_use(word, "32-bit words begin at multiples of 4");
    s.keys[count++] = {.mask = mask, .val = value, .off = at.offset, .offmask = at.next_header};
}

/// The same for a key of 8, 16 or 32 bits, host order, at its place in the 32-bit word around it.
void add_part(Selector& s, Word const& word, int bits, u32 value, u32 mask, KeyPlace at) {
    int shift = 0;
    // An odd place of 16 bits means the second half of the word, as in iproute2.
    if (bits == 16) shift = at.offset % 4 == 0 ? 16 : 0;
    if (bits == 8) shift = 24 - 8 * (at.offset & 3);
    if (bits != 32) at.offset &= ~3;
    add_key(s, word, big32(value << shift), big32(mask << shift), at);
}

/// Reads "at OFFSET", "at nexthdr+OFFSET" or "at nexthdr+ OFFSET" if it comes next.
void read_place_if(Line& line, KeyPlace& at) {
    constexpr std::string_view next_header = "nexthdr+";
    if (!line.take_if("at")) return;
    auto word = line.take("OFFSET");
    if (word.text.starts_with(next_header) && word.text.size() > next_header.size()) {
        at.next_header = -1;
        word.text.remove_prefix(next_header.size());
        word.span.begin += static_cast<u32>(next_header.size());
    } else if (abbreviates(word.text, next_header)) {
        at.next_header = -1;
        word = line.take("OFFSET");
    }
    at.offset = static_cast<int>(read_signed(word, int_min, int_max));
}

/// VALUE of any base, MASK in hexadecimal, and perhaps a place.
template <int Bits, int Offset, int NextHeader = 0>
void read_number_field(Line& line, Selector& s) { read_u32_key(line, s, Bits, 16, {Offset, NextHeader}); }

/// A fixed value of the 16 bits that hold IPv4's fragment flags and offset.
template <u32 Value, u32 Mask>
void read_fragment(Line& line, Selector& s) { add_part(s, line.last(), 16, Value, Mask, {6}); }

template <u8 Family, int Offset>
void read_address_field(Line& line, Selector& s) {
    auto const& word = line.take("PREFIX");
    auto const prefix = read_prefix(word, Family);
    KeyPlace at{Offset};
    read_place_if(line, at);
    auto const bits = static_cast<int>(prefix.bits);
    // An IPv4 prefix of no bits is a key that always matches, an IPv6 prefix none.
    int const words = Family == AF_INET ? 1 : (bits + 31) / 32;
    for (int i = 0; i < words; ++i, at.offset += 4) {
        u32 value;
        std::memcpy(&value, &prefix.bytes[static_cast<std::size_t>(i) * 4], sizeof value);
        int const ones = std::min(bits - 32 * i, 32);
        add_key(s, word, value, ones ? big32(~u32{0} << (32 - ones)) : 0, at);
    }
}

/// The traffic class, which lies across two bytes.
void read_traffic_class(Line& line, Selector& s) {
    constexpr int shift = 20;
    auto const& word = line.take("VALUE");
    auto const value = static_cast<u32>(read_number(word, 0, 0xff));
    auto const mask = static_cast<u32>(read_number(line.take("MASK"), 0, 0xff, 16));
    add_key(s, word, big32(value << shift), big32(mask << shift), {0});
}

template <int Offset>
void read_mac_field(Line& line, Selector& s) {
    auto const& word = line.take("MAC");
    auto const mac = read_mac(word);
    KeyPlace at{Offset};
    read_place_if(line, at);
    for (auto const byte : mac) {
        add_part(s, word, 8, byte, 0xff, at);
        ++at.offset;
    }
}

void read_mark(Line& line, Selector&) {
    auto const& word = line.take("VALUE");
    tc_u32_mark mark{};
    mark.val = static_cast<u32>(read_number(word));
    mark.mask = static_cast<u32>(read_number(line.take("MASK")));
    if (mark.val & ~mark.mask) fail_use(word, "it has bits that the mask has not, and never matches");
    line.out.put(TCA_U32_MARK, mark);
}

constexpr Row ip_rows[] = {
    {"src",       "PREFIX",     custom<read_address_field<AF_INET, 12>>, "The source address."},
    {"dst",       "PREFIX",     custom<read_address_field<AF_INET, 16>>, "The destination address."},
    {"tos|dsfield*|precedence*", "VALUE MASK", custom<read_number_field<8, 1>>, "The type of service."},
    {"ihl",       "VALUE MASK", custom<read_number_field<8, 0>>,   "The version and length of the header, in one byte."},
    {"protocol",  "VALUE MASK", custom<read_number_field<8, 9>>,   "The protocol's number."},
    {"nofrag",    "",           custom<read_fragment<0, 0x3fff>>,  "Packets that are not fragmented."},
    {"firstfrag", "",           custom<read_fragment<0x2000, 0x3fff>>, "First fragments."},
    {"df",        "",           custom<read_fragment<0x4000, 0x4000>>, "Packets that must not be fragmented."},
    {"mf",        "",           custom<read_fragment<0x2000, 0x2000>>, "Fragments that others follow."},
    {"dport",     "VALUE MASK", custom<read_number_field<16, 22>>, "The destination port, behind a header of 20 bytes."},
    {"sport",     "VALUE MASK", custom<read_number_field<16, 20>>, "The source port, behind a header of 20 bytes."},
    {"icmp_type", "VALUE MASK", custom<read_number_field<8, 20>>,  "The ICMP type, behind a header of 20 bytes."},
    {"icmp_code", "VALUE MASK", custom<read_number_field<8, 21>>,  "The ICMP code, behind a header of 20 bytes."},
};
constexpr Row ip6_rows[] = {
    {"src",       "PREFIX",     custom<read_address_field<AF_INET6, 8>>,  "The source address."},
    {"dst",       "PREFIX",     custom<read_address_field<AF_INET6, 24>>, "The destination address."},
    {"priority",  "VALUE MASK", custom<read_traffic_class>,        "The traffic class."},
    {"protocol",  "VALUE MASK", custom<read_number_field<8, 6>>,   "The number of the next header."},
    {"flowlabel", "VALUE MASK", custom<read_number_field<32, 0>>,  "The flow label, in the first four bytes."},
    {"dport",     "VALUE MASK", custom<read_number_field<16, 42>>, "The destination port, directly behind the header."},
    {"sport",     "VALUE MASK", custom<read_number_field<16, 40>>, "The source port, directly behind the header."},
    {"icmp_type", "VALUE MASK", custom<read_number_field<8, 40>>,  "The ICMPv6 type, directly behind the header."},
    // The odd place of next_header is iproute2's; the kernel reads it as 0, since headers begin at multiples of 4.
    {"icmp_code", "VALUE MASK", custom<read_number_field<8, 41, 1>>, "The ICMPv6 code, directly behind the header."},
};
constexpr Row port_rows[] = {
    {"src", "VALUE MASK", custom<read_number_field<16, 0, -1>>, "The source port, in the next header."},
    {"dst", "VALUE MASK", custom<read_number_field<16, 2, -1>>, "The destination port, in the next header."},
};
constexpr Row icmp_rows[] = {
    {"type", "VALUE MASK", custom<read_number_field<8, 0, -1>>, "The ICMP type, in the next header."},
    {"code", "VALUE MASK", custom<read_number_field<8, 1, -1>>, "The ICMP code, in the next header."},
};
constexpr Row ether_rows[] = {
    {"src", "MAC", custom<read_mac_field<-8>>,  "The source MAC address."},
    {"dst", "MAC", custom<read_mac_field<-14>>, "The destination MAC address."},
};
constexpr auto ip_table = keywords<Selector>(ip_rows), ip6_table = keywords<Selector>(ip6_rows);
constexpr auto port_table = keywords<Selector>(port_rows), icmp_table = keywords<Selector>(icmp_rows), ether_table = keywords<Selector>(ether_rows);

template <auto const& Fields>
void read_field(Line& line, Selector& s) {
    if (line.done()) line.take("a field");
    Reader reader(Fields, s);
    if (!reader.read_one(line)) reader.fail_unknown(line);
}

constexpr Row match_rows[] = {
    {"u32*",   "VALUE MASK at OFFSET", custom<read_number_field<32, 0>>, "Four bytes at OFFSET of the network header, or at nexthdr+OFFSET; MASK in hexadecimal."},
    {"u16*",   "VALUE MASK at OFFSET", custom<read_number_field<16, 0>>, "Two bytes."},
    {"u8*",    "VALUE MASK at OFFSET", custom<read_number_field<8, 0>>,  "One byte."},
    {"ip*",    "FIELD ...",            custom<read_field<ip_table>>,     "A field of IPv4."},
    {"ip6*",   "FIELD ...",            custom<read_field<ip6_table>>,    "A field of IPv6."},
    {"udp*",   "FIELD ...",            custom<read_field<port_table>>,   "A field of UDP, at the next header."},
    {"tcp*",   "FIELD ...",            custom<read_field<port_table>>,   "A field of TCP, at the next header."},
    {"icmp*",  "FIELD ...",            custom<read_field<icmp_table>>,   "A field of ICMP, at the next header."},
    {"mark*",  "VALUE MASK",           custom<read_mark>,                "The firewall mark."},
    {"ether*", "FIELD ...",            custom<read_field<ether_table>>,  "A field of the Ethernet header."},
};
constexpr auto match_table = keywords<Selector>(match_rows);

}  // namespace

Table u32_match_table() { return match_table; }
Table u32_ip_table() { return ip_table; }
Table u32_ip6_table() { return ip6_table; }
Table u32_port_table() { return port_table; }
Table u32_icmp_table() { return icmp_table; }
Table u32_ether_table() { return ether_table; }

void read_u32_key(Line& line, Selector& selector, int bits, int mask_base, KeyPlace place) {
    auto const max = (u64{1} << bits) - 1;
    auto const& word = line.take("VALUE");
    auto const value = static_cast<u32>(read_number(word, 0, max));
    auto const mask = static_cast<u32>(read_number(line.take("MASK"), 0, max, mask_base));
    read_place_if(line, place);
    add_part(selector, word, bits, value, mask, place);
}

void read_u32_match(Line& line, Selector& selector) { read_field<match_table>(line, selector); }

void put_selector(Line& line, Selector const& selector) {
    tc_u32_sel head{};
    head.flags = selector.flags;
    head.offshift = selector.offshift;
    head.nkeys = selector.nkeys;
    head.offmask = selector.offmask;
    head.off = selector.off;
    head.offoff = selector.offoff;
    head.hoff = selector.hoff;
    head.hmask = selector.hmask;
    line.out.nest(TCA_U32_SEL, [&] {
        line.out.put_raw(&head, sizeof head);
        line.out.put_raw(selector.keys.data(), selector.nkeys * sizeof selector.keys[0]);
    });
}

}  // namespace nlstream::tc
