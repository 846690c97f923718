// ip nexthop flush ...: which nexthop objects go.
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include "netlink/command.hpp"
#include "netlink/ip/flush.hpp"
#include "netlink/quantity.hpp"
#include "netlink/received.hpp"

namespace nlstream::ip {
namespace {

struct Selection {
    u32 index = 0;
    u32 master = 0;
    bool groups = false;
    bool fdb = false;
    u32 protocol = 0;  // 0: any
    std::optional<u32> id;
};

void read_vrf(Line& line, Selection& s) { s.master = take_vrf(line); }
void read_id(Line& line, Selection& s) {
    s.id = static_cast<u32>(read_number(line.take("ID")));
    if (!line.done()) fail_use(line.peek(), "nothing may follow the ID of one nexthop");
}

constexpr Row rows[] = {
    {"dev*",      "DEVICE",   device(keep<&Selection::index>),   "Nexthops that leave by this link."},
    {"groups*",   "",         set(keep<&Selection::groups>),     "Groups of nexthops."},
    {"master*",   "DEVICE",   device(keep<&Selection::master>),  "Nexthops that leave by the ports of this link."},
    {"vrf*",      "VRF",      custom<read_vrf>,                  "Nexthops that leave by the links of this VRF."},
    {"id",        "ID",       custom<read_id>,                   "This one."},
    {"protocol*", "PROTOCOL", U32(keep<&Selection::protocol>),   "Nexthops made by PROTOCOL, a number."},
    {"fdb*",      "",         set(keep<&Selection::fdb>),        "Nexthops of forwarding tables."},
};
constexpr auto table = keywords<Selection>(rows);

void put_id(MessageBuffer& out, u32 id) {
    out.fixed_header<nhmsg>();
    out.put(NHA_ID, id);
}

u32 id_of(nlmsghdr const& entry) { return Attributes<NHA_ID>(entry, sizeof(nhmsg)).value<u32>(NHA_ID); }

}  // namespace

Table flush_nexthops_table() { return table; }

void flush_nexthops(Line& line) {
    bool const all = line.done();
    Selection s;
    Reader(table, s).read_all(line);
    if (s.id) {
        line.out.begin(RTM_DELNEXTHOP, NLM_F_REQUEST | NLM_F_ACK);
        put_id(line.out, *s.id);
        return end_request(line);
    }
    auto const family = line.family;
    flush(line, {.what = "nexthops",
                 .entry = RTM_NEWNEXTHOP,
                 .deletion = RTM_DELNEXTHOP,
                 .header = sizeof(nhmsg),
                 .ask =
                     [&](MessageBuffer& request, u32 round) {
                         request.fixed_header<nhmsg>().nh_family = family;
                         if (s.index) request.put(NHA_OIF, s.index);
                         // Of all, the groups go first: a group ends with its last member.
                         if (s.groups || (all && round == 0)) request.put_flag(NHA_GROUPS);
                         if (s.master) request.put(NHA_MASTER, s.master);
                         if (s.fdb) request.put_flag(NHA_FDB);
                     },
                 .question = RTM_GETNEXTHOP,
                 .selects =
                     [&](nlmsghdr const& entry, u32) {
                         auto const& head = *body_of<nhmsg>(entry);
                         return id_of(entry) != 0 && (!s.protocol || s.protocol == head.nh_protocol);
                     },
                 .identify = [](MessageBuffer& out, nlmsghdr const& entry) { put_id(out, id_of(entry)); },
                 .least_rounds = all ? 2u : 1u});
}

}  // namespace nlstream::ip
