// ip addrlabel ...: labels for the selection of IPv6 addresses (RFC 6724).
#include <linux/if_addrlabel.h>
#include <linux/rtnetlink.h>

#include "netlink/address.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/ip/kinds.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {{"list*|lst*|show*"}, {"add*", RTM_NEWADDRLABEL, NLM_F_CREATE | NLM_F_EXCL}, {"delete*", RTM_DELADDRLABEL, 0}, {"flush*", RTM_DELADDRLABEL, 0}};

struct Label {
    std::optional<Address> prefix;
    u32 index = 0;
    std::optional<u32> label;
};

void read_label_prefix(Line& line, Label& l) { l.prefix = read_prefix(line.take("PREFIX"), line.family); }
void read_label(Line& line, Label& l) { l.label = static_cast<u32>(read_number(line.take("N"), 0, 0xfffffffe)); }

constexpr Row rows[] = {
    {"prefix", "PREFIX", custom<read_label_prefix>,    "The addresses. Required."},
    {"dev",    "DEVICE", device(keep<&Label::index>),  "Only on this link."},
    {"label",  "N",      custom<read_label>,           "Their label. Required."},
};
constexpr auto table = keywords<Label>(rows);

}  // namespace

extern constinit KindInfo const addrlabel_info = {"ip", "addrlabel", "A label of IPv6 addresses, for the choice of a source address.", {{{"", table}}}};

void read_addrlabel(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip addrlabel");
    if (verb.words == "flush*") return flush_address_labels(line);
    begin_request<ifaddrlblmsg>(line, verb.type, verb.flags);
    Label l;
    Reader(table, l).read_all(line);
    if (!l.prefix) fail_missing(line, "prefix PREFIX");
    if (!l.label) fail_missing(line, "label N");
    line.source_keyword("label");
    line.out.put(IFAL_LABEL, *l.label);
    line.source_keyword("prefix");
    line.out.put(IFAL_ADDRESS, l.prefix->bytes.data(), l.prefix->length);
    auto& header = line.out.value_at<ifaddrlblmsg>(sizeof(nlmsghdr));
    header.ifal_family = line.family == AF_UNSPEC ? u8{AF_INET6} : line.family;
    header.ifal_prefixlen = static_cast<u8>(l.prefix->bits);
    header.ifal_index = l.index;
    end_request(line);
}

}  // namespace nlstream::ip
