// tc filter ... flower: packets by the fields of their headers.
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/mpls.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/ppp_defs.h>
#include <netinet/in.h>

#include <algorithm>

#include "netlink/address.hpp"
#include "netlink/ether_protocol.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/filter/flower_values.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

constexpr u8 protocol_l2tp = 115;  // IANA; not in every libc

struct Flower {
    u16 line_protocol = 0;   // ETH_P_* that the line names
    u16 protocol = 0;        // ETH_P_* of what the next keys match: behind the tags that were named
    u16 vlan_protocol = 0;   // ETH_P_* behind the outer tag, 0 while it is not named
    u8 vlans = 0;
    u8 ip_protocol = 0xff;   // IPPROTO_*
    bool stack_keys = false; // mpls
    bool label_keys = false; // mpls_label and its like
    u32 flags = 0;
    MaskedFlags ip_flags;
    MaskedFlags tunnel_flags;
};

constexpr bool is_vlan(u16 protocol) { return protocol == ETH_P_8021Q || protocol == ETH_P_8021AD; }
constexpr bool is_mpls(u16 protocol) { return protocol == ETH_P_MPLS_UC || protocol == ETH_P_MPLS_MC; }
constexpr bool is_arp(u16 protocol) { return protocol == ETH_P_ARP || protocol == ETH_P_RARP; }
constexpr bool is_ip(u16 protocol) { return protocol == ETH_P_IP || protocol == ETH_P_IPV6; }

constexpr std::string_view needs_vlan = "needs protocol 802.1Q or 802.1ad, or num_of_vlans 1 before it";
constexpr std::string_view needs_two_vlans = "needs vlan_ethtype 802.1Q or 802.1ad, or num_of_vlans 2 before it";

std::string_view outside_vlan(Flower const& f) { return is_vlan(f.line_protocol) || f.vlans > 0 ? "" : needs_vlan; }
std::string_view without_tag(Flower const& f) { return is_vlan(f.protocol) || f.vlans > 0 ? "" : needs_vlan; }
std::string_view outside_two_vlans(Flower const& f) { return is_vlan(f.vlan_protocol) || f.vlans > 1 ? "" : needs_two_vlans; }
std::string_view outside_pppoe(Flower const& f) { return f.protocol == ETH_P_PPP_SES ? "" : "needs protocol ppp_ses"; }
std::string_view outside_arp(Flower const& f) { return is_arp(f.protocol) ? "" : "needs protocol arp or rarp"; }
std::string_view outside_ip(Flower const& f) { return is_ip(f.protocol) ? "" : "needs protocol ip or ipv6"; }
// Without any protocol (a change) the address says which of the two it is.
std::string_view outside_any_ip(Flower const& f) { return f.protocol == 0 ? "" : outside_ip(f); }
std::string_view outside_cfm(Flower const& f) { return f.protocol == ETH_P_CFM ? "" : "needs protocol cfm"; }
std::string_view outside_stack(Flower const& f) {
    if (!is_mpls(f.protocol)) return "needs protocol mpls_uc or mpls_mc";
    return f.label_keys ? "mpls excludes mpls_label, mpls_tc, mpls_bos and mpls_ttl" : "";
}
std::string_view outside_label(Flower const& f) {
    if (!is_mpls(f.protocol)) return "needs protocol mpls_uc or mpls_mc";
    return f.stack_keys ? "mpls was given before: write it as one of its lse" : "";
}
std::string_view without_ports(Flower const& f) {
    auto const p = f.ip_protocol;
    return p == IPPROTO_TCP || p == IPPROTO_UDP || p == IPPROTO_SCTP ? "" : "needs ip_proto tcp, udp or sctp before it";
}
std::string_view outside_icmp(Flower const& f) {
    bool const icmp = (f.protocol == ETH_P_IP && f.ip_protocol == IPPROTO_ICMP) || (f.protocol == ETH_P_IPV6 && f.ip_protocol == IPPROTO_ICMPV6);
    return icmp ? "" : "needs ip_proto icmp with protocol ip, or icmpv6 with ipv6, before it";
}
std::string_view outside_l2tp(Flower const& f) { return f.ip_protocol == protocol_l2tp ? "" : "needs ip_proto l2tp before it"; }
std::string_view without_spi(Flower const& f) {
    auto const p = f.ip_protocol;
    return p == IPPROTO_ESP || p == IPPROTO_AH || p == IPPROTO_UDP ? "" : "needs ip_proto esp, ah or udp before it";
}

constexpr NamedValue ip_flags[] = {{"frag", TCA_FLOWER_KEY_FLAGS_IS_FRAGMENT}, {"firstfrag", TCA_FLOWER_KEY_FLAGS_FRAG_IS_FIRST}};
constexpr NamedValue tunnel_flags[] = {{"tuncsum", uapi::TCA_FLOWER_KEY_FLAGS_TUNNEL_CSUM}, {"tundf", uapi::TCA_FLOWER_KEY_FLAGS_TUNNEL_DONT_FRAGMENT},
                                       {"tunoam", uapi::TCA_FLOWER_KEY_FLAGS_TUNNEL_OAM}, {"tuncrit", uapi::TCA_FLOWER_KEY_FLAGS_TUNNEL_CRIT_OPT}};

constexpr NamedValue ip_protocols[] = {{"tcp*", IPPROTO_TCP}, {"udp*", IPPROTO_UDP}, {"sctp*", IPPROTO_SCTP}, {"icmp*", IPPROTO_ICMP}, {"icmpv6*", IPPROTO_ICMPV6},
                                       {"l2tp", protocol_l2tp}, {"esp", IPPROTO_ESP}, {"ah", IPPROTO_AH}};

constexpr NamedValue arp_operations[] = {{"request", ARPOP_REQUEST}, {"reply", ARPOP_REPLY}};

// The class of hardware queue N, as the kernel numbers them below the parent's major (linux/pkt_sched.h).
void read_hardware_class(Line& line, Flower&) {
    auto const queue = static_cast<u32>(read_number(line.take("N"), 0, TC_QOPT_MAX_QUEUE - 1));
    line.out.put(TCA_FLOWER_CLASSID, TC_H_MAKE(header(line).tcm_parent, TC_H_MIN_PRIORITY + queue));
}
void read_ip_flags(Line& line, Flower& f) { read_flag_list(line.take("FLAGS"), ip_flags, f.ip_flags); }
void read_tunnel_flags(Line& line, Flower& f) { read_flag_list(line.take("FLAGS"), tunnel_flags, f.tunnel_flags); }

void read_vlan_protocol(Line& line, Flower& f) {
    f.protocol = f.vlan_protocol = read_ether_protocol(line.take("PROTOCOL"));
    line.out.put(TCA_FLOWER_KEY_VLAN_ETH_TYPE, big16(f.protocol));
}
void read_inner_vlan_protocol(Line& line, Flower& f) {
    f.protocol = read_ether_protocol(line.take("PROTOCOL"));
    line.out.put(TCA_FLOWER_KEY_CVLAN_ETH_TYPE, big16(f.protocol));
}
void read_ppp(Line& line, Flower& f) {
    auto const protocol = read_ppp_protocol(line.take("PROTOCOL"));
    switch (protocol) {
        case PPP_IP: f.protocol = ETH_P_IP; break;
        case PPP_IPV6: f.protocol = ETH_P_IPV6; break;
        case PPP_MPLS_UC: f.protocol = ETH_P_MPLS_UC; break;
        case PPP_MPLS_MC: f.protocol = ETH_P_MPLS_MC; break;
        default: break;
    }
    line.out.put(TCA_FLOWER_KEY_PPP_PROTO, big16(protocol));
}

void read_ip_protocol(Line& line, Flower& f) {
    auto const& word = line.take("PROTOCOL");
    auto const named = std::ranges::find_if(ip_protocols, [&](NamedValue const& p) { return selects(p.word, word.text); });
    if (named == std::end(ip_protocols)) {
        auto const number = parse_number(word.text, 0xff, 16);
        if (!number) read_choice(word, ip_protocols, "ip_proto");  // fails, and says what is known
        f.ip_protocol = static_cast<u8>(*number);
    } else {
        f.ip_protocol = static_cast<u8>(named->value);
        if (f.ip_protocol == IPPROTO_ICMP && f.protocol != ETH_P_IP) fail_use(word, "with protocol ipv6 it is icmpv6");
        if (f.ip_protocol == IPPROTO_ICMPV6 && f.protocol != ETH_P_IPV6) fail_use(word, "with protocol ip it is icmp");
    }
    line.out.put(TCA_FLOWER_KEY_IP_PROTO, f.ip_protocol);
}

/// A byte in decimal, or in hexadecimal if it is none, with a hexadecimal mask.
template <u16 Attribute, u16 Mask>
void read_tos_or_ttl(Line& line, Flower&) {
    auto const [value, mask] = split_mask(line.take("N[/MASK]"));
    auto const decimal = parse_number(value.text, 0xff, 10);
    line.out.put(Attribute, static_cast<u8>(decimal ? *decimal : read_number(value, 0, 0xff, 16)));
    line.out.put(Mask, mask ? static_cast<u8>(read_number(*mask, 0, 0xff, 16)) : u8{0xff});
}

struct AddressKeys {
    u16 ipv4, ipv4_mask, ipv6, ipv6_mask;
};

void put_prefix(Line& line, u8 family, AddressKeys const& keys) {
    auto const prefix = read_prefix(line.take("PREFIX"), family);
    std::array<u8, 16> mask{};
    std::fill_n(mask.begin(), prefix.bits / 8, u8{0xff});
    if (prefix.bits % 8) mask[prefix.bits / 8] = static_cast<u8>(0xff00 >> prefix.bits % 8);
    bool const ipv4 = prefix.family == AF_INET;
    line.out.put(ipv4 ? keys.ipv4 : keys.ipv6, prefix.bytes.data(), prefix.length);
    line.out.put(ipv4 ? keys.ipv4_mask : keys.ipv6_mask, mask.data(), prefix.length);
}

template <u16 V4, u16 V4Mask, u16 V6, u16 V6Mask>
void read_ip(Line& line, Flower& f) {
    put_prefix(line, f.protocol == ETH_P_IP ? AF_INET : f.protocol == ETH_P_IPV6 ? AF_INET6 : AF_UNSPEC, {V4, V4Mask, V6, V6Mask});
}
template <u16 V4, u16 V4Mask, u16 V6, u16 V6Mask>
void read_tunnel_ip(Line& line, Flower&) { put_prefix(line, AF_UNSPEC, {V4, V4Mask, V6, V6Mask}); }
template <u16 V4, u16 V4Mask>
void read_arp_ip(Line& line, Flower&) { put_prefix(line, AF_INET, {V4, V4Mask, kept, kept}); }

struct PortKeys {
    u16 port, mask;
};
constexpr PortKeys port_keys(u8 ip_protocol, bool source) {
    switch (ip_protocol) {
        case IPPROTO_TCP: return source ? PortKeys{TCA_FLOWER_KEY_TCP_SRC, TCA_FLOWER_KEY_TCP_SRC_MASK} : PortKeys{TCA_FLOWER_KEY_TCP_DST, TCA_FLOWER_KEY_TCP_DST_MASK};
        case IPPROTO_UDP: return source ? PortKeys{TCA_FLOWER_KEY_UDP_SRC, TCA_FLOWER_KEY_UDP_SRC_MASK} : PortKeys{TCA_FLOWER_KEY_UDP_DST, TCA_FLOWER_KEY_UDP_DST_MASK};
        default: return source ? PortKeys{TCA_FLOWER_KEY_SCTP_SRC, TCA_FLOWER_KEY_SCTP_SRC_MASK} : PortKeys{TCA_FLOWER_KEY_SCTP_DST, TCA_FLOWER_KEY_SCTP_DST_MASK};
    }
}

/// "80", "80/0xfff0" or "80-90". A port is decimal; with a mask both may be of any base.
template <bool Source>
void read_port(Line& line, Flower& f) {
    auto const& word = line.take("PORT");
    auto const keys = port_keys(f.ip_protocol, Source);
    if (auto const dash = word.text.find('-'); dash != word.text.npos) {
        auto const at = word.span.begin + static_cast<u32>(dash);
        auto const min = static_cast<u16>(read_number({word.text.substr(0, dash), {word.span.begin, at}}, 0, 0xffff, 10));
        auto const max = static_cast<u16>(read_number({word.text.substr(dash + 1), {at + 1, word.span.end}}, 0, 0xffff, 10));
        if (max <= min) fail_use(word, "the second port must be greater than the first");
        line.out.put(Source ? TCA_FLOWER_KEY_PORT_SRC_MIN : TCA_FLOWER_KEY_PORT_DST_MIN, big16(min));
        line.out.put(Source ? TCA_FLOWER_KEY_PORT_SRC_MAX : TCA_FLOWER_KEY_PORT_DST_MAX, big16(max));
        return;
    }
    auto const [port, mask] = split_mask(word);
    line.out.put(keys.port, big16(static_cast<u16>(read_number(port, 0, 0xffff, mask ? 0 : 10))));
    if (mask) line.out.put(keys.mask, big16(static_cast<u16>(read_number(*mask, 0, 0xffff))));
}

void read_tcp_flags(Line& line, Flower&) {
    constexpr u16 all = 0xfff;
    auto const [value, mask] = split_mask(line.take("FLAGS[/MASK]"));
    line.out.put(TCA_FLOWER_KEY_TCP_FLAGS, big16(static_cast<u16>(read_number(value, 0, all, 16))));
    line.out.put(TCA_FLOWER_KEY_TCP_FLAGS_MASK, big16(mask ? static_cast<u16>(read_number(*mask, 0, all, 16)) : all));
}

/// A decimal byte with a decimal mask, under the attribute of the family.
template <u16 V4, u16 V4Mask, u16 V6, u16 V6Mask>
void read_icmp(Line& line, Flower& f) {
    auto const [value, mask] = split_mask(line.take("N[/MASK]"));
    bool const ipv4 = f.protocol == ETH_P_IP;
    line.out.put(ipv4 ? V4 : V6, static_cast<u8>(read_number(value, 0, 0xff, 10)));
    line.out.put(ipv4 ? V4Mask : V6Mask, mask ? static_cast<u8>(read_number(*mask, 0, 0xff, 10)) : u8{0xff});
}

void read_arp_operation(Line& line, Flower&) {
    auto const [value, mask] = split_mask(line.take("OPERATION"));
    auto const number = parse_number(value.text, ARPOP_REPLY, 10);
    line.out.put(TCA_FLOWER_KEY_ARP_OP, static_cast<u8>(number ? *number : read_choice(value, arp_operations, "arp_op")));
    line.out.put(TCA_FLOWER_KEY_ARP_OP_MASK, mask ? static_cast<u8>(read_number(*mask, 0, 0xff, 10)) : u8{0xff});
}

void read_spi(Line& line, Flower&) {
    line.out.put(uapi::TCA_FLOWER_KEY_SPI, big32(static_cast<u32>(read_number(line.take("SPI"), 0, ~0u, 16))));
    line.out.put(uapi::TCA_FLOWER_KEY_SPI_MASK, u32{0xffffffff});
}

void read_in_device(Line& line, Flower&) {
    auto const& word = line.take("DEVICE");
    check_link_name(word);
    line.out.put_string(TCA_FLOWER_INDEV, word.text);
}

template <void (*Put)(Line&, Word const&)>
void read_masked(Line& line, Flower&) { Put(line, line.take("VALUE[/MASK]")); }

struct StackEntry {
    u8 depth = 0;
};
constexpr u32 label_max = MPLS_LS_LABEL_MASK >> MPLS_LS_LABEL_SHIFT;

constexpr Row stack_entry_rows[] = {
    {"depth*", "N",     U8(TCA_FLOWER_KEY_MPLS_OPT_LSE_DEPTH).in(1, 255).dec().and_keep(keep<&StackEntry::depth>), "Which entry, 1 being the outermost. Required."},
    {"label*", "LABEL", U32(TCA_FLOWER_KEY_MPLS_OPT_LSE_LABEL).in(0, label_max).dec(), "Its label."},
    {"tc*",    "N",     U8(TCA_FLOWER_KEY_MPLS_OPT_LSE_TC).in(0, 7).dec(),  "Its traffic class."},
    {"bos*",   "N",     U8(TCA_FLOWER_KEY_MPLS_OPT_LSE_BOS).in(0, 1).dec(), "1 for the bottom of the stack."},
    {"ttl*",   "N",     U8(TCA_FLOWER_KEY_MPLS_OPT_LSE_TTL).dec(),          "Its time to live."},
};
constexpr auto stack_entry_table = keywords<StackEntry>(stack_entry_rows);

void read_stack(Line& line, Flower& f) {
    f.stack_keys = true;
    line.out.nest(TCA_FLOWER_KEY_MPLS_OPTS | NLA_F_NESTED, [&] {
        if (line.done()) line.take("lse");
        while (line.take_if_abbreviates("lse")) {
            auto const lse = line.last();
            line.out.nest(TCA_FLOWER_KEY_MPLS_OPTS_LSE | NLA_F_NESTED, [&] {
                StackEntry entry;
                Reader(stack_entry_table, entry).read_some(line);
                if (!entry.depth) fail_use(lse, "an entry needs depth N");
            });
        }
    });
}

struct Cfm {};
constexpr Row cfm_rows[] = {
    {"mdl", "LEVEL",  U8(uapi::TCA_FLOWER_KEY_CFM_MD_LEVEL).dec(), "The maintenance domain level, which the kernel takes up to 7."},
    {"op",  "OPCODE", U8(uapi::TCA_FLOWER_KEY_CFM_OPCODE).dec(),   "The opcode of the message."},
};
constexpr auto cfm_table = keywords<Cfm>(cfm_rows);

void read_cfm(Line& line, Flower&) {
    line.out.nest(uapi::TCA_FLOWER_KEY_CFM | NLA_F_NESTED, [&] {
        if (line.done()) line.take("mdl or op");
        Cfm cfm;
        Reader(cfm_table, cfm).read_some(line);
    });
}

void read_actions(Line& line, Flower&) { read_action_list(line, TCA_FLOWER_ACT); }

constexpr Number label_part(u16 attribute, u64 max) { return U8(attribute).in(0, max).dec().and_keep(given<&Flower::label_keys>); }

constexpr Row rows[] = {
    {"classid*|flowid*", "CLASSID",     ClassId{{TCA_FLOWER_CLASSID}},                                  "The class that packets go to."},
    {"hw_tc*",        "N",              custom<read_hardware_class>,                                    "The traffic class of the hardware, 0 to 15."},
    {"ip_flags*",     "FLAGS",          custom<read_ip_flags>,                                          "frag, firstfrag or, with no before it, the opposite; several between slashes."},
    {"l2_miss",       "N",              U8(uapi::TCA_FLOWER_L2_MISS).dec(),                             "1: the bridge knew no port for the packet's destination."},
    {"verbose*",      "",               set(add_bits<&Flower::flags>, TCA_CLS_FLAGS_VERBOSE),           "Say why offloading fails."},
    {"skip_hw*",      "",               set(add_bits<&Flower::flags>, TCA_CLS_FLAGS_SKIP_HW),           "Do not offload."},
    {"skip_sw*",      "",               set(add_bits<&Flower::flags>, TCA_CLS_FLAGS_SKIP_SW),           "Offload only."},
    {"ct_state*",     "STATES",         custom<read_masked<put_connection_state>>,                      "The connection's state: trk, new, est, rel, inv, rpl, each with + or - before it."},
    {"ct_zone*",      "N[/MASK]",       masked_u16(TCA_FLOWER_KEY_CT_ZONE, TCA_FLOWER_KEY_CT_ZONE_MASK), "The zone of the connection."},
    {"ct_mark*",      "N[/MASK]",       masked_u32(TCA_FLOWER_KEY_CT_MARK, TCA_FLOWER_KEY_CT_MARK_MASK), "The mark of the connection."},
    {"ct_label*",     "HEX[/MASK]",     custom<read_masked<put_connection_label>>,                      "The label of the connection, up to 16 bytes."},
    {"indev*",        "DEVICE",         custom<read_in_device>,                                         "The packet came in by DEVICE."},
    {"num_of_vlans",  "N",              U8(TCA_FLOWER_KEY_NUM_OF_VLANS).dec().and_keep(keep<&Flower::vlans>), "The packet has N VLAN tags."},
    {"vlan_id*",      "VID",            U16(TCA_FLOWER_KEY_VLAN_ID).in(0, 4095).dec(),                  "The outer VLAN ID.", unless<outside_vlan>},
    {"vlan_prio*",    "N",              U8(TCA_FLOWER_KEY_VLAN_PRIO).in(0, 7).dec(),                    "The priority in the outer VLAN tag.", unless<outside_vlan>},
    {"vlan_ethtype*", "PROTOCOL",       custom<read_vlan_protocol>,                                     "The EtherType behind the outer VLAN tag; it is what the keys after it match.", unless<without_tag>},
    {"cvlan_id*",     "VID",            U16(TCA_FLOWER_KEY_CVLAN_ID).in(0, 4095).dec(),                 "The inner VLAN ID.", unless<outside_two_vlans>},
    {"cvlan_prio*",   "N",              U8(TCA_FLOWER_KEY_CVLAN_PRIO).in(0, 7).dec(),                   "The priority in the inner VLAN tag.", unless<outside_two_vlans>},
    {"cvlan_ethtype*", "PROTOCOL",      custom<read_inner_vlan_protocol>,                               "The EtherType behind the inner VLAN tag; it is what the keys after it match.", unless<outside_two_vlans>},
    {"mpls*",         "lse ...",        custom<read_stack>,                                             "Entries of the MPLS label stack, each after the word lse.", unless<outside_stack>},
    {"mpls_label*",   "LABEL",          U32(TCA_FLOWER_KEY_MPLS_LABEL).in(0, label_max).dec().and_keep(given<&Flower::label_keys>), "The outermost MPLS label.", unless<outside_label>},
    {"mpls_tc*",      "N",              label_part(TCA_FLOWER_KEY_MPLS_TC, 7),                          "The outermost label's traffic class.", unless<outside_label>},
    {"mpls_bos*",     "N",              label_part(TCA_FLOWER_KEY_MPLS_BOS, 1),                         "1: the outermost label is the only one.", unless<outside_label>},
    {"mpls_ttl*",     "N",              label_part(TCA_FLOWER_KEY_MPLS_TTL, 255),                       "The outermost label's time to live.", unless<outside_label>},
    {"dst_mac*",      "MAC[/MASK]",     MaskedMac{TCA_FLOWER_KEY_ETH_DST, TCA_FLOWER_KEY_ETH_DST_MASK}, "The destination MAC address."},
    {"src_mac*",      "MAC[/MASK]",     MaskedMac{TCA_FLOWER_KEY_ETH_SRC, TCA_FLOWER_KEY_ETH_SRC_MASK}, "The source MAC address."},
    {"ip_proto*",     "PROTOCOL",       custom<read_ip_protocol>,                                       "tcp, udp, sctp, icmp, icmpv6, l2tp, esp, ah, or a number in hexadecimal.", unless<outside_ip>},
    {"ip_tos*",       "N[/MASK]",       custom<read_tos_or_ttl<TCA_FLOWER_KEY_IP_TOS, TCA_FLOWER_KEY_IP_TOS_MASK>>, "The type of service or traffic class; MASK in hexadecimal."},
    {"ip_ttl*",       "N[/MASK]",       custom<read_tos_or_ttl<TCA_FLOWER_KEY_IP_TTL, TCA_FLOWER_KEY_IP_TTL_MASK>>, "The time to live or hop limit; MASK in hexadecimal."},
    {"dst_ip*",       "PREFIX",         custom<read_ip<TCA_FLOWER_KEY_IPV4_DST, TCA_FLOWER_KEY_IPV4_DST_MASK, TCA_FLOWER_KEY_IPV6_DST, TCA_FLOWER_KEY_IPV6_DST_MASK>>, "The destination address.", unless<outside_any_ip>},
    {"src_ip*",       "PREFIX",         custom<read_ip<TCA_FLOWER_KEY_IPV4_SRC, TCA_FLOWER_KEY_IPV4_SRC_MASK, TCA_FLOWER_KEY_IPV6_SRC, TCA_FLOWER_KEY_IPV6_SRC_MASK>>, "The source address.", unless<outside_any_ip>},
    {"dst_port*",     "PORT",           custom<read_port<false>>,                                       "The destination port: N, N/MASK or MIN-MAX.", unless<without_ports>},
    {"src_port*",     "PORT",           custom<read_port<true>>,                                        "The source port: N, N/MASK or MIN-MAX.", unless<without_ports>},
    {"tcp_flags*",    "FLAGS[/MASK]",   custom<read_tcp_flags>,                                         "The TCP flags, in hexadecimal."},
    {"type*",         "N[/MASK]",       custom<read_icmp<TCA_FLOWER_KEY_ICMPV4_TYPE, TCA_FLOWER_KEY_ICMPV4_TYPE_MASK, TCA_FLOWER_KEY_ICMPV6_TYPE, TCA_FLOWER_KEY_ICMPV6_TYPE_MASK>>, "The ICMP type.", unless<outside_icmp>},
    {"code*",         "N[/MASK]",       custom<read_icmp<TCA_FLOWER_KEY_ICMPV4_CODE, TCA_FLOWER_KEY_ICMPV4_CODE_MASK, TCA_FLOWER_KEY_ICMPV6_CODE, TCA_FLOWER_KEY_ICMPV6_CODE_MASK>>, "The ICMP code.", unless<outside_icmp>},
    {"l2tpv3_sid",    "N",              U32(TCA_FLOWER_KEY_L2TPV3_SID).dec().network_order(),           "The L2TPv3 session.", unless<outside_l2tp>},
    {"spi",           "SPI",            custom<read_spi>,                                               "The security parameters index, in hexadecimal.", unless<without_spi>},
    {"arp_tip*",      "PREFIX",         custom<read_arp_ip<TCA_FLOWER_KEY_ARP_TIP, TCA_FLOWER_KEY_ARP_TIP_MASK>>, "The IPv4 address that is asked for.", unless<outside_arp>},
    {"arp_sip*",      "PREFIX",         custom<read_arp_ip<TCA_FLOWER_KEY_ARP_SIP, TCA_FLOWER_KEY_ARP_SIP_MASK>>, "The IPv4 address that asks.", unless<outside_arp>},
    {"arp_op*",       "OPERATION",      custom<read_arp_operation>,                                     "request, reply, or its number up to 2, with /MASK or without.", unless<outside_arp>},
    {"arp_tha*",      "MAC[/MASK]",     MaskedMac{TCA_FLOWER_KEY_ARP_THA, TCA_FLOWER_KEY_ARP_THA_MASK}, "The MAC address that is asked for."},
    {"arp_sha*",      "MAC[/MASK]",     MaskedMac{TCA_FLOWER_KEY_ARP_SHA, TCA_FLOWER_KEY_ARP_SHA_MASK}, "The MAC address that asks."},
    {"pppoe_sid",     "N",              U16(TCA_FLOWER_KEY_PPPOE_SID).dec().network_order(),            "The PPPoE session.", unless<outside_pppoe>},
    {"ppp_proto",     "PROTOCOL",       custom<read_ppp>,                                               "The PPP protocol; it is what the keys after it match.", unless<outside_pppoe>},
    {"enc_dst_ip*",   "PREFIX",         custom<read_tunnel_ip<TCA_FLOWER_KEY_ENC_IPV4_DST, TCA_FLOWER_KEY_ENC_IPV4_DST_MASK, TCA_FLOWER_KEY_ENC_IPV6_DST, TCA_FLOWER_KEY_ENC_IPV6_DST_MASK>>, "The destination address of the tunnel."},
    {"enc_src_ip*",   "PREFIX",         custom<read_tunnel_ip<TCA_FLOWER_KEY_ENC_IPV4_SRC, TCA_FLOWER_KEY_ENC_IPV4_SRC_MASK, TCA_FLOWER_KEY_ENC_IPV6_SRC, TCA_FLOWER_KEY_ENC_IPV6_SRC_MASK>>, "The source address of the tunnel."},
    {"enc_key_id*",   "N",              U32(TCA_FLOWER_KEY_ENC_KEY_ID).dec().network_order(),           "The tunnel's key or VNI."},
    {"enc_dst_port*", "PORT",           U16(TCA_FLOWER_KEY_ENC_UDP_DST_PORT).dec().network_order(),     "The tunnel's destination port."},
    {"enc_tos*",      "N[/MASK]",       custom<read_tos_or_ttl<TCA_FLOWER_KEY_ENC_IP_TOS, TCA_FLOWER_KEY_ENC_IP_TOS_MASK>>, "The tunnel's type of service; MASK in hexadecimal."},
    {"enc_ttl*",      "N[/MASK]",       custom<read_tos_or_ttl<TCA_FLOWER_KEY_ENC_IP_TTL, TCA_FLOWER_KEY_ENC_IP_TTL_MASK>>, "The tunnel's time to live; MASK in hexadecimal."},
    {"geneve_opts*",  "OPTIONS[/MASK]", custom<read_masked<put_geneve_options>>,                        "Geneve options, CLASS:TYPE:DATA in hexadecimal, several between commas."},
    {"vxlan_opts*",   "GBP[/MASK]",     custom<read_masked<put_vxlan_options>>,                         "The VXLAN group policy."},
    {"erspan_opts*",  "OPTIONS[/MASK]", custom<read_masked<put_erspan_options>>,                        "ERSPAN's VERSION:INDEX:DIRECTION:HWID."},
    {"gtp_opts",      "OPTIONS[/MASK]", custom<read_masked<put_gtp_options>>,                           "GTP's PDU_TYPE:QFI, in hexadecimal."},
    {"pfcp_opts",     "OPTIONS[/MASK]", custom<read_masked<put_pfcp_options>>,                          "PFCP's TYPE:SEID, in hexadecimal."},
    {"enc_flags",     "FLAGS",          custom<read_tunnel_flags>,                                      "tuncsum, tundf, tunoam, tuncrit or, with no before it, the opposite; several between slashes."},
    {"action*",       "...",            custom<read_actions>,                                           "What is done with the packets."},
    {"cfm",           "...",            custom<read_cfm>,                                               "Connectivity fault management: mdl LEVEL, op OPCODE.", unless<outside_cfm>},
};
constexpr auto table = keywords<Flower>(rows);

void put_flags(Line& line, MaskedFlags const& flags, u16 attribute, u16 mask) {
    if (!flags.mask) return;
    line.out.put(attribute, big32(flags.value));
    line.out.put(mask, big32(flags.mask));
}

void read(Line& line, FilterHead const& head) {
    if (head.handle) header(line).tcm_handle = static_cast<u32>(read_number(*head.handle));
    line.out.nest(TCA_OPTIONS, [&] {
        Flower f{.line_protocol = head.protocol, .protocol = head.protocol};
        Reader(table, f).read_all(line);
        line.source_keyword("skip_");
        line.out.put(TCA_FLOWER_FLAGS, f.flags);
        line.source_keyword("ip_flags");
        put_flags(line, f.ip_flags, TCA_FLOWER_KEY_FLAGS, TCA_FLOWER_KEY_FLAGS_MASK);
        line.source_keyword("enc_flags");
        put_flags(line, f.tunnel_flags, uapi::TCA_FLOWER_KEY_ENC_FLAGS, uapi::TCA_FLOWER_KEY_ENC_FLAGS_MASK);
        line.source_keyword("protocol");
        if (head.protocol != ETH_P_ALL) line.out.put(TCA_FLOWER_KEY_ETH_TYPE, big16(head.protocol));
    });
}

}  // namespace

extern constinit FilterKind const flower_filter = {
    {"filter", "flower", "Matches the fields of packets' headers.", {{{"", table}, {"mpls lse", stack_entry_table}, {"cfm", cfm_table}}}}, read};

}  // namespace nlstream::tc
