#include "netlink/hints.hpp"

#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "netlink/command.hpp"
#include "netlink/received.hpp"

namespace nlstream {
namespace {

using Request = std::span<std::byte const>;

/// The struct behind the header; nothing if the request is not at hand.
template <class Header>
std::optional<Header> header_of(Request request) {
    if (request.size() < sizeof(nlmsghdr) + sizeof(Header)) return {};
    Header header;
    std::memcpy(&header, request.data() + sizeof(nlmsghdr), sizeof header);
    return header;
}

/// True for the parents that clsact and ingress provide.
bool below_clsact(Request request) {
    auto const header = header_of<tcmsg>(request);
    return header && TC_H_MAJ(header->tcm_parent) == TC_H_MAJ(TC_H_CLSACT) && TC_H_MIN(header->tcm_parent) >= 0xfff0;
}

bool at_root(Request request) {
    auto const header = header_of<tcmsg>(request);
    return header && (header->tcm_parent == TC_H_ROOT || header->tcm_parent == 0);
}

bool is_bridge_entry(Request request) {
    auto const header = header_of<ndmsg>(request);
    return header && header->ndm_family == AF_BRIDGE;
}

/// Whether a request makes something that must not be there, something that may be, changes it, or deletes it.
enum class Way : u8 { any, add, replace, change, remove };

struct Hint {
    u16 type;  ///< RTM_*; 0: any
    Way way;
    int error;              ///< 0: any
    std::string_view text;  ///< part of the extended ACK; empty: any
    bool (*when)(Request);  ///< nullptr: always
    /// {kind}, {parent}, {major}: of the request; {meant}: the kind that was perhaps meant by one that is not known here.
    std::string_view sentence;
};

constexpr auto any = Way::any;
constexpr std::string_view overwrite = "\"replace\" overwrites what is there; --ignore exists passes over such lines";
constexpr std::string_view nothing_to_delete =
    "there may be nothing to delete, or it may differ in a keyword that selects it; --ignore missing passes over such "
    "lines";
constexpr std::string_view nothing_to_change = "there may be none to change: \"replace\" makes it if there is none";
constexpr std::string_view needs_clsact =
    "ingress and egress are made by clsact: if it is missing, a line \"qdisc add dev DEVICE clsact\" has to come "
    "before";
constexpr std::string_view needs_parent =
    "if no qdisc {major}: is there, a line \"qdisc add dev DEVICE ... handle {major}: KIND\" has to come before";
constexpr std::string_view needs_class =
    "if there is no class {parent}, a line \"class add dev DEVICE ... classid {parent} KIND\" has to come before";
constexpr std::string_view needs_way =
    "if no route leads to the gateway, an address or a route on its device has to come before; \"onlink\" does without";
constexpr std::string_view needs_up = "the device may be down: \"link set dev DEVICE up\" has to come before";
constexpr std::string_view needs_down = "\"link set dev DEVICE down\" may have to come before";

/// The first one that fits counts: the more that is said, the further up.
// clang-format off: a row a line
constexpr Hint hints[] = {
    // net/sched
    {0, any, EINVAL, "Parent Qdisc doesn't exist", below_clsact, needs_clsact},
    {0, any, EINVAL, "Parent Qdisc doesn't exist", at_root,
     "the device may have no root qdisc that takes filters: a line \"qdisc add dev DEVICE root ...\" makes one"},
    {0, any, EINVAL, "Parent Qdisc doesn't exist", nullptr, needs_parent},
    {0, any, ENOENT, "Failed to find specified qdisc", below_clsact, needs_clsact},
    {0, any, ENOENT, "Failed to find specified qdisc", nullptr, needs_parent},
    {0, any, 0, "Specified class doesn't exist", nullptr, needs_class},
    {0, any, 0, "Specified class not found", nullptr, needs_class},
    {0, any, 0, "Qdisc not classful", nullptr, "a qdisc without classes takes no filters and no children"},
    {RTM_NEWQDISC, Way::add, EEXIST, "", nullptr,
     "there may be a qdisc in this place already: \"replace\" overwrites it; --ignore exists passes over such lines"},
    {RTM_NEWQDISC, any, ENOENT, "kind is unknown", nullptr,
     "{meant}the kernel may lack this qdisc: \"modprobe sch_{kind}\" loads it if it was built"},
    {RTM_NEWQDISC, any, 0, "must match existing qdisc", nullptr,
     "a qdisc of another kind is in this place: \"replace\" puts this one there"},
    {RTM_DELQDISC, any, ENOENT, "handle of zero", nullptr,
     "the device may have nothing but its default qdisc, which cannot be deleted; --ignore missing passes over such "
     "lines"},
    {RTM_DELQDISC, any, EINVAL, "Invalid handle", nullptr, "the qdisc in this place may have another handle"},
    {RTM_NEWTFILTER, any, ENOENT, "classifier not found", nullptr,
     "the kernel may lack this classifier: \"modprobe cls_{kind}\" loads it if it was built"},
    {0, any, ENOENT, "Failed to load TC action module", nullptr,
     "the kernel may lack the action: \"modprobe act_KIND\" loads it if it was built"},
    {0, any, 0, "Filter with specified priority/protocol not found", nullptr, nothing_to_delete},
    {0, any, 0, "Specified filter handle not found", nullptr, nothing_to_delete},
    {0, any, 0, "Cannot find specified filter chain", nullptr, nothing_to_delete},
    {RTM_NEWTFILTER, any, 0, "filter kind does not match", nullptr,
     "filters of one \"pref\" are of one kind: give this one another"},
    {RTM_NEWTFILTER, Way::add, EEXIST, "", nullptr,
     "a filter with this handle or this match may be there already: \"replace\" overwrites it; --ignore exists passes "
     "over such lines"},
    {0, any, EOPNOTSUPP, "offload is disabled", nullptr,
     "\"ethtool -K DEVICE hw-tc-offload on\" allows it if the device can; without skip_sw the filter works in "
     "software"},
    {RTM_NEWTFILTER, any, ENOSPC, "", nullptr, "all handles of this \"pref\" may be in use"},
    {RTM_DELTCLASS, any, EBUSY, "", nullptr,
     "a filter or a class below it may still use the class: these have to be deleted first"},
    {RTM_DELACTION, any, EPERM, "", nullptr, "a filter may still use the action: it has to be deleted first"},
    {RTM_NEWTCLASS, Way::change, ENOENT, "", nullptr, nothing_to_change},
    {RTM_NEWQDISC, Way::change, ENOENT, "", nullptr, nothing_to_change},
    {RTM_NEWTFILTER, Way::change, ENOENT, "", nullptr, nothing_to_change},
    {RTM_NEWTCLASS, any, ENOENT, "", nullptr, needs_parent},
    {RTM_NEWTCLASS, Way::add, EEXIST, "", nullptr,
     "there may be such a class already: \"replace\" overwrites it; --ignore exists passes over such lines"},
    {RTM_NEWTCLASS, any, EOPNOTSUPP, "", nullptr, "the qdisc may have no classes, or only those it makes itself"},

    // net/ipv4, net/ipv6
    {0, any, 0, "Nexthop has invalid gateway", nullptr, needs_way},
    {RTM_NEWROUTE, any, EHOSTUNREACH, "", nullptr, needs_way},
    {RTM_NEWROUTE, any, ENETUNREACH, "", nullptr, needs_way},
    {RTM_NEWROUTE, any, ENETDOWN, "", nullptr, needs_up},
    {RTM_NEWNEXTHOP, any, ENETDOWN, "", nullptr, needs_up},
    {0, any, EINVAL, "Invalid prefix for given prefix length", nullptr,
     "the bits behind the prefix length have to be zero"},
    {0, any, 0, "Nexthop id does not exist", nullptr, "a line \"nexthop add id ID ...\" has to come before"},
    {RTM_NEWROUTE, any, EINVAL, "Gateway can not be a local address", nullptr,
     "the gateway is an address of this host"},
    {0, any, EINVAL, "Invalid prefsrc address", nullptr,
     "if this host does not have the address of \"src\", an \"address add\" has to come before"},
    {0, any, EINVAL, "Invalid source address", nullptr,
     "if this host does not have the address of \"src\", an \"address add\" has to come before"},
    {RTM_NEWROUTE, Way::add, EEXIST, "", nullptr,
     "there may be such a route already: \"replace\" overwrites it, \"append\" adds another; --ignore exists passes "
     "over such lines"},
    {RTM_NEWROUTE, Way::change, ENOENT, "", nullptr, nothing_to_change},
    {RTM_DELROUTE, any, ESRCH, "", nullptr,
     "no route has all that the line says: it may have been deleted before; --ignore missing passes over such lines"},
    {RTM_NEWROUTE, any, EAFNOSUPPORT, "", nullptr, "the kernel may lack this family, or have it switched off"},
    {RTM_NEWADDR, any, EEXIST, "", nullptr,
     "the device may have this address already: \"replace\" is content with that; --ignore exists passes over such "
     "lines"},
    {RTM_NEWADDR, any, EACCES, "", nullptr,
     "IPv6 may be switched off on the device: sysctl net.ipv6.conf.DEVICE.disable_ipv6"},
    {RTM_NEWADDR, any, EPERM, "", nullptr,
     "IPv6 may be switched off on the device: sysctl net.ipv6.conf.DEVICE.disable_ipv6"},
    {RTM_DELADDR, any, EADDRNOTAVAIL, "", nullptr, nothing_to_delete},
    {RTM_NEWRULE, any, EEXIST, "", nullptr, "there may be such a rule already; --ignore exists passes over such lines"},
    {RTM_NEWNEIGH, any, ENOBUFS, "", nullptr,
     "the table may be full: sysctl net.ipv4.neigh.default.gc_thresh3 and net.ipv6.neigh.default.gc_thresh3"},

    // net/core/neighbour.c, net/core/rtnetlink.c, net/bridge, drivers/net/vxlan
    {RTM_NEWNEIGH, any, EOPNOTSUPP, "", is_bridge_entry,
     "if the device is no port of a bridge, write \"self\" for its own table"},
    {RTM_NEWNEIGH, any, EINVAL, "", is_bridge_entry,
     "the device may be no port of a bridge that takes this entry; \"self\" means its own table"},
    {0, any, EINVAL, "Missing MDBA_SET_ENTRY_ATTRS", nullptr,
     "an entry of a VXLAN device needs at least \"dst ADDRESS\""},
    {RTM_NEWLINK, Way::add, EEXIST, "", nullptr,
     "a link may have this name, or what this kind has to be unique, already; --ignore exists passes over such lines"},
    {RTM_NEWLINK, any, EOPNOTSUPP, "Unknown device type", nullptr,
     "{meant}the kernel may lack this type: \"modprobe rtnl-link-{kind}\" loads it if it was built"},
    {RTM_NEWLINK, any, EINVAL, "mtu", nullptr,
     "\"ip -d link show dev DEVICE\" says which ones it takes (minmtu, maxmtu)"},
    {RTM_NEWLINK, any, EBUSY, "", nullptr, needs_down},
    {RTM_NEWLINK, any, 0, "while up", nullptr, needs_down},
    {RTM_NEWLINK, any, 0, "must be down", nullptr, needs_down},
    {RTM_SETLINK, any, EBUSY, "", nullptr, needs_down},

    // Whatever it is.
    {0, Way::remove, ENOENT, "", nullptr, nothing_to_delete},
    {0, Way::remove, ESRCH, "", nullptr, nothing_to_delete},
    {0, Way::add, EEXIST, "", nullptr, overwrite},
    {0, any, EEXIST, "", nullptr, "--ignore exists passes over such lines"},
    {0, any, ENODEV, "", nullptr,
     "the device may have vanished since its name was looked up, or a line before may have deleted it"},
    {0, any, EPERM, "", nullptr,
     "this may need CAP_NET_ADMIN outside of the user namespace, or be locked by the object"},
    {0, any, EOPNOTSUPP, "", nullptr, "the kernel may have been built without this, or the device may not support it"},
    {0, any, EAFNOSUPPORT, "", nullptr, "the kernel may lack this family, or have it switched off"},
    {0, any, ENOSPC, "", nullptr, "a table of the kernel or the device may be full"},
    {0, any, EBUSY, "", nullptr, "something may be using it for the moment: --retry N tries such lines again"},
    {0, any, EAGAIN, "", nullptr, "this may be for the moment: --retry N tries such lines again"},
    {0, any, ENOBUFS, "", nullptr,
     "the kernel may be short of memory for the moment: --retry N tries such lines again"},
    {0, any, ENOMEM, "", nullptr, "the kernel may be short of memory for the moment: --retry N tries such lines again"},
    {0, any, EMSGSIZE, "", nullptr, "the request is longer than the kernel takes"},
};
// clang-format on

Way way_of(Answer const& answer) {
    // rtnetlink's types come in fours: new, delete, get, set.
    if ((answer.request_type - RTM_BASE) % 4 == 1) return Way::remove;
    if (answer.request_flags & NLM_F_EXCL) return Way::add;
    return answer.request_flags & NLM_F_CREATE ? Way::replace : Way::change;
}

bool fits(Hint const& hint, Answer const& answer, Request request) {
    if (hint.error != 0 && hint.error != answer.error) return false;
    if (hint.type != 0 && hint.type != answer.request_type) return false;
    if (hint.way != any && hint.way != way_of(answer)) return false;
    if (!hint.text.empty() && answer.text.find(hint.text) == answer.text.npos) return false;
    return !hint.when || hint.when(request);
}

/// TCA_KIND, or IFLA_INFO_KIND in IFLA_LINKINFO; "KIND" if there is none.
std::string kind_of(Answer const& answer, Request request) {
    std::string kind = "KIND";
    auto const attributes = [&](std::size_t header) {
        return request.size() > sizeof(nlmsghdr) + header ? request.subspan(sizeof(nlmsghdr) + header) : Request();
    };
    auto const take = [&](nlattr const& attribute) { kind = text_of(attribute); };
    switch (answer.request_type) {
        case RTM_NEWQDISC:
        case RTM_NEWTCLASS:
        case RTM_NEWTFILTER:
            for_each_attribute(attributes(sizeof(tcmsg)), [&](nlattr const& attribute) {
                if (type_of(attribute) == TCA_KIND) take(attribute);
            });
            break;
        case RTM_NEWLINK:
            for_each_attribute(attributes(sizeof(ifinfomsg)), [&](nlattr const& attribute) {
                if (type_of(attribute) != IFLA_LINKINFO) return;
                for_each_attribute(attribute, [&](nlattr const& inner) {
                    if (type_of(inner) == IFLA_INFO_KIND) take(inner);
                });
            });
            break;
        default: break;
    }
    return kind;
}

void replace_all(std::string& text, std::string_view from, std::string const& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// A kind that nlstream does not know goes to the kernel, as that may; but when the kernel does not, either, it was perhaps mistyped.
std::string kind_meant(u16 type, std::string_view kind) {
    auto const section = type == RTM_NEWLINK ? "link" : "qdisc";
    Nearest nearest(kind);
    for (auto const* known : all_kinds())
        if (known->section == section) nearest.offer(known->name);
    if (nearest.best().empty() || nearest.best() == kind) return {};
    return "did you mean \"" + std::string(nearest.best()) + "\"? If not: ";
}

std::string hexadecimal(u32 number) {
    char text[16];
    std::snprintf(text, sizeof text, "%x", number);
    return text;
}

std::string filled_in(std::string_view sentence, Answer const& answer, Request request) {
    std::string out(sentence);
    if (out.find('{') == out.npos) return out;
    auto const header = header_of<tcmsg>(request);
    auto const parent = header ? header->tcm_parent : 0;
    auto const kind = kind_of(answer, request);
    replace_all(out, "{meant}", kind_meant(answer.request_type, kind));
    replace_all(out, "{kind}", kind);
    replace_all(out, "{major}", header ? hexadecimal(TC_H_MAJ(parent) >> 16) : "N");
    replace_all(out, "{parent}",
                header ? hexadecimal(TC_H_MAJ(parent) >> 16) + ':' + hexadecimal(TC_H_MIN(parent)) : "PARENT");
    return out;
}

}  // namespace

std::string hint(Answer const& answer, std::span<std::byte const> request) {
    for (auto const& candidate : hints)
        if (fits(candidate, answer, request)) return filled_in(candidate.sentence, answer, request);
    return {};
}

}  // namespace nlstream
