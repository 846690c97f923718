#include "netlink/tc/filter_words.hpp"

#include <linux/pkt_sched.h>

#include "netlink/ether_protocol.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/rate.hpp"

namespace nlstream::tc {
namespace {

struct Filter {
    u32 index = 0;
    u32 block = 0;
    u32 parent = 0;
    u32 priority = 0;
    std::optional<u16> protocol;
    std::optional<u32> chain;
    Word const* handle = nullptr;
    std::optional<tc_estimator> estimator;
};

std::string_view second_parent(Filter const& f) { return f.parent ? "a parent was given before" : ""; }
std::string_view beside_dev(Filter const& f) { return f.index ? "dev and block exclude each other" : ""; }
std::string_view beside_block(Filter const& f) { return f.block ? "dev and block exclude each other" : ""; }
std::string_view second_priority(Filter const& f) { return f.priority ? "it was given before" : ""; }

void read_dev(Line& line, Filter& f) { f.index = line.take_main_device(); }
void read_parent(Line& line, Filter& f) { f.parent = read_class_id(line.take("CLASSID")); }
void read_handle(Line& line, Filter& f) { f.handle = &line.take("HANDLE"); }
void read_protocol(Line& line, Filter& f) { f.protocol = read_ether_protocol(line.take("PROTOCOL")); }
void read_chain_index(Line& line, Filter& f) { f.chain = static_cast<u32>(read_number(line.take("INDEX"))); }
void read_filter_estimator(Line& line, Filter& f) { f.estimator = read_estimator(line); }

constexpr Row rows[] = {
    {"dev",                   "DEVICE",         custom<read_dev>,                                      "The link it is on.", unless<beside_block>, true},
    {"block*",                "INDEX",          U32(keep<&Filter::block>).in(1, ~0u),                  "The shared block it is in, instead of dev.", unless<beside_dev>, true},
    {"root",                  "",               set(keep<&Filter::parent>, TC_H_ROOT),                 "At the outermost qdisc.", unless<second_parent>},
    {"ingress",               "",               set(keep<&Filter::parent>, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)), "What arrives, with a clsact or ingress qdisc.", unless<second_parent>},
    {"egress",                "",               set(keep<&Filter::parent>, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS)),  "What leaves, with a clsact qdisc.", unless<second_parent>},
    {"parent",                "CLASSID",        custom<read_parent>,                                   "The qdisc or class that it is attached to.", unless<second_parent>},
    {"handle",                "HANDLE",         custom<read_handle>,                                   "Its own number; its form depends on the kind.", {}, true},
    {"preference*|priority*", "N",              U32(keep<&Filter::priority>).in(0, 0xffff),            "Lower N is asked first; the kernel chooses without.", unless<second_priority>},
    {"protocol*",             "PROTOCOL",       custom<read_protocol>,                                 "The EtherType of its packets: ip, ipv6, 802.1Q, all, or a number.", {}, true},
    {"chain*",                "INDEX",          custom<read_chain_index>,                              "The chain it is in (default 0).", {}, true},
    {"estimator*",            "SAMPLE AVERAGE", custom<read_filter_estimator>,                         "Estimate its rate: every SAMPLE, averaged over AVERAGE.", {}, true},
};
constexpr auto table = keywords<Filter>(rows);

}  // namespace

Table filter_words() { return table; }

void read_filter_words(Line& line, Verb const& verb, u16 default_protocol) {
    begin_request<tcmsg>(line, verb.type, verb.flags);
    Filter f;
    Reader(table, f).read_some(line);

    auto& head = header(line);
    head.tcm_ifindex = f.block ? static_cast<int>(TCM_IFINDEX_MAGIC_BLOCK) : static_cast<int>(f.index);
    head.tcm_parent = f.block ? f.block : f.parent;
    auto const protocol = f.protocol.value_or(default_protocol);
    head.tcm_info = TC_H_MAKE(f.priority << 16, big16(protocol));

    line.source_keyword("chain");
    if (f.chain) line.out.put(TCA_CHAIN, *f.chain);
    if (!line.done()) {
        auto const& kind = find_kind(line, line.take("a filter"), filter_kinds(), "filter or keyword");
        line.out.put_string(TCA_KIND, kind.info.name);
        kind.read(line, {.handle = f.handle, .protocol = protocol, .priority = static_cast<u16>(f.priority), .parent = f.parent});
    } else if (f.handle) {
        fail_use(*f.handle, "a handle needs the kind of the filter");
    }
    if (f.estimator) line.out.put(TCA_RATE, *f.estimator);
    end_request(line);
}

}  // namespace nlstream::tc
