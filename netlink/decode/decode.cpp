#include "netlink/decode.hpp"

#include <arpa/inet.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/if_addrlabel.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <linux/pkt_cls.h>
#include <linux/rtnetlink.h>

#include <array>
#include <cstring>
#include <utility>

#include "netlink/command.hpp"
#include "netlink/decode/schema.hpp"
#include "netlink/received.hpp"

namespace nlstream {
namespace {

using namespace decode_detail;
using Bytes = std::span<std::byte const>;

template <class T>
T value_of(Bytes bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
    return value;
}

std::string hex_of(Bytes bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (auto const byte : bytes) {
        out += digits[std::to_integer<unsigned>(byte) >> 4];
        out += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return out;
}

std::string number_text(Bytes bytes, bool big) {
    u64 value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto const byte = std::to_integer<u64>(bytes[i]);
        value = big ? value << 8 | byte : value | byte << (8 * i);
    }
    return std::to_string(value);
}

std::string address_text(Bytes bytes) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (bytes.size() == 4) return inet_ntop(AF_INET, bytes.data(), text.data(), text.size());
    if (bytes.size() == 16) return inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); ++i) out += (i ? ":" : "") + hex_of(bytes.subspan(i, 1));
    return out;
}

bool is_text(Bytes bytes) {
    if (bytes.size() < 2 || bytes.back() != std::byte{0}) return false;
    for (auto const byte : bytes.first(bytes.size() - 1))
        if (std::to_integer<unsigned>(byte) < 0x20 || std::to_integer<unsigned>(byte) > 0x7e) return false;
    return true;
}

std::string quoted(Bytes bytes) {
    while (!bytes.empty() && bytes.back() == std::byte{0}) bytes = bytes.first(bytes.size() - 1);
    std::string out = "\"";
    for (auto const byte : bytes) {
        auto const c = std::to_integer<char>(byte);
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<u8>(c) < 0x20 || static_cast<u8>(c) > 0x7e) out += "\\x" + hex_of({&byte, 1});
        else out += c;
    }
    return out + '"';
}

/// Attributes that a row of a kind's table puts, by type -> the row's name.
std::string_view keyword_of(KindInfo const* kind, u16 type) {
    if (!kind) return {};
    for (auto const& named : kind->tables)
        for (auto const& row : named.table().rows())
            if (attribute_of(row.value) == type) return name_of(row);
    return {};
}

/// True when the bytes are well-formed attributes from end to end, which other payloads hardly ever are.
bool looks_nested(Bytes bytes) {
    bool types = bytes.size() >= sizeof(nlattr);
    auto const rest = for_each_attribute(bytes, [&](nlattr const& one) { types = types && type_of(one) != 0 && type_of(one) <= 127; });
    return types && rest.empty();
}

KindInfo const* find_info(std::string_view section, std::string_view name) {
    for (auto const* kind : all_kinds())
        if (kind->section == section && kind->name == name) return kind;
    return nullptr;
}

class Decoder {
  public:
    explicit Decoder(std::string_view tc_section) : tc_section_(tc_section) {}

    std::string take() && { return std::move(out_); }
    void line(std::string const& text) { out_.append(2 * depth_, ' ').append(text) += '\n'; }

    void attributes(Bytes bytes, Space space) {
        ++depth_;
        auto const rest = for_each_attribute(bytes, [&](nlattr const& one) { attribute(type_of(one), payload_of(one), space); });
        if (!rest.empty()) line("rest " + hex_of(rest));
        --depth_;
    }

  private:
    void attribute(u16 type, Bytes payload, Space space) {
        for (auto const& known : space)
            if (known.type == type) return show(known, payload);
        // What no table names: numbers and texts are shown as such, the rest in hexadecimal.
        auto const keyword = keyword_of(kind_, type);
        auto const name = keyword.empty() ? std::to_string(type) : std::string(keyword);
        if (payload.empty()) return line(name);
        if (looks_nested(payload)) {
            line(name);
            // The kind's keywords name its own attributes, not those inside them.
            auto const* const outer = std::exchange(kind_, nullptr);
            attributes(payload, is_action(payload) ? action_attributes() : Space{});
            kind_ = outer;
            return;
        }
        if (is_text(payload)) return line(name + ' ' + quoted(payload));
        if (payload.size() == 1 || payload.size() == 2 || payload.size() == 4 || payload.size() == 8) return line(name + " 0x" + hex_of(payload) + " (" + number_text(payload, false) + ')');
        line(name + " 0x" + hex_of(payload));
    }

    /// An element of a list of actions begins with the action's kind.
    static bool is_action(Bytes nest) {
        auto const head = value_of<nlattr>(nest);
        auto const payload = nest.subspan(sizeof head, head.nla_len - sizeof head);
        return type_of(head) == TCA_ACT_KIND && is_text(payload) && find_info("action", std::string_view(reinterpret_cast<char const*>(payload.data()), payload.size() - 1));
    }

    void show(Attribute const& known, Bytes payload) {
        std::string const name(known.name);
        switch (known.as) {
            case As::number: return line(name + ' ' + number_text(payload, false));
            case As::big_number: return line(name + ' ' + number_text(payload, true));
            case As::text:
                if (name.ends_with("_KIND")) kind_name_ = std::string(reinterpret_cast<char const*>(payload.data()), strnlen(reinterpret_cast<char const*>(payload.data()), payload.size()));
                return line(name + ' ' + quoted(payload));
            case As::address: return line(name + ' ' + address_text(payload));
            case As::flag: return line(name);
            case As::nest:
                line(name);
                return attributes(payload, known.space());
            case As::hops: return hops(name, payload, known.space());
            case As::options: return options(name, payload, known.kinds == "tc" ? tc_section_ : known.kinds);
            case As::bytes: return line(name + " 0x" + hex_of(payload));
        }
    }

    void hops(std::string const& name, Bytes payload, Space space) {
        line(name);
        ++depth_;
        while (payload.size() >= sizeof(rtnexthop)) {
            auto const hop = value_of<rtnexthop>(payload);
            if (hop.rtnh_len < sizeof hop || hop.rtnh_len > payload.size()) break;
            line("rtnexthop flags " + std::to_string(hop.rtnh_flags) + " hops " + std::to_string(hop.rtnh_hops) + " ifindex " + std::to_string(hop.rtnh_ifindex));
            attributes(payload.subspan(sizeof hop, hop.rtnh_len - sizeof hop), space);
            payload = payload.subspan(std::min(netlink_padded(hop.rtnh_len), payload.size()));
        }
        if (!payload.empty()) line("rest " + hex_of(payload));
        --depth_;
    }

    void options(std::string const& name, Bytes payload, std::string_view section) {
        auto const* const outer = kind_;
        kind_ = find_info(section, kind_name_);
        // Some kinds have a struct here instead of attributes.
        bool const nested = looks_nested(payload);
        line(nested || payload.empty() ? name : name + " 0x" + hex_of(payload));
        if (nested) attributes(payload, {});
        kind_ = outer;
    }

    std::string out_;
    std::size_t depth_ = 0;
    std::string_view tc_section_;
    std::string kind_name_;
    KindInfo const* kind_ = nullptr;
};

std::string flag_names(u16 type, u16 flags) {
    struct Bit {
        u16 bit;
        std::string_view name;
    };
    constexpr Bit common[] = {{NLM_F_REQUEST, "REQUEST"}, {NLM_F_MULTI, "MULTI"}, {NLM_F_ACK, "ACK"}, {NLM_F_ECHO, "ECHO"}};
    constexpr Bit create[] = {{NLM_F_REPLACE, "REPLACE"}, {NLM_F_EXCL, "EXCL"}, {NLM_F_CREATE, "CREATE"}, {NLM_F_APPEND, "APPEND"}};
    std::string out;
    auto const add = [&](std::span<Bit const> bits) {
        for (auto const& bit : bits) {
            if (!(flags & bit.bit)) continue;
            out += ' ' + std::string(bit.name);
            flags = static_cast<u16>(flags & ~bit.bit);
        }
    };
    add(common);
    // rtnetlink's types come in fours: new, delete, get, set.
    if (type % 4 == RTM_NEWLINK % 4 || type % 4 == RTM_SETLINK % 4) add(create);
    if (flags) out += " 0x" + std::to_string(flags);
    return out;
}

std::string member(std::string_view name, auto value) { return ' ' + std::string(name) + ' ' + std::to_string(value); }

std::string id_text(u32 id) {
    char text[16];
    std::snprintf(text, sizeof text, "%x:%x", id >> 16, id & 0xffff);
    return text;
}

struct Family {
    std::size_t header;
    Space (*space)();
    std::string (*describe)(Bytes header);
};

std::string describe_link(Bytes b) {
    auto const h = value_of<ifinfomsg>(b);
    return "ifinfomsg" + member("family", h.ifi_family) + member("type", h.ifi_type) + member("index", h.ifi_index) + member("flags", h.ifi_flags) + member("change", h.ifi_change);
}
std::string describe_address(Bytes b) {
    auto const h = value_of<ifaddrmsg>(b);
    return "ifaddrmsg" + member("family", h.ifa_family) + member("prefixlen", h.ifa_prefixlen) + member("flags", h.ifa_flags) + member("scope", h.ifa_scope) + member("index", h.ifa_index);
}
std::string describe_route(Bytes b) {
    auto const h = value_of<rtmsg>(b);
    return "rtmsg" + member("family", h.rtm_family) + member("dst_len", h.rtm_dst_len) + member("src_len", h.rtm_src_len) + member("tos", h.rtm_tos) + member("table", h.rtm_table) +
           member("protocol", h.rtm_protocol) + member("scope", h.rtm_scope) + member("type", h.rtm_type) + member("flags", h.rtm_flags);
}
std::string describe_neighbour(Bytes b) {
    auto const h = value_of<ndmsg>(b);
    return "ndmsg" + member("family", h.ndm_family) + member("ifindex", h.ndm_ifindex) + member("state", h.ndm_state) + member("flags", h.ndm_flags) + member("type", h.ndm_type);
}
std::string describe_rule(Bytes b) {
    auto const h = value_of<fib_rule_hdr>(b);
    return "fib_rule_hdr" + member("family", h.family) + member("dst_len", h.dst_len) + member("src_len", h.src_len) + member("tos", h.tos) + member("table", h.table) + member("action", h.action) +
           member("flags", h.flags);
}
std::string describe_nexthop(Bytes b) {
    auto const h = value_of<nhmsg>(b);
    return "nhmsg" + member("family", h.nh_family) + member("scope", h.nh_scope) + member("protocol", h.nh_protocol) + member("flags", h.nh_flags);
}
std::string describe_traffic(Bytes b) {
    auto const h = value_of<tcmsg>(b);
    return "tcmsg" + member("ifindex", h.tcm_ifindex) + " handle " + id_text(h.tcm_handle) + " parent " + id_text(h.tcm_parent) + " info " + id_text(h.tcm_info);
}
std::string describe_vlan(Bytes b) {
    auto const h = value_of<br_vlan_msg>(b);
    return "br_vlan_msg" + member("family", h.family) + member("ifindex", h.ifindex);
}
std::string describe_mdb(Bytes b) {
    auto const h = value_of<br_port_msg>(b);
    return "br_port_msg" + member("family", h.family) + member("ifindex", h.ifindex);
}
std::string describe_tunnel(Bytes b) {
    auto const h = value_of<tunnel_msg>(b);
    return "tunnel_msg" + member("family", h.family) + member("flags", h.flags) + member("ifindex", h.ifindex);
}
std::string describe_label(Bytes b) {
    auto const h = value_of<ifaddrlblmsg>(b);
    return "ifaddrlblmsg" + member("family", h.ifal_family) + member("prefixlen", h.ifal_prefixlen) + member("flags", h.ifal_flags) + member("index", h.ifal_index) + member("seq", h.ifal_seq);
}
std::string describe_stats(Bytes b) {
    auto const h = value_of<if_stats_msg>(b);
    return "if_stats_msg" + member("family", h.family) + member("ifindex", h.ifindex) + member("filter_mask", h.filter_mask);
}
std::string describe_neighbour_table(Bytes b) { return "ndtmsg" + member("family", value_of<ndtmsg>(b).ndtm_family); }
std::string describe_actions(Bytes b) { return "tcamsg" + member("family", value_of<tcamsg>(b).tca_family); }

/// What rtnetlink's family of four types looks like (linux/rtnetlink.h).
Family family_of(u16 type) {
    switch (type & ~3) {
        case RTM_NEWLINK & ~3:
        case RTM_NEWLINKPROP & ~3: return {sizeof(ifinfomsg), link_attributes, describe_link};
        case RTM_NEWADDR & ~3: return {sizeof(ifaddrmsg), address_attributes, describe_address};
        case RTM_NEWROUTE & ~3: return {sizeof(rtmsg), route_attributes, describe_route};
        case RTM_NEWNEIGH & ~3: return {sizeof(ndmsg), neighbour_attributes, describe_neighbour};
        case RTM_NEWRULE & ~3: return {sizeof(fib_rule_hdr), rule_attributes, describe_rule};
        case RTM_NEWNEXTHOP & ~3: return {sizeof(nhmsg), nexthop_attributes, describe_nexthop};
        case RTM_NEWQDISC & ~3:
        case RTM_NEWTCLASS & ~3:
        case RTM_NEWTFILTER & ~3:
        case RTM_NEWCHAIN & ~3: return {sizeof(tcmsg), traffic_attributes, describe_traffic};
        case RTM_NEWACTION & ~3: return {sizeof(tcamsg), actions_attributes, describe_actions};
        case RTM_NEWVLAN & ~3: return {sizeof(br_vlan_msg), vlan_attributes, describe_vlan};
        case RTM_NEWMDB & ~3: return {sizeof(br_port_msg), mdb_attributes, describe_mdb};
        case RTM_NEWTUNNEL & ~3: return {sizeof(tunnel_msg), vni_attributes, describe_tunnel};
        case RTM_NEWADDRLABEL & ~3: return {sizeof(ifaddrlblmsg), label_attributes, describe_label};
        case RTM_NEWSTATS & ~3: return {sizeof(if_stats_msg), stats_attributes, describe_stats};
        case RTM_NEWNEIGHTBL & ~3: return {sizeof(ndtmsg), neighbour_table_attributes, describe_neighbour_table};
        // No line makes others; rtgenmsg, which most begin with, is padded to this.
        default: return {4, nullptr, nullptr};
    }
}

std::string_view section_of(u16 type) { return (type & ~3) == (RTM_NEWTFILTER & ~3) || (type & ~3) == (RTM_NEWCHAIN & ~3) ? "filter" : "qdisc"; }

}  // namespace

std::string decode(Bytes message) {
    if (message.size() < sizeof(nlmsghdr)) return "rest " + hex_of(message) + '\n';
    auto const head = value_of<nlmsghdr>(message);
    auto const name = message_type_name(head.nlmsg_type);
    Decoder decoder(section_of(head.nlmsg_type));
    decoder.line((name.empty() ? "type " + std::to_string(head.nlmsg_type) : std::string(name)) + flag_names(head.nlmsg_type, head.nlmsg_flags));

    auto body = message.first(std::min<std::size_t>(head.nlmsg_len, message.size()));
    body = body.subspan(std::min(sizeof head, body.size()));
    auto const family = family_of(head.nlmsg_type);
    auto const header = body.first(std::min(family.header, body.size()));
    decoder.line("  " + (family.describe && header.size() == family.header ? family.describe(header) : "header 0x" + hex_of(header)));
    decoder.attributes(body.subspan(std::min(netlink_padded(header.size()), body.size())), family.space ? family.space() : Space{});
    return std::move(decoder).take();
}

std::size_t fixed_header_length(u16 type) { return family_of(type).header; }

}  // namespace nlstream
