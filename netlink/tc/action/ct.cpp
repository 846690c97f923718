// tc ... action ct: send packets through conntrack, and translate their addresses.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_ct.h>

#include <array>

#include "netlink/address.hpp"
#include "netlink/ip_protocol.hpp"
#include "netlink/parts.hpp"
#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

struct Ct {
    u16 what = 0;  // TCA_CT_ACT_*
    u32 index = 0;
};

void put_address(Line& line, Address const& a, u16 ipv4, u16 ipv6) { line.out.put(a.family == AF_INET ? ipv4 : ipv6, a.bytes.data(), a.length); }

/// In network order.
u16 read_port(Word const& word) { return big16(static_cast<u16>(read_number(word, 0, 0xffff, 10))); }

/// "nat [src|dst addr FIRST[-LAST] [port FIRST[-LAST]]]". Something has to follow, as in iproute2.
void read_nat(Line& line, Ct& c) {
    c.what |= TCA_CT_ACT_NAT;
    auto const more = [&] { if (line.done()) fail_missing(line, "a control such as pipe"); };
    more();
    if (line.take_if_abbreviates("src")) c.what |= TCA_CT_ACT_NAT_SRC;
    else if (line.take_if_abbreviates("dst")) c.what |= TCA_CT_ACT_NAT_DST;
    else return;
    if ((c.what & TCA_CT_ACT_NAT_SRC) && (c.what & TCA_CT_ACT_NAT_DST)) fail_use(line.last(), "src and dst exclude each other");

    auto const& word = line.take("addr");
    if (!abbreviates(word.text, "addr")) fail_value(word, "\"addr\"", "addr ADDRESS");
    Parts addresses(line.take("ADDRESS"), '-');
    auto const first = read_address(addresses.next(), AF_UNSPEC);
    auto const last = addresses.more() ? read_address(addresses.next(), first.family) : first;
    addresses.finish("FIRST-LAST");
    put_address(line, first, TCA_CT_NAT_IPV4_MIN, TCA_CT_NAT_IPV6_MIN);
    put_address(line, last, TCA_CT_NAT_IPV4_MAX, TCA_CT_NAT_IPV6_MAX);

    more();
    if (!line.take_if_abbreviates("port")) return;
    Parts ports(line.take("PORT"), '-');
    auto const first_port = read_port(ports.next());
    auto const last_port = ports.more() ? read_port(ports.next()) : first_port;
    ports.finish("FIRST-LAST");
    line.out.put(TCA_CT_NAT_PORT_MIN, first_port);
    line.out.put(TCA_CT_NAT_PORT_MAX, last_port);
}

/// 128 bits or less in hexadecimal; all ones without a mask.
void read_label(Line& line, Ct&) {
    auto const parts = split_mask(line.take("LABEL[/MASK]"));
    std::array<u8, 16> label, mask;
    auto const length = read_hex(parts.value, label);
    line.out.put(TCA_CT_LABELS, label.data(), length);
    mask.fill(0xff);
    auto const mask_length = parts.mask ? read_hex(*parts.mask, mask) : mask.size();
    line.out.put(TCA_CT_LABELS_MASK, mask.data(), mask_length);
}

/// "ipv4-tcp-ftp".
void read_helper(Line& line, Ct&) {
    auto const& word = line.take("FAMILY-PROTOCOL-NAME");
    Parts parts(word, '-');
    std::array<Word, 3> fields{};
    for (auto& field : fields)
        if (parts.more()) field = parts.next();
    if (fields[2].text.empty() || parts.more() || word.text.size() > 31) fail_value(word, "a helper", "FAMILY-PROTOCOL-NAME, such as ipv4-tcp-ftp");
    static constexpr NamedValue families[] = {{"ipv4", AF_INET}, {"ipv6", AF_INET6}};
    line.out.put(uapi::TCA_CT_HELPER_FAMILY, static_cast<u8>(read_choice(fields[0], families, "helper")));
    line.out.put(uapi::TCA_CT_HELPER_PROTO, read_ip_protocol(line, fields[1]));
    line.out.put_string(uapi::TCA_CT_HELPER_NAME, fields[2].text);
}

constexpr Row rows[] = {
    {"zone*",  "ZONE",                  U16(TCA_CT_ZONE),                            "The conntrack zone (default 0)."},
    {"nat*",   "[src|dst addr A[-B] [port P[-Q]]]", custom<read_nat>,                "Translate: as the connection is, or, with commit, to these addresses and ports."},
    {"clear*", "",                      set(add_bits<&Ct::what>, TCA_CT_ACT_CLEAR),  "Take the packet's conntrack state away."},
    {"commit*", "",                     set(add_bits<&Ct::what>, TCA_CT_ACT_COMMIT), "Keep the connection."},
    {"force*", "",                      set(add_bits<&Ct::what>, TCA_CT_ACT_FORCE),  "Make this packet's direction the original one."},
    {"index*", "INDEX",                 U32(keep<&Ct::index>).dec(),                 "The action's number; that of an existing action when nothing else is said."},
    {"mark*",  "MARK[/MASK]",           masked_u32(TCA_CT_MARK, TCA_CT_MARK_MASK),   "Set the connection's mark."},
    {"label*", "LABEL[/MASK]",          custom<read_label>,                          "Set the connection's label: up to 16 bytes in hexadecimal."},
    {"helper", "FAMILY-PROTOCOL-NAME",  custom<read_helper>,                         "The conntrack helper, such as ipv4-tcp-ftp."},
};
constexpr auto table = keywords<Ct>(rows);

void check(Line const& line, u16 what) {
    bool const translates_to = what & (TCA_CT_ACT_NAT_SRC | TCA_CT_ACT_NAT_DST);
    if ((what & TCA_CT_ACT_CLEAR) && (what & ~TCA_CT_ACT_CLEAR)) fail_use(line.last(), "clear cannot be combined");
    if ((what & TCA_CT_ACT_COMMIT) && (what & TCA_CT_ACT_NAT) && !translates_to) fail_use(line.last(), "nat with commit needs src or dst");
    if (!(what & TCA_CT_ACT_COMMIT) && translates_to) fail_use(line.last(), "nat src and nat dst need commit");
}

void read(Line& line) {
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        Ct c;
        Reader(table, c).read_some(line);
        check(line, c.what);
        tc_ct parms = tc_ct();
        parms.index = c.index;
        read_action_control(line, parms, TC_ACT_PIPE);
        line.out.put(TCA_CT_ACTION, c.what);
        line.out.put(TCA_CT_PARMS, parms);
    });
}

}  // namespace

extern constinit ActionKind const ct_action = {{"action", "ct", "Sends packets through conntrack, and translates their addresses.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
