// ip route ... encap ioam6: in-situ telemetry of IPv6 (RFC 9197, RFC 9486).
#include <linux/ioam6.h>
#include <linux/ioam6_iptunnel.h>

#include "netlink/address.hpp"
#include "netlink/ip/encap/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Ioam6 {
    u32 packets = IOAM6_IPTUNNEL_FREQ_MIN;
    u32 among = IOAM6_IPTUNNEL_FREQ_MIN;
    u8 mode = IOAM6_IPTUNNEL_MODE_INLINE;
    std::optional<Address> source;
    std::optional<Address> destination;
    u32 type = 0;
    u16 name_space = 0;
    u16 size = 0;  // bytes
};

constexpr NamedValue modes[] = {{"inline", IOAM6_IPTUNNEL_MODE_INLINE}, {"encap", IOAM6_IPTUNNEL_MODE_ENCAP}, {"auto", IOAM6_IPTUNNEL_MODE_AUTO}};

std::string_view no_outer_header(Ioam6 const& i) { return i.mode == IOAM6_IPTUNNEL_MODE_INLINE ? "mode inline has no outer header" : ""; }

void read_frequency(Line& line, Ioam6& i) {
    auto const& word = line.take("K/N");
    auto const parts = split_mask(word);
    if (!parts.mask) fail_value(word, "a frequency", "K/N");
    i.packets = static_cast<u32>(read_number(parts.value, IOAM6_IPTUNNEL_FREQ_MIN, IOAM6_IPTUNNEL_FREQ_MAX, 10));
    i.among = static_cast<u32>(read_number(*parts.mask, IOAM6_IPTUNNEL_FREQ_MIN, IOAM6_IPTUNNEL_FREQ_MAX, 10));
    if (i.packets > i.among) fail_range(word, "K packets of N, K at most N");
}
template <auto Member>
void read_end(Line& line, Ioam6& i) {
    auto const& word = line.take("ADDRESS");
    i.*Member = read_address(word, AF_INET6);
    if ((i.*Member)->length != 16) fail_value(word, "an address", "an IPv6 address");
}
void read_size(Line& line, Ioam6& i) {
    auto const& word = line.take("BYTES");
    i.size = static_cast<u16>(read_number(word, 4, IOAM6_TRACE_DATA_SIZE_MAX));
    if (i.size % 4) fail_range(word, "a multiple of 4");
}

// These come first, in this order.
constexpr Row head_rows[] = {
    {"freq",   "K/N",     custom<read_frequency>,                              "Trace K packets of N (default 1/1)."},
    {"mode",   "MODE",    one_of(modes, {kept, 1, false, keep<&Ioam6::mode>}), "Into the packet (inline, the default), around it (encap), or what fits (auto)."},
    {"tunsrc", "ADDRESS", custom<read_end<&Ioam6::source>>,                    "The outer header's source address.", unless<no_outer_header>},
    {"tundst", "ADDRESS", custom<read_end<&Ioam6::destination>>,               "The outer header's destination. Required, except for inline.", unless<no_outer_header>},
};
constexpr auto head_table = keywords<Ioam6>(head_rows);

constexpr Row trace_rows[] = {
    {"type", "BITS",  U32(keep<&Ioam6::type>).in(1, 0xffffff), "What each node writes, 24 bits. Required.", {}, true},
    {"ns",   "ID",    U16(keep<&Ioam6::name_space>),           "The IOAM namespace. Required.", {}, true},
    {"size", "BYTES", custom<read_size>,                       "Room for what nodes write, a multiple of 4 up to 244. Required.", {}, true},
};
constexpr auto trace_table = keywords<Ioam6>(trace_rows);

void read(Line& line) {
    Ioam6 i;
    for (auto const& row : head_rows)
        if (line.at(row.words)) Reader(head_table, i).read_one(line);
    if (i.mode != IOAM6_IPTUNNEL_MODE_INLINE && !i.destination) fail_use(line.done() ? line.last() : line.peek(), "tundst ADDRESS was expected");
    for (std::string_view const wanted : {"trace", "prealloc"})
        if (auto const& word = line.take(wanted); word.text != wanted) fail_use(word, "expected " + std::string(wanted));
    Reader reader(trace_table, i);
    reader.read_some(line);
    for (auto const& row : trace_rows)
        if (!reader.seen(row.words)) fail_use(line.last(), std::string(row.words) + ' ' + std::string(row.argument) + " is missing");

    ioam6_trace_hdr trace{};
    trace.namespace_id = big16(i.name_space);
    trace.remlen = static_cast<u8>(i.size / 4) & 0x7f;
    trace.type_be32 = big32(i.type << 8);
    line.out.put(IOAM6_IPTUNNEL_FREQ_K, i.packets);
    line.out.put(IOAM6_IPTUNNEL_FREQ_N, i.among);
    line.out.put(IOAM6_IPTUNNEL_MODE, i.mode);
    if (i.source) line.out.put(uapi::IOAM6_IPTUNNEL_SRC, i.source->bytes.data(), i.source->length);
    if (i.destination) line.out.put(IOAM6_IPTUNNEL_DST, i.destination->bytes.data(), i.destination->length);
    line.out.put(IOAM6_IPTUNNEL_TRACE, &trace, sizeof trace);
}

}  // namespace

extern constinit EncapKind const ioam6_encap = {
    {"encap", "ioam6", "In-situ telemetry of IPv6: a trace that nodes write into the packet.", {{{"", head_table}, {"trace prealloc", trace_table}}}}, LWTUNNEL_ENCAP_IOAM6, read};

}  // namespace nlstream::ip
