// tc ... action tunnel_key: what a tunnel device puts around packets.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_tunnel_key.h>

#include <array>

#include "netlink/address.hpp"
#include "netlink/parts.hpp"
#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

struct TunnelKey {
    int action = 0;  // TCA_TUNNEL_KEY_ACT_*; 0: not given
    bool no_checksum = false;
    bool no_fragments = false;
};

std::string_view second_action(TunnelKey const& k) { return k.action ? "set or unset was given before" : ""; }

void put_address(Line& line, u16 ipv4, u16 ipv6) {
    auto const address = read_address(line.take("ADDRESS"), AF_UNSPEC);
    line.out.put(address.family == AF_INET ? ipv4 : ipv6, address.bytes.data(), address.length);
}
void read_src_ip(Line& line, TunnelKey&) { put_address(line, TCA_TUNNEL_KEY_ENC_IPV4_SRC, TCA_TUNNEL_KEY_ENC_IPV6_SRC); }
void read_dst_ip(Line& line, TunnelKey&) { put_address(line, TCA_TUNNEL_KEY_ENC_IPV4_DST, TCA_TUNNEL_KEY_ENC_IPV6_DST); }

/// A byte, decimal or else hexadecimal.
void put_byte(Line& line, u16 attribute) {
    auto const& word = line.take("BYTE");
    auto const decimal = parse_number(word.text, 255, 10);
    line.out.put(attribute, static_cast<u8>(decimal ? *decimal : read_number(word, 0, 255, 16)));
}
void read_tos(Line& line, TunnelKey&) { put_byte(line, TCA_TUNNEL_KEY_ENC_TOS); }
void read_ttl(Line& line, TunnelKey&) { put_byte(line, TCA_TUNNEL_KEY_ENC_TTL); }

/// "CLASS:TYPE:DATA[,CLASS:TYPE:DATA...]", hexadecimal. Neither nest is marked as one.
void read_geneve(Line& line, TunnelKey&) {
    line.out.nest(TCA_TUNNEL_KEY_ENC_OPTS, [&] {
        for (Parts options(line.take("CLASS:TYPE:DATA"), ',', Parts::Empty::skipped); options.more();) {
            Parts fields(options.next(), ':', Parts::Empty::skipped);
            line.out.nest(TCA_TUNNEL_KEY_ENC_OPTS_GENEVE, [&] {
                if (fields.more()) line.out.put(TCA_TUNNEL_KEY_ENC_OPT_GENEVE_CLASS, big16(static_cast<u16>(read_number(fields.next(), 0, 0xffff, 16))));
                if (fields.more()) line.out.put(TCA_TUNNEL_KEY_ENC_OPT_GENEVE_TYPE, static_cast<u8>(read_number(fields.next(), 0, 0xff, 16)));
                if (fields.more()) {
                    std::array<u8, 1024> data;
                    auto const length = read_hex(fields.next(), data);
                    line.out.put(TCA_TUNNEL_KEY_ENC_OPT_GENEVE_DATA, data.data(), length);
                }
                fields.finish("CLASS:TYPE:DATA");
            });
        }
    });
}

void read_vxlan(Line& line, TunnelKey&) {
    line.out.nest(TCA_TUNNEL_KEY_ENC_OPTS | NLA_F_NESTED, [&] {
        auto const policy = static_cast<u32>(read_number(line.take("POLICY")));
        line.out.nest(TCA_TUNNEL_KEY_ENC_OPTS_VXLAN | NLA_F_NESTED, [&] { line.out.put(TCA_TUNNEL_KEY_ENC_OPT_VXLAN_GBP, policy); });
    });
}

/// "VERSION:INDEX:DIRECTION:HWID"; the later ones may be left out.
void read_erspan(Line& line, TunnelKey&) {
    line.out.nest(TCA_TUNNEL_KEY_ENC_OPTS | NLA_F_NESTED, [&] {
        Parts fields(line.take("VERSION:INDEX:DIRECTION:HWID"), ':', Parts::Empty::skipped);
        auto const put_u8 = [&](u16 attribute) {
            if (fields.more()) line.out.put(attribute, static_cast<u8>(read_number(fields.next(), 0, 0xff)));
        };
        line.out.nest(TCA_TUNNEL_KEY_ENC_OPTS_ERSPAN | NLA_F_NESTED, [&] {
            put_u8(TCA_TUNNEL_KEY_ENC_OPT_ERSPAN_VER);
            if (fields.more()) line.out.put(TCA_TUNNEL_KEY_ENC_OPT_ERSPAN_INDEX, big32(static_cast<u32>(read_number(fields.next()))));
            put_u8(TCA_TUNNEL_KEY_ENC_OPT_ERSPAN_DIR);
            put_u8(TCA_TUNNEL_KEY_ENC_OPT_ERSPAN_HWID);
            fields.finish("VERSION:INDEX:DIRECTION:HWID");
        });
    });
}

constexpr Row rows[] = {
    {"unset*",       "",         set(keep<&TunnelKey::action>, TCA_TUNNEL_KEY_ACT_RELEASE), "Take the tunnel's data off packets.", unless<second_action>},
    {"set*",         "",         set(keep<&TunnelKey::action>, TCA_TUNNEL_KEY_ACT_SET),     "Put it on them; needs src_ip and dst_ip.", unless<second_action>},
    {"src_ip*",      "ADDRESS",  custom<read_src_ip>,                                       "The outer source address."},
    {"dst_ip*",      "ADDRESS",  custom<read_dst_ip>,                                       "The outer destination address."},
    {"id*",          "ID",       U32(TCA_TUNNEL_KEY_ENC_KEY_ID).network_order().dec(),      "The tunnel's key: a VNI, a GRE key."},
    {"dst_port*",    "PORT",     U16(TCA_TUNNEL_KEY_ENC_DST_PORT).network_order().dec(),    "The outer UDP destination port."},
    {"geneve_opts*", "CLASS:TYPE:DATA[,...]", custom<read_geneve>,                          "Geneve's options, hexadecimal."},
    {"vxlan_opts*",  "POLICY",   custom<read_vxlan>,                                        "VXLAN's group policy."},
    {"erspan_opts*", "VERSION:INDEX:DIRECTION:HWID", custom<read_erspan>,                   "ERSPAN's header: version 1 uses INDEX, version 2 the others."},
    {"tos*",         "TOS",      custom<read_tos>,                                          "The outer type of service."},
    {"ttl*",         "TTL",      custom<read_ttl>,                                          "The outer time to live."},
    {"csum*",        "",         set(keep<&TunnelKey::no_checksum>, false),                 "Compute the outer UDP checksum (default)."},
    {"nocsum*",      "",         set(keep<&TunnelKey::no_checksum>, true),                  "Leave it out."},
    {"nofrag",       "",         set(keep<&TunnelKey::no_fragments>),                       "Do not let the outer packets be fragmented."},
};
constexpr auto table = keywords<TunnelKey>(rows);

void read(Line& line) {
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        TunnelKey k;
        Reader reader(table, k);
        if (line.done()) fail_missing(line, "set or unset");
        reader.read_some(line);
        line.source_keyword("nocsum");
        line.out.put(TCA_TUNNEL_KEY_NO_CSUM, static_cast<u8>(k.no_checksum));
        line.source_keyword("nofrag");
        if (k.no_fragments) line.out.put_flag(uapi::TCA_TUNNEL_KEY_NO_FRAG);
        tc_tunnel_key parms = tc_tunnel_key();
        read_action_end(line, parms, TC_ACT_PIPE);
        if (k.action == TCA_TUNNEL_KEY_ACT_SET && !reader.seen("src_ip")) fail_missing(line, "src_ip ADDRESS");
        if (k.action == TCA_TUNNEL_KEY_ACT_SET && !reader.seen("dst_ip")) fail_missing(line, "dst_ip ADDRESS");
        parms.t_action = k.action;
        line.out.put(TCA_TUNNEL_KEY_PARMS, parms);
    });
}

}  // namespace

extern constinit ActionKind const tunnel_key_action = {
    {"action", "tunnel_key", "Sets what a tunnel device puts around packets.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
