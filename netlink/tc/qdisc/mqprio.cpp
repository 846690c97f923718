// tc qdisc ... mqprio: priorities, traffic classes and hardware queues.
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/traffic_classes.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

using Rates = std::array<u64, TC_QOPT_MAX_QUEUE>;  // bytes a second

struct Mqprio {
    tc_mqprio_qopt options{.num_tc = 8, .prio_tc_map = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 1, 1, 3, 3, 3, 3}, .hw = 1, .count = {}, .offset = {}};
    u32 pairs = 0;
    PerClass preemption;
    u16 mode = TC_MQPRIO_MODE_DCB;
    u16 shaper = TC_MQPRIO_SHAPER_DCB;
    // As iproute2, these stay put once they were asked for.
    bool put_mode = false;
    bool put_shaper = false;
    std::optional<Rates> min_rates, max_rates;
};

void read_classes(Line& line, Mqprio& m) { m.options.num_tc = static_cast<u8>(read_number(line.take("N"), 0, 0xff, 10)); }
void read_map(Line& line, Mqprio& m) { read_priority_map(line, m.options); }
void read_ranges(Line& line, Mqprio& m) { m.pairs += read_queues(line, m.options); }
void read_fp(Line& line, Mqprio& m) { read_preemption(line, m.preemption); }
void read_hw(Line& line, Mqprio& m) { m.options.hw = static_cast<u8>(read_number(line.take("0|1"), 0, 0xff, 10)); }

constexpr NamedValue modes[] = {{"dcb*", TC_MQPRIO_MODE_DCB}, {"channel*", TC_MQPRIO_MODE_CHANNEL}};
void read_mode(Line& line, Mqprio& m) {
    m.mode = static_cast<u16>(read_choice(line.take("MODE"), modes, "mode"));
    m.put_mode |= m.mode != TC_MQPRIO_MODE_DCB;
}

constexpr NamedValue shapers[] = {{"dcb*", TC_MQPRIO_SHAPER_DCB}, {"bw_rlimit*", TC_MQPRIO_SHAPER_BW_RATE}};
void read_shaper(Line& line, Mqprio& m) {
    m.shaper = static_cast<u16>(read_choice(line.take("SHAPER"), shapers, "shaper"));
    if (m.shaper == TC_MQPRIO_SHAPER_DCB) return;
    if (line.done()) fail_missing(line, "min_rate RATE...");
    m.put_shaper = true;
}

void read_rates(Line& line, Mqprio const& m, std::optional<Rates>& rates) {
    auto& values = rates ? *rates : rates.emplace();
    std::size_t count = 0;
    for (; count < values.size() && !line.done(); ++count) {
        auto const rate = parse_rate(line.peek().text);
        if (!rate) break;
        line.take("RATE");
        values[count] = *rate;
    }
    if (line.done() && count < m.options.num_tc) fail_missing(line, "a rate for each of " + std::to_string(m.options.num_tc) + " traffic classes");
}
void read_min_rates(Line& line, Mqprio& m) { read_rates(line, m, m.min_rates); }
void read_max_rates(Line& line, Mqprio& m) { read_rates(line, m, m.max_rates); }

std::string_view not_in_hardware(Mqprio const& m) { return m.options.hw ? "" : "hw 0 was given"; }
std::string_view no_limits(Mqprio const& m) { return m.shaper == TC_MQPRIO_SHAPER_BW_RATE ? "" : "it needs \"shaper bw_rlimit\" before it"; }

constexpr Row rows[] = {
    {"num_tc",   "N",               custom<read_classes>,   "The number of traffic classes (default 8)."},
    {"map",      "CLASS...",        custom<read_map>,       "The traffic class of packets of priority 0, 1, ... 15."},
    {"queues",   "COUNT@OFFSET...", custom<read_ranges>,    "The hardware queues of traffic class 0, 1, ...: how many, from which on."},
    {"fp",       "E|P...",          custom<read_fp>,        "Whether frames of traffic class 0, 1, ... are express or may be preempted."},
    {"hw",       "0|1",             custom<read_hw>,        "Let the hardware do it (default 1)."},
    {"mode",     "MODE",            custom<read_mode>,      "What the hardware takes the classes for: dcb (default) or channel.", unless<not_in_hardware>},
    {"shaper",   "SHAPER",          custom<read_shaper>,    "The hardware's shaper: dcb (default) or bw_rlimit.", unless<not_in_hardware>},
    {"min_rate", "RATE...",         custom<read_min_rates>, "The least rate of traffic class 0, 1, ...", unless<no_limits>},
    {"max_rate", "RATE...",         custom<read_max_rates>, "The greatest rate of traffic class 0, 1, ...", unless<no_limits>},
};
constexpr auto table = keywords<Mqprio>(rows);

void put_rates(Line& line, std::string_view keyword, u16 attribute, std::optional<Rates> const& rates) {
    if (!rates) return;
    line.source_keyword(keyword);
    line.out.nest(attribute | NLA_F_NESTED, [&] {
        for (auto const rate : *rates) line.out.put(attribute, rate);
    });
}

void read(Line& line) {
    Mqprio m;
    Reader(table, m).read_all(line);
    if (m.pairs > m.options.num_tc) fail_use(given_word(line, {"queues"}), "more ranges of queues than the " + std::to_string(m.options.num_tc) + " of num_tc");
    auto const at = line.out.position();
    line.out.put(TCA_OPTIONS, m.options);
    line.source_keyword("mode");
    if (m.put_mode) line.out.put(TCA_MQPRIO_MODE, m.mode);
    line.source_keyword("shaper");
    if (m.put_shaper) line.out.put(TCA_MQPRIO_SHAPER, m.shaper);
    line.source_keyword("fp");
    for (u32 i = 0; i < m.preemption.count; ++i)
        line.out.nest(uapi::TCA_MQPRIO_TC_ENTRY | NLA_F_NESTED, [&] {
            line.out.put(uapi::TCA_MQPRIO_TC_ENTRY_INDEX, i);
            line.out.put(uapi::TCA_MQPRIO_TC_ENTRY_FP, m.preemption.values[i]);
        });
    put_rates(line, "min_rate", TCA_MQPRIO_MIN_RATE64, m.min_rates);
    put_rates(line, "max_rate", TCA_MQPRIO_MAX_RATE64, m.max_rates);
    line.out.close(at);
}

}  // namespace

extern constinit QdiscKind const mqprio_qdisc = {.info = {"qdisc", "mqprio", "Maps priorities to traffic classes, and these to hardware queues.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
