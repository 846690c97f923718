// Names and forms of attributes, for people.
#pragma once
#include <linux/netlink.h>

#include <span>
#include <string_view>

#include "netlink/integers.hpp"

namespace nlstream::decode_detail {

/// How an attribute's payload is shown.
enum class As : u8 {
    number,      ///< 1, 2, 4 or 8 bytes, host order
    big_number,  ///< the same, network order
    text,        ///< with or without its ending NUL
    address,     ///< 4 bytes: IPv4; 16: IPv6; 6: a link-layer address
    flag,        ///< no payload
    nest,        ///< attributes of `space`

    hops,        ///< rtnexthop records, each with attributes of `space`
    options,     ///< TCA_OPTIONS, IFLA_INFO_DATA, TCA_ACT_OPTIONS: attributes that the kind named before gives a meaning
    bytes,       ///< anything else
};

struct Attribute;
using Space = std::span<Attribute const>;

struct Attribute {
    u16 type;
    std::string_view name;
    As as = As::bytes;
    Space (*space)() = nullptr;
    std::string_view kinds = {};  ///< of `options`: the section of KindInfo ("qdisc", "filter", "link", "action")
};

Space route_attributes();
Space address_attributes();
Space link_attributes();
Space neighbour_attributes();
Space rule_attributes();
Space nexthop_attributes();
Space traffic_attributes();
Space action_attributes();
Space vlan_attributes();
Space mdb_attributes();
Space vni_attributes();
Space label_attributes();
Space stats_attributes();
Space neighbour_table_attributes();
Space actions_attributes();

/// RTM_NEWROUTE -> "RTM_NEWROUTE"; empty if unknown.
std::string_view message_type_name(u16 type);

}  // namespace nlstream::decode_detail
