// ip link ... vf: the virtual functions of a device.
#include <linux/if_ether.h>
#include <linux/if_link.h>

#include <optional>

#include "netlink/address.hpp"
#include "netlink/ether_protocol.hpp"
#include "netlink/ip/link.hpp"
#include "netlink/received.hpp"

namespace nlstream::ip {
namespace {

struct VirtualFunction {
    u32 number = 0;
    u32 link_index = 0;
    u8 address_length = 0;     // of the device; 0: not known
    bool rates_at_end = false; // min_tx_rate or max_tx_rate follow: `rate` then means the greatest rate
    bool max_follows = false;
    std::optional<u32> min_rate, max_rate;  // Mbit/s
};

void read_vf_mac(Line& line, VirtualFunction& v) {
    ifla_vf_mac mac{};
    mac.vf = v.number;
    auto const& word = line.take("MAC");
    auto const length = read_link_address(word, mac.mac);
    if (v.address_length && length != v.address_length) fail_value(word, "an address of this device", std::to_string(v.address_length) + " bytes");
    line.out.put(IFLA_VF_MAC, mac);
}

/// "VID [qos QOS] [proto PROTOCOL]". Zeroed first: its padding is sent.
ifla_vf_vlan_info read_vlan_info(Line& line, u32 vf) {
    ifla_vf_vlan_info info{};
    info.vf = vf;
    info.vlan = static_cast<u32>(read_number(line.take("VID"), 0, 4095));
    if (line.take_if_abbreviates("qos")) info.qos = static_cast<u32>(read_number(line.take("QOS")));
    info.vlan_proto = big16(ETH_P_8021Q);
    if (line.take_if_abbreviates("proto")) {
        auto const& word = line.take("PROTOCOL");
        auto const protocol = read_ether_protocol(word);
        if (protocol != ETH_P_8021Q && protocol != ETH_P_8021AD) fail_value(word, "a VLAN protocol", "802.1Q or 802.1ad");
        info.vlan_proto = big16(protocol);
    }
    return info;
}

void read_vf_vlan(Line& line, VirtualFunction& v) {
    auto info = read_vlan_info(line, v.number);
    if (info.vlan_proto == big16(ETH_P_8021Q)) {
        ifla_vf_vlan const tag{.vf = info.vf, .vlan = info.vlan, .qos = info.qos};
        return line.out.put(IFLA_VF_VLAN, tag);
    }
    line.out.nest(IFLA_VF_VLAN_LIST, [&] {
        line.out.put(IFLA_VF_VLAN_INFO, info);
        while (line.take_if_abbreviates("vlan")) {
            info = read_vlan_info(line, v.number);
            line.out.put(IFLA_VF_VLAN_INFO, info);
        }
    });
}

void read_vf_rate(Line& line, VirtualFunction& v) {
    auto const rate = static_cast<u32>(read_number(line.take("MBIT")));
    if (!v.rates_at_end) return line.out.put(IFLA_VF_TX_RATE, ifla_vf_tx_rate{.vf = v.number, .rate = rate});
    if (!v.max_follows) v.max_rate = rate;
}
void read_vf_max_rate(Line& line, VirtualFunction& v) { v.max_rate = static_cast<u32>(read_number(line.take("MBIT"))); }
void read_vf_min_rate(Line& line, VirtualFunction& v) { v.min_rate = static_cast<u32>(read_number(line.take("MBIT"))); }

template <u16 Attribute>
void read_vf_switch(Line& line, VirtualFunction& v) {
    // ifla_vf_spoofchk, ifla_vf_trust and ifla_vf_rss_query_en are alike.
    line.out.put(Attribute, ifla_vf_trust{.vf = v.number, .setting = static_cast<u32>(read_choice(line.take("on or off"), off_on, "this switch"))});
}

constexpr NamedValue states[] = {{"auto*", IFLA_VF_LINK_STATE_AUTO}, {"enable*", IFLA_VF_LINK_STATE_ENABLE}, {"disable*", IFLA_VF_LINK_STATE_DISABLE}};

void read_vf_state(Line& line, VirtualFunction& v) {
    line.out.put(IFLA_VF_LINK_STATE, ifla_vf_link_state{.vf = v.number, .link_state = static_cast<u32>(read_choice(line.take("STATE"), states, "state"))});
}

template <u16 Attribute>
void read_vf_guid(Line& line, VirtualFunction& v) {
    auto const& word = line.take("GUID");
    std::array<u8, 8> bytes{};
    bool good = word.text.size() == 23;
    for (std::size_t i = 2; good && i < 23; i += 3) good = word.text[i] == ':';
    if (!good || read_link_address(word, bytes) != 8) fail_value(word, "a GUID", "eight bytes of two hexadecimal digits, such as 00:11:22:33:44:55:66:77");
    ifla_vf_guid guid;
    std::memset(&guid, 0, sizeof guid);  // with its padding, which is sent
    guid.vf = v.number;
    for (auto const byte : bytes) guid.guid = guid.guid << 8 | byte;
    line.out.put(Attribute, guid);
}

constexpr Row rows[] = {
    {"mac*",         "MAC",                             custom<read_vf_mac>,                            "Its address."},
    {"vlan*",        "VID [qos QOS] [proto PROTOCOL]",  custom<read_vf_vlan>,                           "Its packets are tagged with VID (0: not); with proto 802.1ad several may follow."},
    {"rate*",        "MBIT",                            custom<read_vf_rate>,                           "Send at most MBIT Mbit/s (0: no limit)."},
    {"max_tx_rate*", "MBIT",                            custom<read_vf_max_rate>,                       "Send at most MBIT Mbit/s (0: no limit)."},
    {"min_tx_rate*", "MBIT",                            custom<read_vf_min_rate>,                       "Guaranteed to it, in Mbit/s."},
    {"spoofchk*",    "on|off",                          custom<read_vf_switch<IFLA_VF_SPOOFCHK>>,       "Drop what it sends from other addresses."},
    {"query_rss*",   "on|off",                          custom<read_vf_switch<IFLA_VF_RSS_QUERY_EN>>,   "It may read the device's RSS settings."},
    {"trust*",       "on|off",                          custom<read_vf_switch<IFLA_VF_TRUST>>,          "It may do what only trusted functions may."},
    {"state*",       "auto|enable|disable",             custom<read_vf_state>,                          "Its link is as the device's, always up, or always down."},
    {"node_guid*",   "GUID",                            custom<read_vf_guid<IFLA_VF_IB_NODE_GUID>>,     "The InfiniBand node GUID, eight bytes between colons."},
    {"port_guid*",   "GUID",                            custom<read_vf_guid<IFLA_VF_IB_PORT_GUID>>,     "The InfiniBand port GUID, eight bytes between colons."},
};
constexpr auto table = keywords<VirtualFunction>(rows);

/// Whether this keyword follows before the next `vf`.
bool follows(Line const& line, std::string_view keyword) {
    for (auto i = line.position(); i < line.all().size() && line.all()[i].text != "vf"; ++i)
        if (auto const* row = Table(table).find(line.all()[i].text); row && name_of(*row) == keyword) return true;
    return false;
}

/// The rates that the function has now; none where the device does not tell. Throws BarrierNeeded: a line before may set one of them.
ifla_vf_rate present_rates(Line& line, VirtualFunction const& v) {
    line.require_settled();
    ifla_vf_rate found{.vf = v.number, .min_tx_rate = 0, .max_tx_rate = 0};
    MessageBuffer request;
    request.begin(RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP);
    request.fixed_header<ifinfomsg>();
    request.put(IFLA_EXT_MASK, u32{RTEXT_FILTER_VF});
    request.end();
    line.kernel.dump(request.bytes(), [&](nlmsghdr const& message) {
        auto const* head = body_of<ifinfomsg>(message);
        if (message.nlmsg_type != RTM_NEWLINK || !head || head->ifi_index != static_cast<int>(v.link_index)) return;
        for_each_attribute(attributes_of(message, sizeof *head), [&](nlattr const& list) {
            if (type_of(list) != IFLA_VFINFO_LIST) return;
            for_each_attribute(list, [&](nlattr const& function) {
                for_each_attribute(function, [&](nlattr const& detail) {
                    if (type_of(detail) != IFLA_VF_RATE || payload_of(detail).size() < sizeof found) return;
                    if (auto const rate = value_of<ifla_vf_rate>(detail); rate.vf == v.number) found = rate;
                });
            });
        });
    });
    return found;
}

void put_rates(Line& line, VirtualFunction const& v) {
    auto const& last = line.last();
    ifla_vf_rate rate{.vf = v.number, .min_tx_rate = 0, .max_tx_rate = 0};
    if (!v.min_rate || !v.max_rate) rate = present_rates(line, v);
    if (v.min_rate) rate.min_tx_rate = *v.min_rate;
    if (v.max_rate) rate.max_tx_rate = *v.max_rate;
    if (rate.max_tx_rate && rate.min_tx_rate > rate.max_tx_rate)
        fail_use(last, "the guaranteed rate, " + std::to_string(rate.min_tx_rate) + ", is more than the greatest, " + std::to_string(rate.max_tx_rate));
    line.out.put(IFLA_VF_RATE, rate);
}

}  // namespace

Table virtual_function_table() { return table; }

void read_virtual_function(Line& line, Word const& dev) {
    VirtualFunction v;
    v.number = static_cast<u32>(read_signed(line.take("N"), -2147483648LL, 2147483647));
    v.max_follows = follows(line, "max_tx_rate");
    v.rates_at_end = v.max_follows || follows(line, "min_tx_rate");
    if (auto const* link = line.links.find(dev.text)) {
        v.link_index = link->index;
        v.address_length = link->address_length;
    }
    line.out.nest(IFLA_VFINFO_LIST, [&] {
        line.out.nest(IFLA_VF_INFO, [&] {
            Reader reader(table, v);
            if (line.done()) fail_missing(line, "a setting of the virtual function");
            if (!reader.read_one(line)) reader.fail_unknown(line);
            reader.read_some(line);
            if (v.rates_at_end) put_rates(line, v);
        });
    });
}

}  // namespace nlstream::ip
