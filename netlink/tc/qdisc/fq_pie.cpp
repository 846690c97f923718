// tc qdisc ... fq_pie: fair queues, each controlled as pie's.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

struct FqPie {
    u32 limit = 0;
    u32 flows = 0;
    u32 target = 0;   // us
    u32 tupdate = 0;  // us
    u32 alpha = 0;
    u32 beta = 0;
    u32 quantum = 0;       // bytes
    u32 memory_limit = 0;  // bytes
    u32 ecn_prob = 0;      // percent
    std::optional<u32> ecn, bytemode, dq_rate_estimator;
};

constexpr Row rows[] = {
    {"limit",                "PACKETS", U32(keep<&FqPie::limit>),                          "Packets that may wait in all queues (default 10240)."},
    {"flows",                "N",       U32(keep<&FqPie::flows>),                          "Queues that flows are spread over (default 1024)."},
    {"target",               "TIME",    Time{{kept, 4, false, keep<&FqPie::target>}},       "The delay that is aimed at (default 15ms)."},
    {"tupdate",              "TIME",    Time{{kept, 4, false, keep<&FqPie::tupdate>}},      "Compute the drop probabilities anew so often (default 15ms)."},
    {"alpha",                "N",       U32(keep<&FqPie::alpha>).in(0, 32),                "Weight of the delay's distance from target (default 2)."},
    {"beta",                 "N",       U32(keep<&FqPie::beta>).in(0, 32),                 "Weight of the delay's change (default 20)."},
    {"quantum",              "BYTES",   Size{{kept, 4, false, keep<&FqPie::quantum>}},      "Bytes that a queue sends before the next one's turn (default: the link's MTU)."},
    {"memory_limit",         "BYTES",   Size{{kept, 4, false, keep<&FqPie::memory_limit>}}, "Memory that waiting packets may take (default 32mb)."},
    {"ecn_prob",             "PERCENT", U32(keep<&FqPie::ecn_prob>).in(0, 99),             "Mark only while the probability is at most PERCENT, else drop (default 10)."},
    {"ecn",                  "",        set(keep<&FqPie::ecn>, 1),                          "Mark packets instead of dropping them."},
    {"noecn",                "",        set(keep<&FqPie::ecn>, 0),                          "Drop packets, mark none (default)."},
    {"bytemode",             "",        set(keep<&FqPie::bytemode>, 1),                     "Drop longer packets more often."},
    {"nobytemode",           "",        set(keep<&FqPie::bytemode>, 0),                     "Drop packets of any length alike (default)."},
    {"dq_rate_estimator",    "",        set(keep<&FqPie::dq_rate_estimator>, 1),            "Estimate the delay by the rate of departures."},
    {"no_dq_rate_estimator", "",        set(keep<&FqPie::dq_rate_estimator>, 0),            "Take the delay from the packets' times of arrival (default)."},
};
constexpr auto table = keywords<FqPie>(rows);

void read(Line& line) {
    FqPie p;
    Reader(table, p).read_all(line);
    line.out.nest(TCA_OPTIONS | NLA_F_NESTED, [&] {
        put_given(line, "limit", TCA_FQ_PIE_LIMIT, p.limit);
        put_given(line, "flows", TCA_FQ_PIE_FLOWS, p.flows);
        put_given(line, "target", TCA_FQ_PIE_TARGET, p.target);
        put_given(line, "tupdate", TCA_FQ_PIE_TUPDATE, p.tupdate);
        put_given(line, "alpha", TCA_FQ_PIE_ALPHA, p.alpha);
        put_given(line, "beta", TCA_FQ_PIE_BETA, p.beta);
        put_given(line, "quantum", TCA_FQ_PIE_QUANTUM, p.quantum);
        put_given(line, "memory_limit", TCA_FQ_PIE_MEMORY_LIMIT, p.memory_limit);
        put_given(line, "ecn_prob", TCA_FQ_PIE_ECN_PROB, p.ecn_prob);
        put_given(line, "ecn", TCA_FQ_PIE_ECN, p.ecn);
        put_given(line, "bytemode", TCA_FQ_PIE_BYTEMODE, p.bytemode);
        put_given(line, "dq_rate_estimator", TCA_FQ_PIE_DQ_RATE_ESTIMATOR, p.dq_rate_estimator);
    });
}

}  // namespace

extern constinit QdiscKind const fq_pie_qdisc = {.info = {"qdisc", "fq_pie", "Fair queues of flows, their delay controlled by random drops.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
