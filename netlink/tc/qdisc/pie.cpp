// tc qdisc ... pie: one queue, its delay controlled by random drops (RFC 8033).
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

struct Pie {
    u32 limit = 0;
    u32 target = 0;   // us
    u32 tupdate = 0;  // us
    u32 alpha = 0;
    u32 beta = 0;
    std::optional<u32> ecn, bytemode, dq_rate_estimator;
};

constexpr Row rows[] = {
    {"limit",                "PACKETS", U32(keep<&Pie::limit>),                        "Packets that may wait (default 1000)."},
    {"target",               "TIME",    Time{{kept, 4, false, keep<&Pie::target>}},     "The delay that is aimed at (default 15ms)."},
    {"tupdate",              "TIME",    Time{{kept, 4, false, keep<&Pie::tupdate>}},    "Compute the drop probability anew so often (default 15ms)."},
    {"alpha",                "N",       U32(keep<&Pie::alpha>).in(0, 32),              "Weight of the delay's distance from target (default 2)."},
    {"beta",                 "N",       U32(keep<&Pie::beta>).in(0, 32),               "Weight of the delay's change (default 20)."},
    {"ecn",                  "",        set(keep<&Pie::ecn>, 1),                        "Mark packets instead of dropping them."},
    {"noecn",                "",        set(keep<&Pie::ecn>, 0),                        "Drop packets, mark none (default)."},
    {"bytemode",             "",        set(keep<&Pie::bytemode>, 1),                   "Drop longer packets more often."},
    {"nobytemode",           "",        set(keep<&Pie::bytemode>, 0),                   "Drop packets of any length alike (default)."},
    {"dq_rate_estimator",    "",        set(keep<&Pie::dq_rate_estimator>, 1),          "Estimate the delay by the rate of departures."},
    {"no_dq_rate_estimator", "",        set(keep<&Pie::dq_rate_estimator>, 0),          "Take the delay from the packets' times of arrival (default)."},
};
constexpr auto table = keywords<Pie>(rows);

void read(Line& line) {
    Pie p;
    Reader(table, p).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        put_given(line, "limit", TCA_PIE_LIMIT, p.limit);
        put_given(line, "tupdate", TCA_PIE_TUPDATE, p.tupdate);
        put_given(line, "target", TCA_PIE_TARGET, p.target);
        put_given(line, "alpha", TCA_PIE_ALPHA, p.alpha);
        put_given(line, "beta", TCA_PIE_BETA, p.beta);
        put_given(line, "ecn", TCA_PIE_ECN, p.ecn);
        put_given(line, "bytemode", TCA_PIE_BYTEMODE, p.bytemode);
        put_given(line, "dq_rate_estimator", TCA_PIE_DQ_RATE_ESTIMATOR, p.dq_rate_estimator);
    });
}

}  // namespace

extern constinit QdiscKind const pie_qdisc = {.info = {"qdisc", "pie", "One queue, its delay controlled by random drops.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
