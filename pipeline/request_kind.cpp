#include "pipeline/request_kind.hpp"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cstring>

namespace nlstream {
namespace {

std::string_view object_of(u16 type, u8 family) {
    // The types come in fours (linux/rtnetlink.h): new, del, get, set.
    switch ((type - RTM_BASE) / 4 * 4 + RTM_BASE) {
        case RTM_NEWLINK:
        case RTM_NEWLINKPROP: return "link";
        case RTM_NEWADDR: return "address";
        case RTM_NEWROUTE: return "route";
        case RTM_NEWNEIGH: return family == AF_BRIDGE ? "fdb" : "neigh";
        case RTM_NEWRULE: return "rule";
        case RTM_NEWQDISC: return "qdisc";
        case RTM_NEWTCLASS: return "class";
        case RTM_NEWTFILTER: return "filter";
        case RTM_NEWACTION: return "action";
        case RTM_NEWNEIGHTBL: return "ntable";
        case RTM_NEWADDRLABEL: return "addrlabel";
        case RTM_NEWNETCONF: return "netconf";
        case RTM_NEWMDB: return "mdb";
        case RTM_NEWNSID: return "netns";
        case RTM_NEWCHAIN: return "chain";
        case RTM_NEWNEXTHOP: return "nexthop";
        case RTM_NEWVLAN: return "vlan";
        case RTM_NEWTUNNEL: return "vni";
        default: return "request";
    }
}

}  // namespace

RequestKind kind_of(std::span<std::byte const> request) {
    nlmsghdr head;
    std::memcpy(&head, request.data(), sizeof head);
    u8 const family = request.size() > sizeof head ? static_cast<u8>(request[sizeof head]) : u8{AF_UNSPEC};
    auto const verb = (head.nlmsg_type - RTM_BASE) % 4;
    return {.object = object_of(head.nlmsg_type, family),
            .type = head.nlmsg_type,
            .makes = verb == 0 && (head.nlmsg_flags & NLM_F_CREATE) && !(head.nlmsg_flags & NLM_F_REPLACE),
            .removes = verb == 1};
}

}  // namespace nlstream
