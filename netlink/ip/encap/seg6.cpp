// ip route ... encap seg6: segment routing over IPv6.
#include <linux/seg6_iptunnel.h>

#include "netlink/address.hpp"
#include "netlink/ip/encap/kinds.hpp"
#include "netlink/ip/encap/segments.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Seg6 {
    int mode = -1;  // SEG6_IPTUN_MODE_*
    Word const* segments = nullptr;
    u32 hmac = 0;
    std::optional<Address> source;
};

constexpr NamedValue modes[] = {
    {"inline", SEG6_IPTUN_MODE_INLINE},       {"encap", SEG6_IPTUN_MODE_ENCAP},             {"l2encap", SEG6_IPTUN_MODE_L2ENCAP},
    {"encap.red", SEG6_IPTUN_MODE_ENCAP_RED}, {"l2encap.red", SEG6_IPTUN_MODE_L2ENCAP_RED},
};

std::string_view before_mode(Seg6 const& s) { return s.mode < 0 ? "mode must come first" : ""; }
std::string_view no_outer_header(Seg6 const& s) { return s.mode == SEG6_IPTUN_MODE_INLINE ? "mode inline has no outer header" : before_mode(s); }

void read_source(Line& line, Seg6& s) {
    auto const& word = line.take("ADDRESS");
    s.source = read_address(word, AF_INET6);
    if (s.source->length != 16) fail_value(word, "an address", "an IPv6 address");
}
void read_segments(Line& line, Seg6& s) { s.segments = &line.take("ADDRESS[,ADDRESS...]"); }

constexpr Row rows[] = {
    {"mode",   "MODE",                 one_of(modes, {kept, 4, false, keep<&Seg6::mode>}), "Into the packet (inline), or around it (encap, l2encap; .red: without the first segment).", {}, true},
    {"tunsrc", "ADDRESS",              custom<read_source>,                                "The outer header's source address.", unless<no_outer_header>, true},
    {"segs",   "ADDRESS[,ADDRESS...]", custom<read_segments>,                              "The segments, the first one first. Required.", unless<before_mode>, true},
    {"hmac",   "KEY",                  U32(keep<&Seg6::hmac>),                             "Sign with the key of this number.", {}, true},
};
constexpr auto table = keywords<Seg6>(rows);

void read(Line& line) {
    Seg6 s;
    Reader(table, s).read_some(line);
    if (!s.segments) fail_use(line.last(), "segs ADDRESS[,ADDRESS...] is missing");
    auto const header = read_segment_routing(*s.segments, s.hmac, s.mode == SEG6_IPTUN_MODE_INLINE);
    std::array<u8, sizeof s.mode + sizeof header.bytes> tunnel;
    std::memcpy(tunnel.data(), &s.mode, sizeof s.mode);
    std::memcpy(tunnel.data() + sizeof s.mode, header.bytes.data(), header.length);
    line.out.source(s.segments->span);
    line.out.put(SEG6_IPTUNNEL_SRH, tunnel.data(), sizeof s.mode + header.length);
    line.source_keyword("tunsrc");
    if (s.source) line.out.put(uapi::SEG6_IPTUNNEL_SRC, s.source->bytes.data(), s.source->length);
}

}  // namespace

extern constinit EncapKind const seg6_encap = {{"encap", "seg6", "Segment routing over IPv6 (SRv6).", {{{"", table}}}}, LWTUNNEL_ENCAP_SEG6, read};

}  // namespace nlstream::ip
