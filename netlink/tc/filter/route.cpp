// tc filter ... route: packets by the realms of their route.
#include <linux/pkt_cls.h>

#include "netlink/tc/action/police.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

constexpr u32 any_route = 0xffff8000;  // net/sched/cls_route.c, the handle of a filter for every route
constexpr u32 is_device = 0x8000;      // the upper half is a device and not a realm

struct Route {
    u32 handle = any_route;  // what the kernel would choose, made from the keywords
    u32 order = 0;
};

void set_source(Route& r, u32 from) { r.handle = (r.handle & 0xffff) | from << 16; }

void read_to(Line& line, Route& r) {
    auto const realm = read_name(line, line.take("REALM"), Names::Of::realm);
    line.out.put(TCA_ROUTE4_TO, realm);
    r.handle = (r.handle & ~u32{0x80ff}) | (realm & 0xff);
}
void read_from(Line& line, Route& r) {
    auto const realm = read_name(line, line.take("REALM"), Names::Of::realm);
    line.out.put(TCA_ROUTE4_FROM, realm);
    set_source(r, realm);
}
void read_from_device(Line& line, Route& r) {
    auto const index = line.take_device("DEVICE");
    line.out.put(TCA_ROUTE4_IIF, index);
    set_source(r, is_device | index);
}
void read_policer(Line& line, Route&) { read_police(line, TCA_ROUTE4_POLICE); }
void read_actions(Line& line, Route&) { read_action_list(line, TCA_ROUTE4_ACT); }

constexpr Row rows[] = {
    {"to*",     "REALM",  custom<read_to>,          "The route leads to REALM."},
    {"from*",   "REALM",  custom<read_from>,        "The packet's source is in REALM."},
    {"fromif*", "DEVICE", custom<read_from_device>, "The packet came in by DEVICE."},
    {"classid*|flowid", "CLASSID", ClassId{{TCA_ROUTE4_CLASSID}}, "The class that packets go to."},
    {"police*", "...",    custom<read_policer>,     "Limit the rate of the packets, as with action police."},
    {"action*", "...",    custom<read_actions>,     "What is done with the packets."},
    {"order*",  "N",      U32(keep<&Route::order>).in(0, 127), "Distinguishes filters for the same realms, without a handle."},
};
constexpr auto table = keywords<Route>(rows);

void read(Line& line, FilterHead const& head) {
    auto const handle = head.handle ? static_cast<u32>(read_number(*head.handle)) : 0;
    header(line).tcm_handle = handle;
    if (line.done()) return;
    Route r;
    line.out.nest(TCA_OPTIONS, [&] { Reader(table, r).read_all(line); });
    if (r.order) r.handle = (r.handle & ~u32{0x7f00}) | r.order << 8;
    if (!handle) header(line).tcm_handle = r.handle;
}

}  // namespace

extern constinit FilterKind const route_filter = {{"filter", "route", "Matches the realms of the packet's route.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
