// ip neighbour ...: link-layer addresses of hosts on a link.
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "netlink/address.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/ip/kinds.hpp"
#include "netlink/ip/neighbour.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_EXCL}, {"change*|chg", RTM_NEWNEIGH, NLM_F_REPLACE}, {"replace*", RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE},
    {"delete*", RTM_DELNEIGH, 0},                      {"get*"},                                     {"show*|lst*|list*"},
    {"flush*", RTM_DELNEIGH, 0},
};

struct Neighbour {
    Address address;
    bool has_address = false;
    Word const* link_address = nullptr;
    Word const* device = nullptr;
    u16 state = NUD_PERMANENT;
    u8 flags = 0;
    u32 more_flags = 0;  // NTF_EXT_*
};

constexpr NamedValue states[] = {
    {"permanent*", NUD_PERMANENT}, {"reachable*", NUD_REACHABLE}, {"noarp", NUD_NOARP}, {"none", NUD_NONE},       {"stale", NUD_STALE},
    {"incomplete", NUD_INCOMPLETE}, {"delay", NUD_DELAY},         {"probe", NUD_PROBE}, {"failed*", NUD_FAILED},
};

std::string_view second_address(Neighbour const& n) { return n.has_address ? "the address was given before" : ""; }

void read_address_of(Line& line, Neighbour& n) {
    n.address = read_address(line.take("ADDRESS"), line.family);
    if (n.address.family == AF_UNSPEC) fail_use(line.last(), "one host's address is needed");
    n.has_address = true;
}
void read_proxy(Line& line, Neighbour& n) {
    read_address_of(line, n);
    n.flags |= NTF_PROXY;
}
void read_state(Line& line, Neighbour& n) { n.state = read_neighbour_state(line.take("STATE")); }
void read_link_address_word(Line& line, Neighbour& n) { n.link_address = &line.take("LLADDR"); }
void read_device(Line& line, Neighbour& n) { n.device = &line.take("a device"); }
void read_managed(Line&, Neighbour& n) {
    n.more_flags |= NTF_EXT_MANAGED;
    n.state = NUD_NONE;
}

constexpr Row rows[] = {
    {"lladdr*",       "LLADDR",   custom<read_link_address_word>,                           "Its link-layer address; null: none.", {}, true},
    {"nud",           "STATE",    custom<read_state>,                                       "What is known of it: permanent (default), noarp, reachable, stale, none, incomplete, delay, probe, failed."},
    {"proxy*",        "ADDRESS",  custom<read_proxy>,                                       "Answer for ADDRESS.", unless<second_address>},
    {"router",        "",         set(add_bits<&Neighbour::flags>, NTF_ROUTER),             "It is a router."},
    {"use",           "",         set(add_bits<&Neighbour::flags>, NTF_USE),                "Resolve it as if there were traffic."},
    {"managed",       "",         custom<read_managed>,                                     "The kernel keeps it resolved."},
    {"extern_learn*", "",         set(add_bits<&Neighbour::flags>, NTF_EXT_LEARNED),        "Learned by something other than the kernel."},
    {"extern_valid",  "",         set(add_bits<&Neighbour::more_flags>, NTF_EXT_EXT_VALIDATED), "Something other than the kernel says that it is valid."},
    {"dev",           "DEVICE",   custom<read_device>,                                      "The link it is on. Required, except for proxy."},
    {"protocol*",     "PROTOCOL", Name{{NDA_PROTOCOL, 1}, Names::Of::route_protocol},       "Who made the entry."},
    {"to",            "ADDRESS",  custom<read_address_of>,                                  "Its address, with or without \"to\".", unless<second_address>},
};
constexpr auto table = keywords<Neighbour>(rows);

}  // namespace

extern constinit KindInfo const neighbour_info = {"ip", "neighbour", "The link-layer address of a host on a link.", {{{"", table}, {"flush", flush_neighbours_table}}}};

u16 read_neighbour_state(Word const& word) {
    auto const state = read_choice(word, states, "nud", 255);
    if (state & (state - 1)) fail_value(word, "a state", "one state");
    return static_cast<u16>(state);
}

void read_neighbour(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip neighbour");
    if (verb.words == "flush*") return flush_neighbours(line);
    begin_request<ndmsg>(line, verb.type, verb.flags);
    Neighbour n;
    Reader reader(table, n);
    while (!line.done()) {
        if (reader.read_one(line)) continue;
        if (n.has_address) reader.fail_unknown(line);
        read_address_of(line, n);
    }
    if (!n.has_address) fail_missing(line, "an ADDRESS");
    if (!n.device && !(n.flags & NTF_PROXY)) fail_missing(line, "dev DEVICE");

    line.source_keyword("to");
    line.out.put(NDA_DST, n.address.bytes.data(), n.address.length);
    line.source_keyword("managed");
    if (n.more_flags) line.out.put(NDA_FLAGS_EXT, n.more_flags);
    if (n.link_address && n.link_address->text != "null") {
        std::array<u8, 20> bytes;
        auto const length = read_link_address(*n.link_address, bytes);
        line.out.source(n.link_address->span);
        line.out.put(NDA_LLADDR, bytes.data(), length);
    }
    auto& header = line.out.value_at<ndmsg>(sizeof(nlmsghdr));
    header.ndm_family = n.address.family;
    header.ndm_ifindex = n.device ? static_cast<int>(line.links.index(*n.device)) : 0;
    header.ndm_state = n.state;
    header.ndm_flags = n.flags;
    end_request(line);
}

}  // namespace nlstream::ip
