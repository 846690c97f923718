#include "netlink/tc/clock_id.hpp"

#include <ctime>

#include "netlink/quantity.hpp"

namespace nlstream::tc {

int read_clock_id(Word const& word) {
    struct ClockName {
        std::string_view name;
        int id;
    };
    static constexpr ClockName clocks[] = {{"boottime", CLOCK_BOOTTIME}, {"monotonic", CLOCK_MONOTONIC}, {"realtime", CLOCK_REALTIME}, {"tai", CLOCK_TAI}};
    constexpr std::string_view prefix = "clock_";
    auto name = word.text;
    if (equal_ignoring_case(name.substr(0, prefix.size()), prefix)) name.remove_prefix(prefix.size());
    for (auto const& clock : clocks)
        if (equal_ignoring_case(name, clock.name)) return clock.id;
    fail_value(word, "a clock", "boottime, monotonic, realtime or tai");
}

}  // namespace nlstream::tc
