#include "netlink/tc/traffic_classes.hpp"

#include "netlink/quantity.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {

void read_priority_map(Line& line, tc_mqprio_qopt& options) {
    for (auto& traffic_class : options.prio_tc_map)
        traffic_class = at_number(line) ? static_cast<u8>(read_number(line.take("CLASS"), 0, 0xff, 10)) : u8{0};
}

u32 read_queues(Line& line, tc_mqprio_qopt& options) {
    u32 pairs = 0;
    for (; pairs < TC_QOPT_MAX_QUEUE && at_number(line); ++pairs) {
        auto const& word = line.take("COUNT@OFFSET");
        auto const at = word.text.find('@');
        if (at == word.text.npos) fail_value(word, "a range of queues", "COUNT@OFFSET, such as 2@4");
        auto const count = parse_number(word.text.substr(0, at), 0xffff, 10);
        auto const offset = parse_number(word.text.substr(at + 1), 0xffff, 10);
        if (!count || !offset) fail_value(word, "a range of queues", "COUNT@OFFSET, such as 2@4");
        options.count[pairs] = static_cast<u16>(*count);
        options.offset[pairs] = static_cast<u16>(*offset);
    }
    return pairs;
}

void read_preemption(Line& line, PerClass& classes) {
    classes.given = true;
    for (classes.count = 0; classes.count < classes.values.size() && (line.at("E") || line.at("P")); ++classes.count)
        classes.values[classes.count] = line.take("E|P").text == "E" ? uapi::TC_FP_EXPRESS : uapi::TC_FP_PREEMPTIBLE;
}

}  // namespace nlstream::tc
