#include "netlink/ip/link/ipvlan_family.hpp"

namespace nlstream::ip {
namespace {

struct Ipvlan {
    bool flag_given = false;
    u16 flags = 0;
};

std::string_view second_flag(Ipvlan const& i) { return i.flag_given ? "private, vepa and bridge exclude each other" : ""; }

template <u16 Flag>
void read_flag(Line&, Ipvlan& i) {
    i.flags = Flag;
    i.flag_given = true;
}

constexpr NamedValue modes[] = {{"l2", IPVLAN_MODE_L2}, {"l3", IPVLAN_MODE_L3}, {"l3s", IPVLAN_MODE_L3S}};

constexpr Row rows[] = {
    {"mode*",    "MODE", one_of(modes, {IFLA_IPVLAN_MODE, 2}),   "What decides where packets go: l2, l3 (default) or l3s (l3 with netfilter)."},
    {"private*", "",     custom<read_flag<IPVLAN_F_PRIVATE>>,    "Links on the same one do not reach each other.", unless<second_flag>},
    {"vepa*",    "",     custom<read_flag<IPVLAN_F_VEPA>>,       "Links on the same one reach each other through the switch.", unless<second_flag>},
    {"bridge*",  "",     custom<read_flag<0>>,                   "Links on the same one reach each other (default).", unless<second_flag>},
};
constexpr auto table = keywords<Ipvlan>(rows);

}  // namespace

Table ipvlan_table() { return table; }

void read_ipvlan(Line& line) {
    Ipvlan i;
    Reader(table, i).read_all(line);
    line.out.put(IFLA_IPVLAN_FLAGS, i.flags);
}

}  // namespace nlstream::ip
