// ip stats ...: counters in hardware.
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "netlink/ip/kinds.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {{"show"}, {"set", RTM_SETSTATS, 0}};

struct Stats {
    u32 index = 0;
    u8 layer3 = 0;
};

constexpr Row rows[] = {
    {"dev",      "DEVICE", device(keep<&Stats::index>), "The link. Required.", {}, true},
    {"l3_stats", "on|off", OnOff(keep<&Stats::layer3>), "Count the packets that are routed in hardware. Required.", {}, true},
};
constexpr auto table = keywords<Stats>(rows);

}  // namespace

extern constinit KindInfo const stats_info = {"ip", "stats", "Statistics of a link that hardware keeps.", {{{"", table}}}};

void read_stats(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip stats");
    begin_request<if_stats_msg>(line, verb.type, verb.flags);
    Stats s;
    Reader reader(table, s);
    reader.read_all(line);
    if (!reader.seen("dev")) fail_missing(line, "dev DEVICE");
    if (!reader.seen("l3_stats")) fail_missing(line, "l3_stats on or off");
    line.out.value_at<if_stats_msg>(sizeof(nlmsghdr)).ifindex = s.index;
    line.source_keyword("l3_stats");
    line.out.put(IFLA_STATS_SET_OFFLOAD_XSTATS_L3_STATS, s.layer3);
    end_request(line);
}

}  // namespace nlstream::ip
