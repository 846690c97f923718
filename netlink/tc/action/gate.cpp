// tc ... action gate: let packets through at some times only (IEEE 802.1Qci).
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_gate.h>

#include <limits>
#include <vector>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/clock_id.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Slot {
    bool open = false;
    u32 interval = 0;   // nanoseconds
    int priority = -1;  // internal priority; -1: any
    int octets = -1;    // -1: any number
};

struct Gate {
    u32 index = 0;
    int priority = -1;         // -1: any
    s64 base_time = 0;         // nanoseconds, as the next two
    s64 cycle_time = 0;
    s64 cycle_extension = 0;
    int clock = -1;            // -1: the kernel's default
    u32 flags = 0;
    std::vector<Slot> slots;
};

constexpr int max_int = std::numeric_limits<int>::max();
constexpr int min_int = std::numeric_limits<int>::min();

void read_base_time(Line& line, Gate& g) { g.base_time = read_instant_ns(line.take("TIME")); }
void read_cycle_time(Line& line, Gate& g) { g.cycle_time = read_instant_ns(line.take("TIME")); }
void read_cycle_extension(Line& line, Gate& g) { g.cycle_extension = read_instant_ns(line.take("TIME")); }
void read_clock(Line& line, Gate& g) { g.clock = read_clock_id(line.take("CLOCK")); }

u32 read_interval(Word const& word) {
    if (auto const number = parse_number(word.text)) return static_cast<u32>(*number);
    auto const ns = read_time_ns(word);
    if (ns > 0xffffffff) fail_range(word, "less than 4.3 s");
    return static_cast<u32>(ns);
}

/// "open|close INTERVAL [PRIORITY [OCTETS]]"; what is no number ends it.
void read_slot(Line& line, Gate& g) {
    Slot slot;
    auto const& state = line.take("open or close");
    slot.open = equal_ignoring_case(state.text, "open");
    if (!slot.open && !equal_ignoring_case(state.text, "close")) fail_value(state, "a gate's state", "open or close");
    slot.interval = read_interval(line.take("INTERVAL"));
    auto const priority = line.done() ? std::nullopt : parse_signed(line.peek().text, min_int, max_int);
    if (priority) {
        line.take("PRIORITY");
        if (slot.open) slot.priority = static_cast<int>(*priority);
        if (!line.done()) {
            auto octets = parse_signed(line.peek().text, min_int, max_int);
            if (!octets)
                if (auto const size = parse_size(line.peek().text)) octets = static_cast<s64>(read_size(line.peek(), max_int));
            if (octets) line.take("OCTETS");
            if (octets && slot.open) slot.octets = static_cast<int>(*octets);
        }
    }
    g.slots.push_back(slot);
}

constexpr Row rows[] = {
    {"index*",          "INDEX",    U32(keep<&Gate::index>).dec(),      "The action's number; that of an existing action when nothing else is said."},
    {"priority*",       "PRIORITY", S32(keep<&Gate::priority>),         "The internal priority of packets (default -1: any)."},
    {"base-time*",      "TIME",     custom<read_base_time>,             "When the first cycle starts (default 0)."},
    {"cycle-time*",     "TIME",     custom<read_cycle_time>,            "How long a cycle takes (default: all its slots)."},
    {"cycle-time-ext*", "TIME",     custom<read_cycle_extension>,       "How much longer the last cycle before a new schedule may take."},
    {"clockid*",        "CLOCK",    custom<read_clock>,                 "The clock: boottime, monotonic, realtime or tai."},
    {"flags*",          "FLAGS",    U32(keep<&Gate::flags>),            "Flags of the kernel."},
    {"sched-entry*",    "open|close INTERVAL [PRIORITY [OCTETS]]", custom<read_slot>, "The next slot: its state, its length, and for open ones the priority packets get and how much may pass."},
};
constexpr auto table = keywords<Gate>(rows);

void put_slots(Line& line, Gate const& g) {
    line.source_keyword("sched-entry");
    line.out.nest(TCA_GATE_ENTRY_LIST | NLA_F_NESTED, [&] {
        for (auto const& slot : g.slots)
            line.out.nest(TCA_GATE_ONE_ENTRY | NLA_F_NESTED, [&] {
                if (slot.open) line.out.put_flag(TCA_GATE_ENTRY_GATE);
                line.out.put(TCA_GATE_ENTRY_INTERVAL, slot.interval);
                line.out.put(TCA_GATE_ENTRY_IPV, slot.priority);
                line.out.put(TCA_GATE_ENTRY_MAX_OCTETS, slot.octets);
            });
    });
}

template <class T>
void put_unless(Line& line, std::string_view keyword, u16 attribute, T value, T absent) {
    line.source_keyword(keyword);
    if (value != absent) line.out.put(attribute, value);
}

void read(Line& line) {
    Gate g;
    if (line.done()) fail_missing(line, "sched-entry open INTERVAL");
    Reader(table, g).read_some(line);
    tc_gate parms = tc_gate();
    parms.index = g.index;
    read_action_control(line, parms, TC_ACT_PIPE);
    if (g.slots.empty() && !g.index) fail_missing(line, "sched-entry open INTERVAL");
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_GATE_PARMS, parms);
        put_unless(line, "priority", TCA_GATE_PRIORITY, g.priority, -1);
        put_unless(line, "flags", TCA_GATE_FLAGS, g.flags, 0u);
        put_unless(line, "base-time", TCA_GATE_BASE_TIME, g.base_time, s64{0});
        put_unless(line, "cycle-time", TCA_GATE_CYCLE_TIME, g.cycle_time, s64{0});
        put_unless(line, "cycle-time-ext", TCA_GATE_CYCLE_TIME_EXT, g.cycle_extension, s64{0});
        put_unless(line, "clockid", TCA_GATE_CLOCKID, g.clock, -1);
        put_slots(line, g);
    });
}

}  // namespace

extern constinit ActionKind const gate_action = {{"action", "gate", "Lets packets through at some times only.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
