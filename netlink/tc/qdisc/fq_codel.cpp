// tc qdisc ... fq_codel: fair queues, each with controlled delay.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

struct FqCodel {
    u32 limit = 0;
    u32 flows = 0;
    u32 quantum = 0;
    u32 drop_batch = 0;
    u32 target = 0;                     // us
    u32 interval = 0;                   // us
    u32 ce_threshold = 0xffffffff;      // us; ~0: none
    u32 memory_limit = 0xffffffff;      // bytes; ~0: not given
    u8 ce_threshold_selector = 0xff;    // 0xff: none
    u8 ce_threshold_mask = 0;
    std::optional<u32> ecn;
};

void read_selector(Line& line, FqCodel& f) {
    auto const& word = line.take("VALUE/MASK");
    auto const parts = split_mask(word);
    if (!parts.mask) fail_value(word, "a value with its mask", "VALUE/MASK, such as 0x1/0x3");
    f.ce_threshold_mask = static_cast<u8>(read_number(*parts.mask, 0, 0xff));
    f.ce_threshold_selector = static_cast<u8>(read_number(parts.value, 0, 0xff));
}

constexpr Row rows[] = {
    {"limit",                 "PACKETS",    U32(keep<&FqCodel::limit>),                            "Packets that may wait in all queues (default 10240)."},
    {"flows",                 "N",          U32(keep<&FqCodel::flows>),                            "Queues that flows are spread over (default 1024)."},
    {"quantum",               "BYTES",      U32(keep<&FqCodel::quantum>),                          "Bytes that a queue sends before the next one's turn (default: the link's MTU)."},
    {"drop_batch",            "PACKETS",    U32(keep<&FqCodel::drop_batch>),                       "Packets dropped at once when limit or memory_limit is exceeded (default 64)."},
    {"target",                "TIME",       Time{{kept, 4, false, keep<&FqCodel::target>}},         "The delay that is acceptable (default 5ms)."},
    {"ce_threshold",          "TIME",       Time{{kept, 4, false, keep<&FqCodel::ce_threshold>}},   "Mark every packet that waited longer (default: none)."},
    {"ce_threshold_selector", "VALUE/MASK", custom<read_selector>,                                 "ce_threshold is for packets whose DS field under MASK is VALUE."},
    {"memory_limit",          "BYTES",      Size{{kept, 4, false, keep<&FqCodel::memory_limit>}},   "Memory that waiting packets may take (default 32mb)."},
    {"interval",              "TIME",       Time{{kept, 4, false, keep<&FqCodel::interval>}},       "Drop when the delay was above target for so long (default 100ms)."},
    {"ecn",                   "",           set(keep<&FqCodel::ecn>, 1),                            "Mark packets instead of dropping them (default)."},
    {"noecn",                 "",           set(keep<&FqCodel::ecn>, 0),                            "Drop packets, mark none."},
};
constexpr auto table = keywords<FqCodel>(rows);

void read(Line& line) {
    FqCodel f;
    Reader(table, f).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        put_given(line, "limit", TCA_FQ_CODEL_LIMIT, f.limit);
        put_given(line, "flows", TCA_FQ_CODEL_FLOWS, f.flows);
        put_given(line, "quantum", TCA_FQ_CODEL_QUANTUM, f.quantum);
        put_given(line, "interval", TCA_FQ_CODEL_INTERVAL, f.interval);
        put_given(line, "target", TCA_FQ_CODEL_TARGET, f.target);
        put_given(line, "ecn", TCA_FQ_CODEL_ECN, f.ecn);
        put_given(line, "ce_threshold", TCA_FQ_CODEL_CE_THRESHOLD, f.ce_threshold, 0xffffffff);
        if (f.ce_threshold_selector != 0xff) {
            line.source_keyword("ce_threshold_selector");
            line.out.put(TCA_FQ_CODEL_CE_THRESHOLD_MASK, f.ce_threshold_mask);
            line.out.put(TCA_FQ_CODEL_CE_THRESHOLD_SELECTOR, f.ce_threshold_selector);
        }
        put_given(line, "memory_limit", TCA_FQ_CODEL_MEMORY_LIMIT, f.memory_limit, 0xffffffff);
        put_given(line, "drop_batch", TCA_FQ_CODEL_DROP_BATCH_SIZE, f.drop_batch);
    });
}

}  // namespace

extern constinit QdiscKind const fq_codel_qdisc = {.info = {"qdisc", "fq_codel", "Fair queues of flows, each kept short by controlled delay.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
