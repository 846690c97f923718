// The words about one link that do not depend on its type: iproute2 reads them for ip link and for a peer.
#include <linux/if.h>
#include <linux/if_link.h>

#include <array>

#include "netlink/address.hpp"
#include "netlink/ip/link.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/ip/namespaces.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct OneLink {
    ifinfomsg& head;
    LinkSubject subject;
    Word const* lower = nullptr;               // behind `link`
    Word const* address = nullptr;
    std::size_t address_length = 0;
    Word const* index_word = nullptr;
    u32 index = 0;
    OpenFile const* target = nullptr;          // the namespace that `netns` moves to
    Word const* lower_namespace = nullptr;     // behind link-netns
    std::optional<s32> lower_namespace_id;     // of link-netnsid
};

std::string_view second_link_netns(OneLink const& w) { return w.lower_namespace || w.lower_namespace_id ? "the namespace of the lower link was given before" : ""; }

void read_name(Line& line, OneLink& w) {
    auto const& word = line.take("NAME");
    if (w.subject.name) fail_use(word, "a name was given before");
    check_link_name(word);
    w.subject.name = &word;
    if (!w.subject.dev) w.subject.dev = &word;
}

void read_dev(Line& line, OneLink& w) {
    auto const& word = line.take("DEVICE");
    if (w.subject.dev != w.subject.name) fail_use(word, "a device was given before");
    if (word.text.empty() || word.text.size() >= ALTIFNAMSIZ) fail_value(word, "a link's name", "1 to 127 bytes");
    w.subject.dev = &word;
}

void read_lower(Line& line, OneLink& w) { w.lower = &line.take("DEVICE"); }

template <u16 Attribute>
void read_address(Line& line, OneLink& w) {
    std::array<u8, 32> bytes;
    auto const& word = line.take("LLADDR");
    auto const length = read_link_address(word, bytes);
    line.out.put(Attribute, bytes.data(), length);
    if (Attribute != IFLA_ADDRESS) return;
    w.address = &word;
    w.address_length = length;
}

void read_index(Line& line, OneLink& w) {
    w.index_word = &line.take("INDEX");
    w.index = static_cast<u32>(read_number(*w.index_word, 1, 0x7fffffff, 10));
}

/// Sets or clears a flag of the link; `Off`: its bit says that the thing is off.
template <u32 Bit, bool Off = false>
void read_flag(Line& line, OneLink& w) {
    bool const on = read_choice(line.take("on or off"), off_on, "this switch") != 0;
    w.head.ifi_change |= Bit;
    if (on != Off) w.head.ifi_flags |= Bit;
    else w.head.ifi_flags &= ~Bit;
}

void read_up(Line&, OneLink& w) {
    w.head.ifi_change |= IFF_UP;
    w.head.ifi_flags |= IFF_UP;
}
void read_down(Line&, OneLink& w) {
    w.head.ifi_change |= IFF_UP;
    w.head.ifi_flags &= ~u32{IFF_UP};
}

void read_inet(Line& line, OneLink&) { read_inet_settings(line); }

template <u32 Mode>
void read_xdp_mode(Line& line, OneLink& w) {
    u32 device = 0;
    if (Mode == XDP_FLAGS_HW_MODE) {
        if (!w.subject.dev) fail_use(line.last(), "\"dev DEVICE\" has to stand before it");
        device = line.links.index(*w.subject.dev);
    }
    read_xdp(line, Mode, device);
}

void read_netns(Line& line, OneLink& w) {
    w.target = &open_namespace_or_of_process(line, line.take("NETNS"));
    w.subject.moves = true;
    line.out.put(IFLA_NET_NS_FD, w.target->descriptor());
}

void read_vf(Line& line, OneLink& w) {
    if (!w.subject.dev) fail_use(line.last(), "\"dev DEVICE\" has to stand before it");
    read_virtual_function(line, *w.subject.dev);
}

void read_vrf(Line& line, OneLink&) {
    auto const& word = line.take("VRF");
    auto const& link = line.links.get(word);
    if (link.kind != "vrf") fail_value(word, "a VRF", "a link of type vrf");
    line.out.put(IFLA_MASTER, link.index);
}

void read_type(Line& line, OneLink& w) { w.subject.type = &line.take("TYPE"); }

void read_group(Line& line, OneLink& w) {
    line.out.put(IFLA_GROUP, nlstream::read_name(line, line.take("GROUP"), Names::Of::group));
    w.subject.group = true;
}

/// As read_choice, letters' case aside.
u64 read_choice_in_any_case(Word const& word, std::span<NamedValue const> words, std::string_view what) {
    for (auto const& candidate : words)
        if (equal_ignoring_case(candidate.word, word.text)) return candidate.value;
    return read_choice(word, words, what);
}

constexpr NamedValue link_modes[] = {{"default", 0}, {"dormant", 1}};
void read_mode(Line& line, OneLink&) { line.out.put(IFLA_LINKMODE, static_cast<u8>(read_choice_in_any_case(line.take("MODE"), link_modes, "mode"))); }

// linux/if.h, IF_OPER_*
constexpr NamedValue operational_states[] = {{"unknown", 0}, {"notpresent", 1}, {"down", 2}, {"lowerlayerdown", 3}, {"testing", 4}, {"dormant", 5}, {"up", 6}};
void read_state(Line& line, OneLink&) { line.out.put(IFLA_OPERSTATE, static_cast<u8>(read_choice_in_any_case(line.take("STATE"), operational_states, "state"))); }

constexpr NamedValue address_modes[] = {{"eui64", IN6_ADDR_GEN_MODE_EUI64}, {"none", IN6_ADDR_GEN_MODE_NONE}, {"stable_secret", IN6_ADDR_GEN_MODE_STABLE_PRIVACY},
                                        {"random", IN6_ADDR_GEN_MODE_RANDOM}};
void read_address_mode(Line& line, OneLink&) {
    auto const mode = static_cast<u8>(read_choice_in_any_case(line.take("MODE"), address_modes, "addrgenmode"));
    line.out.nest(IFLA_AF_SPEC, [&] { line.out.nest(AF_INET6, [&] { line.out.put(IFLA_INET6_ADDR_GEN_MODE, mode); }); });
}

void read_lower_namespace(Line& line, OneLink& w) { w.lower_namespace = &line.take("NETNS"); }
void read_lower_namespace_id(Line& line, OneLink& w) {
    w.lower_namespace_id = static_cast<s32>(read_signed(line.take("ID"), -2147483648LL, 2147483647));
    line.out.put(IFLA_LINK_NETNSID, *w.lower_namespace_id);
}

constexpr NamedValue abbreviated_off_on[] = {{"on*", 1}, {"off*", 0}};
void read_protodown_reason(Line& line, OneLink&) {
    u32 const bit = u32{1} << nlstream::read_name(line, line.take("REASON"), Names::Of::protodown_reason);
    bool const on = read_choice(line.take("on or off"), abbreviated_off_on, "protodown_reason") != 0;
    line.out.nest(IFLA_PROTO_DOWN_REASON | NLA_F_NESTED, [&] {
        line.out.put(IFLA_PROTO_DOWN_REASON_MASK, bit);
        line.out.put(IFLA_PROTO_DOWN_REASON_VALUE, on ? bit : 0);
    });
}

// clang-format off
constexpr Row rows[] = {
    {"up",               "",              custom<read_up>,                                   "Switch it on."},
    {"down",             "",              custom<read_down>,                                 "Switch it off."},
    {"name",             "NAME",          custom<read_name>,                                 "Its name, or the new one of a link named by dev."},
    {"index",            "INDEX",         custom<read_index>,                                "The index of a new link, or in the namespace that it moves to.", {}, true},
    {"link*",            "DEVICE",        custom<read_lower>,                                "The link below a new one."},
    {"address*",         "LLADDR",        custom<read_address<IFLA_ADDRESS>>,                "Its link-layer address."},
    {"broadcast*|brd",   "LLADDR",        custom<read_address<IFLA_BROADCAST>>,              "Its link-layer broadcast address, or a tunnel's other end."},
    {"txqueuelen*|qlen|txqlen*", "PACKETS", S32(IFLA_TXQLEN),                                "Length of its transmit queue, in packets.", {}, true},
    {"mtu",              "BYTES",         S32(IFLA_MTU),                                     "The largest packet that it takes.", {}, true},
    {"inet",             "...",           custom<read_inet>,                                 "IPv4 settings, one or more."},
    {"xdpgeneric",       "off|object FILE|pinned FILE", custom<read_xdp_mode<XDP_FLAGS_SKB_MODE>>,      "As xdp, run by the network stack."},
    {"xdpdrv",           "off|object FILE|pinned FILE", custom<read_xdp_mode<XDP_FLAGS_DRV_MODE>>,       "As xdp, run by the driver."},
    {"xdpoffload",       "off|object FILE|pinned FILE", custom<read_xdp_mode<XDP_FLAGS_HW_MODE>>,        "As xdp, run by the hardware."},
    {"xdp",              "off|object FILE|pinned FILE", custom<read_xdp_mode<0>>,                        "The BPF program that sees its packets first; off: none."},
    {"netns",            "NETNS",         custom<read_netns>,                                "Make it in, or move it to, the network namespace of this name, path or process.", {}, true},
    {"multicast",        "on|off",        custom<read_flag<IFF_MULTICAST>>,                  "It can do multicast."},
    {"allmulticast",     "on|off",        custom<read_flag<IFF_ALLMULTI>>,                   "Take all multicast packets."},
    {"promisc",          "on|off",        custom<read_flag<IFF_PROMISC>>,                    "Take all packets."},
    {"trailers",         "on|off",        custom<read_flag<IFF_NOTRAILERS, true>>,           "A flag without effect."},
    {"arp",              "on|off",        custom<read_flag<IFF_NOARP, true>>,                "Resolve addresses by ARP or neighbour discovery."},
    {"carrier",          "on|off",        OnOff(IFLA_CARRIER),                               "Whether it has a carrier, where software decides that."},
    {"vf",               "N ...",         custom<read_vf>,                                   "Settings of the device's virtual function N, one or more."},
    {"master*",          "DEVICE",        device(IFLA_MASTER),                               "The bridge, bond, team or VRF that it belongs to."},
    {"vrf",              "VRF",           custom<read_vrf>,                                  "The VRF that it belongs to."},
    {"nomaster*",        "",              put_u32(IFLA_MASTER, 0),                           "It belongs to no other link."},
    {"dynamic*",         "on|off",        custom<read_flag<IFF_DYNAMIC>>,                    "Its addresses go when it is switched off (a flag only)."},
    {"type*",            "TYPE ...",      custom<read_type>,                                 "Its type; all that follows is the type's."},
    {"alias*",           "TEXT",          Text{IFLA_IFALIAS, IFALIASZ - 1, false},           "A remark about it; \"\" removes it."},
    {"group",            "GROUP",         custom<read_group>,                                "The group that it belongs to; without a device, all links of the group are meant.", {}, true},
    {"mode",             "default|dormant", custom<read_mode>,                               "What it becomes with a carrier: usable, or dormant until told up."},
    {"state",            "STATE",         custom<read_state>,                                "Its operational state: up, down, dormant, testing, unknown, notpresent or lowerlayerdown."},
    {"numtxqueues*",     "COUNT",         S32(IFLA_NUM_TX_QUEUES),                           "How many transmit queues a new link has.", {}, true},
    {"numrxqueues*",     "COUNT",         S32(IFLA_NUM_RX_QUEUES),                           "How many receive queues a new link has.", {}, true},
    {"addrgenmode*",     "MODE",          custom<read_address_mode>,                         "How its IPv6 link-local address is made: eui64, none, stable_secret or random."},
    {"link-netns*",      "NETNS",         custom<read_lower_namespace>,                      "The namespace of the link below, by name or path.", unless<second_link_netns>},
    {"link-netnsid*",    "ID",            custom<read_lower_namespace_id>,                   "The namespace of the link below, by number.", unless<second_link_netns>},
    {"protodown",        "on|off",        OnOff(IFLA_PROTO_DOWN),                            "Hold it down on behalf of a protocol."},
    {"protodown_reason", "REASON on|off", custom<read_protodown_reason>,                     "Set or clear one of the reasons for protodown, a name or 0 to 31."},
    {"gso_max_size",     "BYTES",         U32(IFLA_GSO_MAX_SIZE),                            "The largest packet that is left to segmentation offload."},
    {"gso_max_segs",     "COUNT",         U32(IFLA_GSO_MAX_SEGS).in(0, 65535),               "The most segments that such a packet has."},
    {"gro_max_size",     "BYTES",         U32(IFLA_GRO_MAX_SIZE),                            "The largest packet that receive offload makes."},
    {"gso_ipv4_max_size", "BYTES",        U32(uapi::IFLA_GSO_IPV4_MAX_SIZE),                 "As gso_max_size, for IPv4."},
    {"gro_ipv4_max_size", "BYTES",        U32(uapi::IFLA_GRO_IPV4_MAX_SIZE),                 "As gro_max_size, for IPv4."},
    {"parentdev",        "NAME",          Text{IFLA_PARENT_DEV_NAME, 0xfff0},                "The device (no network link) that a new link is made on."},
    {"dev",              "DEVICE",        custom<read_dev>,                                  "The link; the word itself may be left out."},
};
// clang-format on
constexpr auto table = keywords<OneLink>(rows);

void read_all(Line& line, OneLink& w) {
    Reader reader(table, w);
    while (!w.subject.type && !line.done()) {
        if (reader.read_one(line)) continue;
        // Any other word is the link's name; a second one is more likely a mistyped keyword.
        if (w.subject.dev != w.subject.name) reader.fail_unknown(line);
        if (abbreviates(line.peek().text, "help")) fail_use(line.peek(), "it asks ip for help: write \"dev\" before a name");
        read_dev(line, w);
    }
}

/// An address that a link of this name cannot have; its own length is known only if the link is.
void check_address_length(Line& line, OneLink const& w) {
    if (!w.address || !w.subject.dev || creates(line)) return;
    auto const* link = line.links.find(w.subject.dev->text);
    if (link && link->address_length && link->address_length != w.address_length)
        fail_value(*w.address, "an address of this link", std::to_string(link->address_length) + " bytes");
}

void resolve_lower_namespace(Line& line, OneLink& w) {
    if (!w.lower_namespace) return;
    // The number holds in the namespace that the link will be in.
    w.lower_namespace_id = line.kernel.namespace_id(open_namespace(line, *w.lower_namespace), w.target);
    if (!w.lower_namespace_id) fail_use(*w.lower_namespace, "the kernel gives this namespace no number here");
    line.out.source(w.lower_namespace->span);
    line.out.put(IFLA_LINK_NETNSID, *w.lower_namespace_id);
}

void put_lower(Line& line, OneLink const& w) {
    if (!w.lower) return;
    line.out.source(w.lower->span);
    if (!w.lower_namespace_id || *w.lower_namespace_id == -1) return line.out.put(IFLA_LINK, line.links.index(*w.lower));
    auto const index = line.kernel.link_in(*w.lower_namespace_id, w.target, w.lower->text);
    if (!index) throw Diagnostic{"there is no link \"" + std::string(w.lower->text) + '"', w.lower->span, "not found in its namespace", {}, code::no_device};
    line.out.put(IFLA_LINK, *index);
}

void put_index_and_name(Line& line, OneLink& w) {
    auto& s = w.subject;
    if (!creates(line)) {
        if (!s.dev) fail_missing(line, "a device");
        w.head.ifi_index = static_cast<int>(line.links.index(*s.dev));
        if (s.name == s.dev) s.name = nullptr;
        if (w.index_word) {
            line.out.source(w.index_word->span);
            line.out.put(IFLA_NEW_IFINDEX, w.index);
        }
    } else {
        if (s.name != s.dev) fail_use(*s.dev, "a new link has one name");
        put_lower(line, w);
        w.head.ifi_index = static_cast<int>(w.index);
    }
    if (!s.name) return;
    line.out.source(s.name->span);
    line.out.put_string(IFLA_IFNAME, s.name->text);
}

}  // namespace

Table link_words_table() { return table; }

LinkSubject read_link_words(Line& line, ifinfomsg& head) {
    OneLink w{.head = head};
    read_all(line, w);
    auto& s = w.subject;
    if (!s.name) s.name = s.dev;
    else if (s.name->text == s.dev->text) s.dev = s.name;

    check_address_length(line, w);
    if (w.index_word && !creates(line) && !s.moves) fail_use(*w.index_word, "an index can be chosen for a new link or one that moves to another namespace");
    if (s.group && !s.dev) {
        // All links of the group; a type that is the last word is not sent.
        if (creates(line)) fail_missing(line, "the name of the new link");
        if (!line.done()) fail_use(line.peek(), "the command is complete before it");
        s.type = nullptr;
        return s;
    }
    s.group = false;
    resolve_lower_namespace(line, w);
    put_index_and_name(line, w);
    return s;
}

void read_peer(Line& line, u16 attribute) {
    LinkSubject peer;
    line.out.nest(attribute, [&] {
        auto const at = line.out.position();
        ifinfomsg const none{};
        line.out.put_raw(&none, sizeof none);
        peer = read_link_words(line, line.out.value_at<ifinfomsg>(at));
    });
    if (peer.type) fail_use(*peer.type, "the peer has the same type");
    touch_links(line, peer);
}

void touch_links(Line& line, LinkSubject const& subject) {
    bool const removes = line.out.head().nlmsg_type == RTM_DELLINK;
    if (removes || subject.moves || subject.group || (creates(line) && !subject.name)) return line.links.touched_any();
    if (!subject.name) return;
    if (subject.dev != subject.name) line.links.touched(subject.dev->text);
    line.links.touched(subject.name->text);
}

}  // namespace nlstream::ip
