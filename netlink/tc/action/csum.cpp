// tc ... action csum: compute checksums anew.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_csum.h>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Csum {
    u32 update = 0;
};

template <u32 Flag>
constexpr Constant update = set(add_bits<&Csum::update>, Flag);

constexpr Row rows[] = {
    {"iph*|ip4h*|ipv4h*", "", update<TCA_CSUM_UPDATE_FLAG_IPV4HDR>, "The checksum of the IPv4 header."},
    {"icmp*",             "", update<TCA_CSUM_UPDATE_FLAG_ICMP>,    "The checksums of ICMP and ICMPv6."},
    {"igmp*",             "", update<TCA_CSUM_UPDATE_FLAG_IGMP>,    "The checksum of IGMP."},
    {"tcp*",              "", update<TCA_CSUM_UPDATE_FLAG_TCP>,     "The checksum of TCP."},
    {"udp*",              "", update<TCA_CSUM_UPDATE_FLAG_UDP>,     "The checksum of UDP."},
    {"udplite*",          "", update<TCA_CSUM_UPDATE_FLAG_UDPLITE>, "The checksum of UDP-Lite."},
    {"sctp*",             "", update<TCA_CSUM_UPDATE_FLAG_SCTP>,    "The checksum of SCTP."},
    {"and*|or*|+",        "", update<0>,                            "Says nothing; for the reader."},
};
constexpr auto table = keywords<Csum>(rows);

void read(Line& line) {
    tc_csum parms = tc_csum();
    if (line.at("index")) {
        // An action that exists.
        ActionEnd end;
        Reader(action_end_table, end).read_one(line);
        parms.index = end.index;
    } else {
        Csum c;
        Reader reader(table, c);
        do {
            if (line.done()) fail_missing(line, "a header such as ip4h or tcp");
            reader.read_some(line);
        } while (line.take_if_abbreviates("csum"));
        if (!c.update && line.done()) fail_missing(line, "a header such as ip4h or tcp");
        if (!c.update) reader.fail_unknown(line);
        parms.update_flags = c.update;
        read_action_end(line, parms, TC_ACT_OK);
    }
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] { line.out.put(TCA_CSUM_PARMS, parms); });
}

}  // namespace

extern constinit ActionKind const csum_action = {{"action", "csum", "Computes checksums anew.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
