#include "netlink/tc/filter/flower_values.hpp"

#include <linux/pkt_cls.h>
#include <linux/ppp_defs.h>

#include <algorithm>
#include <array>

#include "netlink/address.hpp"
#include "netlink/parts.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

constexpr NamedValue connection_states[] = {
    {"trk", TCA_FLOWER_KEY_CT_FLAGS_TRACKED}, {"new", TCA_FLOWER_KEY_CT_FLAGS_NEW},     {"est", TCA_FLOWER_KEY_CT_FLAGS_ESTABLISHED},
    {"rel", TCA_FLOWER_KEY_CT_FLAGS_RELATED}, {"inv", TCA_FLOWER_KEY_CT_FLAGS_INVALID}, {"rpl", TCA_FLOWER_KEY_CT_FLAGS_REPLY},
};

constexpr NamedValue ppp_protocols[] = {
    {"ip", PPP_IP},           {"at", PPP_AT},           {"ipx", PPP_IPX},         {"vjc_comp", PPP_VJC_COMP}, {"vjc_uncomp", PPP_VJC_UNCOMP},
    {"mp", PPP_MP},           {"ipv6", PPP_IPV6},       {"compfrag", PPP_COMPFRAG}, {"comp", PPP_COMP},       {"mpls_uc", PPP_MPLS_UC},
    {"mpls_mc", PPP_MPLS_MC}, {"ipcp", PPP_IPCP},       {"atcp", PPP_ATCP},       {"ipxcp", PPP_IPXCP},       {"ipv6cp", PPP_IPV6CP},
    {"ccpfrag", PPP_CCPFRAG}, {"ccp", PPP_CCP},         {"mplscp", PPP_MPLSCP},   {"lcp", PPP_LCP},           {"pap", PPP_PAP},
    {"lqr", PPP_LQR},         {"chap", PPP_CHAP},       {"cbcp", PPP_CBCP},
};

/// One part of a tunnel's options: the attribute is its place, from 1.
struct Field {
    Integer to;  ///< width 0: bytes of any number
    int base;
};

constexpr std::size_t max_option_data = 1024;

void put_field(Line& line, Field const& field, Word const& part) {
    if (part.text.empty()) return;
    if (field.to.width == 0) {
        std::array<u8, max_option_data> bytes;
        auto const length = read_hex(part, bytes);
        return line.out.put(field.to.attribute, bytes.data(), length);
    }
    auto const max = field.to.width == 8 ? no_limit : (u64{1} << 8 * field.to.width) - 1;
    field.to.put(line, nullptr, read_number(part, 0, max, field.base));
}

void put_fields(Line& line, u16 nest, std::span<Field const> fields, Word const& word) {
    line.out.nest(nest, [&] {
        Parts parts(word, ':');
        for (auto const& field : fields) {
            put_field(line, field, parts.next());
            if (!parts.more()) return;
        }
        fail_use(parts.next(), "at most " + std::to_string(fields.size()) + " parts between colons");
    });
}

/// `nest`: the tunnel's attribute. `default_mask`: what counts when no mask is given.
void put_key_and_mask(Line& line, u16 nest, std::span<Field const> fields, Word const& word, std::string_view default_mask) {
    auto const [key, mask] = split_mask(word);
    line.out.nest(TCA_FLOWER_KEY_ENC_OPTS | NLA_F_NESTED, [&] { put_fields(line, nest, fields, key); });
    line.out.nest(TCA_FLOWER_KEY_ENC_OPTS_MASK | NLA_F_NESTED, [&] { put_fields(line, nest, fields, mask ? *mask : Word{default_mask, word.span}); });
}

void need_parts(Word const& word, std::ptrdiff_t count, std::string_view expected) {
    if (std::ranges::count(word.text, ':') + 1 < count) fail_value(word, "a tunnel option", expected);
}

constexpr Field geneve_fields[] = {
    {{TCA_FLOWER_KEY_ENC_OPT_GENEVE_CLASS, 2, true}, 16}, {{TCA_FLOWER_KEY_ENC_OPT_GENEVE_TYPE, 1}, 16}, {{TCA_FLOWER_KEY_ENC_OPT_GENEVE_DATA, 0}, 16}};
constexpr Field vxlan_fields[] = {{{TCA_FLOWER_KEY_ENC_OPT_VXLAN_GBP, 4}, 0}};
constexpr Field erspan_fields[] = {{{TCA_FLOWER_KEY_ENC_OPT_ERSPAN_VER, 1}, 0}, {{TCA_FLOWER_KEY_ENC_OPT_ERSPAN_INDEX, 4, true}, 0},
                                   {{TCA_FLOWER_KEY_ENC_OPT_ERSPAN_DIR, 1}, 0}, {{TCA_FLOWER_KEY_ENC_OPT_ERSPAN_HWID, 1}, 0}};
constexpr Field gtp_fields[] = {{{TCA_FLOWER_KEY_ENC_OPT_GTP_PDU_TYPE, 1}, 16}, {{TCA_FLOWER_KEY_ENC_OPT_GTP_QFI, 1}, 16}};
constexpr Field pfcp_fields[] = {{{uapi::TCA_FLOWER_KEY_ENC_OPT_PFCP_TYPE, 1}, 16}, {{uapi::TCA_FLOWER_KEY_ENC_OPT_PFCP_SEID, 8, true}, 16}};

}  // namespace

void read_flag_list(Word const& word, std::span<NamedValue const> names, MaskedFlags& flags) {
    for (Parts parts(word, '/'); parts.more();) {
        auto part = parts.next();
        bool const clear = part.text.starts_with("no");
        if (clear) part.text.remove_prefix(2);
        auto const bit = static_cast<u32>(read_choice(part, names, "flags"));
        flags.value = clear ? flags.value & ~bit : flags.value | bit;
        flags.mask |= bit;
    }
}

void put_connection_state(Line& line, Word const& word) {
    constexpr std::size_t length = 4;  // a sign and three letters
    u16 value = 0, mask = 0;
    for (std::size_t at = 0; at < word.text.size(); at += length) {
        auto const begin = word.span.begin + static_cast<u32>(at);
        Word const part{word.text.substr(at, length), {begin, begin + static_cast<u32>(std::min(length, word.text.size() - at))}};
        if (part.text[0] != '+' && part.text[0] != '-') fail_value(part, "a connection state", "+ or - before each of trk, new, est, rel, inv, rpl");
        auto const bit = static_cast<u16>(read_choice({part.text.substr(1), part.span}, connection_states, "ct_state"));
        if (part.text[0] == '+') value |= bit;
        mask |= bit;
    }
    line.out.put(TCA_FLOWER_KEY_CT_STATE, value);
    line.out.put(TCA_FLOWER_KEY_CT_STATE_MASK, mask);
}

void put_connection_label(Line& line, Word const& word) {
    std::array<u8, 16> bytes;
    auto const [value, mask] = split_mask(word);
    auto length = read_hex(value, bytes);
    line.out.put(TCA_FLOWER_KEY_CT_LABELS, bytes.data(), length);
    bytes.fill(0xff);
    length = mask ? read_hex(*mask, bytes) : bytes.size();
    line.out.put(TCA_FLOWER_KEY_CT_LABELS_MASK, bytes.data(), length);
}

u16 read_ppp_protocol(Word const& word) {
    for (auto const& protocol : ppp_protocols)
        if (equal_ignoring_case(protocol.word, word.text)) return static_cast<u16>(protocol.value);
    return static_cast<u16>(read_choice(word, ppp_protocols, "ppp_proto", 0xffff));
}

void put_geneve_options(Line& line, Word const& word) {
    auto const nest = [&](u16 type, auto&& body) {
        line.out.nest(type, [&] {
            for (Parts options(word, ','); options.more();) body(split_mask(options.next()));
        });
    };
    nest(TCA_FLOWER_KEY_ENC_OPTS, [&](WithMask const& option) {
        auto const& text = option.value.text;
        if (std::ranges::count(text, ':') != 2 || text.starts_with(':') || text.ends_with(':') || text.find("::") != text.npos)
            fail_value(option.value, "a Geneve option", "CLASS:TYPE:DATA in hexadecimal");
        put_fields(line, TCA_FLOWER_KEY_ENC_OPTS_GENEVE, geneve_fields, option.value);
    });
    nest(TCA_FLOWER_KEY_ENC_OPTS_MASK, [&](WithMask const& option) {
        if (option.mask) return put_fields(line, TCA_FLOWER_KEY_ENC_OPTS_GENEVE, geneve_fields, *option.mask);
        line.out.nest(TCA_FLOWER_KEY_ENC_OPTS_GENEVE, [&] {
            std::array<u8, max_option_data> ones;
            ones.fill(0xff);
            line.out.put(TCA_FLOWER_KEY_ENC_OPT_GENEVE_CLASS, u16{0xffff});
            line.out.put(TCA_FLOWER_KEY_ENC_OPT_GENEVE_TYPE, u8{0xff});
            line.out.put(TCA_FLOWER_KEY_ENC_OPT_GENEVE_DATA, ones.data(), (option.value.text.size() - option.value.text.rfind(':')) / 2);
        });
    });
}

void put_vxlan_options(Line& line, Word const& word) {
    put_key_and_mask(line, TCA_FLOWER_KEY_ENC_OPTS_VXLAN | NLA_F_NESTED, vxlan_fields, word, "0xffffffff");
}

void put_erspan_options(Line& line, Word const& word) {
    auto const [key, mask] = split_mask(word);
    if (mask) return put_key_and_mask(line, TCA_FLOWER_KEY_ENC_OPTS_ERSPAN | NLA_F_NESTED, erspan_fields, word, {});
    need_parts(word, 2, "VERSION:INDEX:DIRECTION:HWID");
    // The mask of the version is the version itself.
    line.out.nest(TCA_FLOWER_KEY_ENC_OPTS | NLA_F_NESTED, [&] { put_fields(line, TCA_FLOWER_KEY_ENC_OPTS_ERSPAN | NLA_F_NESTED, erspan_fields, key); });
    line.out.nest(TCA_FLOWER_KEY_ENC_OPTS_MASK | NLA_F_NESTED, [&] {
        line.out.nest(TCA_FLOWER_KEY_ENC_OPTS_ERSPAN | NLA_F_NESTED, [&] {
            put_field(line, erspan_fields[0], Parts(key, ':').next());
            line.out.put(TCA_FLOWER_KEY_ENC_OPT_ERSPAN_INDEX, u32{0xffffffff});
            line.out.put(TCA_FLOWER_KEY_ENC_OPT_ERSPAN_DIR, u8{0xff});
            line.out.put(TCA_FLOWER_KEY_ENC_OPT_ERSPAN_HWID, u8{0xff});
        });
    });
}

void put_gtp_options(Line& line, Word const& word) {
    auto const [key, mask] = split_mask(word);
    need_parts(key, 2, "PDU_TYPE:QFI in hexadecimal");
    if (mask) need_parts(*mask, 2, "PDU_TYPE:QFI in hexadecimal");
    put_key_and_mask(line, TCA_FLOWER_KEY_ENC_OPTS_GTP | NLA_F_NESTED, gtp_fields, word, "ff:ff");
}

void put_pfcp_options(Line& line, Word const& word) {
    put_key_and_mask(line, uapi::TCA_FLOWER_KEY_ENC_OPTS_PFCP | NLA_F_NESTED, pfcp_fields, word, "ff:ffffffffffffffff");
}

}  // namespace nlstream::tc
