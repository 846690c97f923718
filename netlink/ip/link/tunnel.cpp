#include "netlink/ip/link/tunnel.hpp"

#include <linux/ip6_tunnel.h>

#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {
namespace {

constexpr u32 traffic_class_mask = big32(0x0ff00000);
constexpr u32 flow_label_mask = big32(0x000fffff);

}  // namespace

Tunnel ipv6_tunnel() {
    Tunnel t;
    t.ttl = 64;
    t.encap_flags = 2;  // TUNNEL_ENCAP_FLAG_CSUM6
    return t;
}

PresentOptions::PresentOptions(Line& line) {
    if (creates(line)) return;
    auto const index = static_cast<u32>(line.out.value_at<ifinfomsg>(sizeof(nlmsghdr)).ifi_index);
    // Where nothing is applied, a link that the stream made has no index, nor options.
    if (index == 0) return;
    auto options = line.kernel.link_options(index);
    if (!options) fail_use(line.last(), "the link is not of this type: it has no options to change");
    bytes_ = std::move(*options);
}

nlattr const* PresentOptions::find(u16 attribute) const {
    nlattr const* found = nullptr;
    for_each_attribute(bytes_, [&](nlattr const& a) { if (type_of(a) == attribute) found = &a; });
    return found;
}

void PresentOptions::read(u16 attribute, bool& into) const {
    u8 byte = into;
    read(attribute, byte);
    into = byte != 0;
}

void PresentOptions::read(u16 attribute, Address& into) const {
    auto const* found = find(attribute);
    if (!found) return;
    auto const payload = payload_of(*found);
    if (payload.size() != 4 && payload.size() != 16) return;
    into = {};
    into.family = payload.size() == 4 ? AF_INET : AF_INET6;
    into.length = static_cast<u8>(payload.size());
    std::memcpy(into.bytes.data(), payload.data(), payload.size());
}

void PresentOptions::read_port(u16 attribute, u16& into) const {
    u16 port = big16(into);
    read(attribute, port);
    into = big16(port);
}

void read_tunnel_dev(Line& line, Tunnel& t) { t.link = line.take_device(); }

void read_tunnel_ttl(Line& line, Tunnel& t) {
    auto const& word = line.take("TTL");
    t.ttl = word.text == "inherit" ? u8{0} : static_cast<u8>(read_number(word, 0, 255));
}

void read_tunnel_tos(Line& line, Tunnel& t) { t.tos = read_tos(line); }

u32 read_tunnel_key(Line& line) {
    auto const& word = line.take("KEY");
    if (word.text.find('.') != word.text.npos) return read_ipv4(word);
    return big32(static_cast<u32>(read_number(word)));
}

void read_traffic_class(Line& line, Tunnel& t) {
    auto const& word = line.take("CLASS");
    t.flow &= ~traffic_class_mask;
    if (word.text == "inherit") {
        t.flags |= IP6_TNL_F_USE_ORIG_TCLASS;
        return;
    }
    t.flow |= big32(static_cast<u32>(read_number(word, 0, 255, 16)) << 20);
    t.flags &= ~u32{IP6_TNL_F_USE_ORIG_TCLASS};
}

void read_tunnel_flow_label(Line& line, Tunnel& t) {
    auto const& word = line.take("LABEL");
    t.flow &= ~flow_label_mask;
    if (word.text == "inherit") {
        t.flags |= IP6_TNL_F_USE_ORIG_FLOWLABEL;
        return;
    }
    t.flow |= big32(static_cast<u32>(read_number(word, 0, 0xfffff, 16)));
    t.flags &= ~u32{IP6_TNL_F_USE_ORIG_FLOWLABEL};
}

void read_dscp(Line& line, Tunnel& t) {
    auto const& word = line.take("inherit");
    if (word.text != "inherit") fail_value(word, "a value of dscp", "inherit");
    t.flags |= IP6_TNL_F_RCV_DSCP_COPY;
}

void read_ipv6_mark(Line& line, Tunnel& t) {
    auto const& word = line.take("MARK");
    t.mark = 0;
    if (word.text == "inherit") {
        t.flags |= IP6_TNL_F_USE_ORIG_FWMARK;
        return;
    }
    t.mark = static_cast<u32>(read_number(word));
    t.flags &= ~u32{IP6_TNL_F_USE_ORIG_FWMARK};
}

void read_encap_limit(Line& line, Tunnel& t) {
    auto const& word = line.take("LIMIT");
    if (word.text == "none") {
        t.flags |= IP6_TNL_F_IGN_ENCAP_LIMIT;
        return;
    }
    t.encap_limit = static_cast<u8>(read_number(word, 0, 255));
    t.flags &= ~u32{IP6_TNL_F_IGN_ENCAP_LIMIT};
}

void put_tunnel_ends(Line& line, Tunnel const& t, u16 local, u16 remote) {
    line.source_keyword("local");
    if (!is_unspecified(t.local)) line.out.put(local, t.local.bytes.data(), t.local.length);
    line.source_keyword("remote");
    if (!is_unspecified(t.remote)) line.out.put(remote, t.remote.bytes.data(), t.remote.length);
}

void put_tunnel_encap(Line& line, Tunnel const& t, std::array<u16, 4> const& attributes) {
    line.source_keyword("encap");
    line.out.put(attributes[0], t.encap_type);
    line.out.put(attributes[1], t.encap_flags);
    line.source_keyword("encap-sport");
    line.out.put(attributes[2], big16(t.encap_source));
    line.source_keyword("encap-dport");
    line.out.put(attributes[3], big16(t.encap_port));
}

}  // namespace nlstream::ip
