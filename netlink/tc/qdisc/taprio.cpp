// tc qdisc ... taprio: gates that open by schedule (IEEE 802.1Qbv).
#include <vector>

#include "netlink/tc/clock_id.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/traffic_classes.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

struct Entry {
    u8 command;
    u32 gates;
    u32 interval;  // ns
};

struct Taprio {
    tc_mqprio_qopt options{};
    PerClass preemption;
    PerClass max_sdu;  // bytes
    std::vector<Entry> entries;
    s64 base_time = 0;             // ns
    s64 cycle_time = 0;            // ns
    s64 cycle_time_extension = 0;  // ns
    std::optional<s32> clock;
    u32 flags = 0;
    u32 txtime_delay = 0;  // ns
};

void read_classes(Line& line, Taprio& t) { t.options.num_tc = static_cast<u8>(read_number(line.take("N"), 0, 0xff, 10)); }
void read_map(Line& line, Taprio& t) { read_priority_map(line, t.options); }
void read_ranges(Line& line, Taprio& t) { read_queues(line, t.options); }
void read_fp(Line& line, Taprio& t) { read_preemption(line, t.preemption); }
void read_max_sdu(Line& line, Taprio& t) {
    t.max_sdu.given = true;
    for (t.max_sdu.count = 0; t.max_sdu.count < t.max_sdu.values.size() && at_number(line); ++t.max_sdu.count)
        t.max_sdu.values[t.max_sdu.count] = static_cast<u32>(read_number(line.take("BYTES"), 0, 0xffffffff, 10));
}

constexpr NamedValue commands[] = {{"S", TC_TAPRIO_CMD_SET_GATES}, {"H", TC_TAPRIO_CMD_SET_AND_HOLD}, {"R", TC_TAPRIO_CMD_SET_AND_RELEASE}};
void read_entry(Line& line, Taprio& t) {
    auto const command = static_cast<u8>(read_choice(line.take("S|H|R"), commands, "sched-entry"));
    auto const gates = static_cast<u32>(read_number(line.take("GATES"), 0, 0xffffffff, 16));
    auto const interval = static_cast<u32>(read_number(line.take("NS")));
    t.entries.push_back({command, gates, interval});
}

template <auto Member>
void read_ns(Line& line, Taprio& t) {
    t.*Member = read_signed(line.take("NS"), -9223372036854775807LL - 1, 9223372036854775807LL, 10);
}
void read_clock(Line& line, Taprio& t) { t.clock = read_clock_id(line.take("CLOCK")); }

constexpr std::string_view again = "it was given before";
std::string_view second_fp(Taprio const& t) { return t.preemption.given ? again : ""; }
std::string_view second_max_sdu(Taprio const& t) { return t.max_sdu.given ? again : ""; }
std::string_view second_cycle(Taprio const& t) { return t.cycle_time ? again : ""; }
std::string_view second_extension(Taprio const& t) { return t.cycle_time_extension ? again : ""; }
std::string_view second_clock(Taprio const& t) { return t.clock ? again : ""; }
std::string_view second_flags(Taprio const& t) { return t.flags ? again : ""; }
std::string_view second_delay(Taprio const& t) { return t.txtime_delay ? again : ""; }

constexpr Row rows[] = {
    {"num_tc",               "N",               custom<read_classes>,                            "The number of traffic classes."},
    {"map",                  "CLASS...",        custom<read_map>,                                "The traffic class of packets of priority 0, 1, ... 15."},
    {"queues",               "COUNT@OFFSET...", custom<read_ranges>,                             "The hardware queues of traffic class 0, 1, ...: how many, from which on."},
    {"fp",                   "E|P...",          custom<read_fp>,                                 "Whether frames of traffic class 0, 1, ... are express or may be preempted.", unless<second_fp>},
    {"max-sdu",              "BYTES...",        custom<read_max_sdu>,                            "The largest packet of traffic class 0, 1, ...; 0: no limit.", unless<second_max_sdu>},
    {"sched-entry",          "S|H|R GATES NS",  custom<read_entry>,                              "Next in the schedule: open GATES, hexadecimal bits, for NS nanoseconds; H and R hold or release preemption."},
    {"base-time",            "NS",              custom<read_ns<&Taprio::base_time>>,             "When the schedule starts, by the clock (default 0)."},
    {"cycle-time",           "NS",              custom<read_ns<&Taprio::cycle_time>>,            "Start anew after so long (default: the sum of the entries).", unless<second_cycle>},
    {"cycle-time-extension", "NS",              custom<read_ns<&Taprio::cycle_time_extension>>,  "The last cycle before a new schedule may be so much longer.", unless<second_extension>},
    {"clockid",              "CLOCK",           custom<read_clock>,                              "The clock of the schedule: CLOCK_TAI.", unless<second_clock>},
    {"flags",                "FLAGS",           U32(keep<&Taprio::flags>),                       "1: set transmit times for an etf qdisc below; 2: offload.", unless<second_flags>},
    {"txtime-delay",         "NS",              U32(keep<&Taprio::txtime_delay>),                "With flags 1: the longest time from here to the hardware.", unless<second_delay>},
};
constexpr auto table = keywords<Taprio>(rows);

void put_classes(Line& line, Taprio const& t) {
    line.source_keyword("max-sdu");
    for (u32 i = 0; i < std::max(t.max_sdu.count, t.preemption.count); ++i)
        line.out.nest(TCA_TAPRIO_ATTR_TC_ENTRY | NLA_F_NESTED, [&] {
            line.out.put(TCA_TAPRIO_TC_ENTRY_INDEX, i);
            if (i < t.max_sdu.count) line.out.put(TCA_TAPRIO_TC_ENTRY_MAX_SDU, t.max_sdu.values[i]);
            if (i < t.preemption.count) line.out.put(uapi::TCA_TAPRIO_TC_ENTRY_FP, t.preemption.values[i]);
        });
}

void read(Line& line) {
    Taprio t;
    Reader(table, t).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        put_given(line, "clockid", TCA_TAPRIO_ATTR_SCHED_CLOCKID, t.clock);
        put_given(line, "flags", TCA_TAPRIO_ATTR_FLAGS, t.flags);
        line.source_keyword("num_tc");
        if (t.options.num_tc) line.out.put(TCA_TAPRIO_ATTR_PRIOMAP, t.options);
        put_given(line, "txtime-delay", TCA_TAPRIO_ATTR_TXTIME_DELAY, t.txtime_delay);
        put_given(line, "base-time", TCA_TAPRIO_ATTR_SCHED_BASE_TIME, t.base_time);
        put_given(line, "cycle-time", TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME, t.cycle_time);
        put_given(line, "cycle-time-extension", TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME_EXTENSION, t.cycle_time_extension);
        put_classes(line, t);
        line.source_keyword("sched-entry");
        line.out.nest(TCA_TAPRIO_ATTR_SCHED_ENTRY_LIST | NLA_F_NESTED, [&] {
            for (auto const& entry : t.entries)
                line.out.nest(TCA_TAPRIO_SCHED_ENTRY, [&] {
                    line.out.put(TCA_TAPRIO_SCHED_ENTRY_CMD, entry.command);
                    line.out.put(TCA_TAPRIO_SCHED_ENTRY_GATE_MASK, entry.gates);
                    line.out.put(TCA_TAPRIO_SCHED_ENTRY_INTERVAL, entry.interval);
                });
        });
    });
}

}  // namespace

extern constinit QdiscKind const taprio_qdisc = {.info = {"qdisc", "taprio", "Gates of traffic classes open and close by a schedule.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
