// tc ... action connmark: the connection's mark becomes the packet's.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_connmark.h>

#include <cstring>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Connmark {
    u16 zone = 0;
};

constexpr Row rows[] = {
    {"zone*", "ZONE", U16(keep<&Connmark::zone>).dec(), "The conntrack zone (default 0)."},
};
constexpr auto table = keywords<Connmark>(rows);

void read(Line& line) {
    skip_name(line, "connmark");
    Connmark c;
    Reader(table, c).read_one(line);
    tc_connmark parms;
    std::memset(&parms, 0, sizeof parms);  // its padding is sent too
    read_action_end(line, parms, TC_ACT_PIPE);
    parms.zone = c.zone;
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] { line.out.put(TCA_CONNMARK_PARMS, parms); });
}

}  // namespace

extern constinit ActionKind const connmark_action = {{"action", "connmark", "The connection's mark becomes the packet's.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
