// ip route ... encap ila: identifier-locator addressing.
#include <linux/ila.h>

#include "netlink/ip/encap/kinds.hpp"

namespace nlstream::ip {
namespace {

struct Ila {};

constexpr NamedValue checksum_modes[] = {
    {"adj-transport", ILA_CSUM_ADJUST_TRANSPORT}, {"neutral-map", ILA_CSUM_NEUTRAL_MAP}, {"neutral-map-auto", ILA_CSUM_NEUTRAL_MAP_AUTO}, {"no-action", ILA_CSUM_NO_ACTION}};
constexpr NamedValue identifier_types[] = {{"luid", ILA_ATYPE_LUID}, {"use-format", ILA_ATYPE_USE_FORMAT}};
constexpr NamedValue hooks[] = {{"output", ILA_HOOK_ROUTE_OUTPUT}, {"input", ILA_HOOK_ROUTE_INPUT}};

constexpr Row rows[] = {
    {"csum-mode",  "MODE", one_of(checksum_modes, {ILA_ATTR_CSUM_MODE, 1}),    "How checksums stay right."},
    {"ident-type", "TYPE", one_of(identifier_types, {ILA_ATTR_IDENT_TYPE, 1}), "What the identifier is."},
    {"hook-type",  "HOOK", one_of(hooks, {ILA_ATTR_HOOK_TYPE, 1}),             "Where addresses are translated: output or input."},
};
constexpr auto table = keywords<Ila>(rows);

/// Four groups of up to 16 bits in hexadecimal between colons; missing ones are zero.
u64 read_locator(Word const& word) {
    u64 locator = 0;
    auto rest = word.text;
    for (int shift = 0; shift < 64; shift += 16) {
        auto const colon = rest.find(':');
        auto const group = parse_number(rest.substr(0, colon), 0xffff, 16);
        if (!group) break;
        locator |= u64{big16(static_cast<u16>(*group))} << shift;
        if (colon == rest.npos) return locator;
        rest.remove_prefix(colon + 1);
    }
    fail_value(word, "a locator", "up to four groups in hexadecimal, such as 2001:db8:0:1");
}

void read(Line& line) {
    line.out.put(ILA_ATTR_LOCATOR, read_locator(line.take("LOCATOR")));
    Ila ila;
    Reader(table, ila).read_some(line);
}

}  // namespace

extern constinit EncapKind const ila_encap = {{"encap", "ila", "Identifier-locator addressing: LOCATOR, the upper half of the address.", {{{"", table}}}}, LWTUNNEL_ENCAP_ILA, read};

}  // namespace nlstream::ip
