// tc qdisc ... codel: one queue with controlled delay (RFC 8289).
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

struct Codel {
    u32 limit = 0;
    u32 target = 0;                 // us
    u32 interval = 0;               // us
    u32 ce_threshold = 0xffffffff;  // us; ~0: none
    std::optional<u32> ecn;
};

constexpr Row rows[] = {
    {"limit",        "PACKETS", U32(keep<&Codel::limit>),                            "Packets that may wait (default 1000)."},
    {"target",       "TIME",    Time{{kept, 4, false, keep<&Codel::target>}},         "The delay that is acceptable (default 5ms)."},
    {"ce_threshold", "TIME",    Time{{kept, 4, false, keep<&Codel::ce_threshold>}},   "Mark every packet that waited longer (default: none)."},
    {"interval",     "TIME",    Time{{kept, 4, false, keep<&Codel::interval>}},       "Drop when the delay was above target for so long (default 100ms)."},
    {"ecn",          "",        set(keep<&Codel::ecn>, 1),                            "Mark packets instead of dropping them."},
    {"noecn",        "",        set(keep<&Codel::ecn>, 0),                            "Drop packets, mark none (default)."},
};
constexpr auto table = keywords<Codel>(rows);

void read(Line& line) {
    Codel c;
    Reader(table, c).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        put_given(line, "limit", TCA_CODEL_LIMIT, c.limit);
        put_given(line, "interval", TCA_CODEL_INTERVAL, c.interval);
        put_given(line, "target", TCA_CODEL_TARGET, c.target);
        put_given(line, "ecn", TCA_CODEL_ECN, c.ecn);
        put_given(line, "ce_threshold", TCA_CODEL_CE_THRESHOLD, c.ce_threshold, 0xffffffff);
    });
}

}  // namespace

extern constinit QdiscKind const codel_qdisc = {.info = {"qdisc", "codel", "One queue, kept short by controlled delay.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
