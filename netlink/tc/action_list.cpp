#include "netlink/tc/action_list.hpp"

#include <linux/pkt_cls.h>

#include <array>

#include "netlink/address.hpp"
#include "netlink/tc/control.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

// linux/pkt_cls.h, TCA_ACT_HW_STATS_*
constexpr NamedValue hw_stats[] = {
    {"immediate*", TCA_ACT_HW_STATS_IMMEDIATE}, {"delayed*", TCA_ACT_HW_STATS_DELAYED}, {"disabled*", 0}};

bool is_command(std::string_view word) {
    // Another command of `tc actions` ends a list: "actions add action drop delete action gact index 1".
    for (std::string_view command : {"change", "replace", "delete", "get", "add"})
        if (abbreviates(word, command)) return true;
    return false;
}

void put_bits(Line& line, u16 attribute, u32 value, u32 selector) { line.out.put(attribute, nla_bitfield32{.value = value, .selector = selector}); }

/// What may follow every action.
void read_common_options(Line& line) {
    if (line.take_if("cookie")) {
        std::array<u8, TC_COOKIE_MAX_SIZE> cookie;
        auto const length = read_hex(line.take("HEX"), cookie);
        line.out.put(TCA_ACT_COOKIE, cookie.data(), length);
    }
    if (line.take_if_abbreviates("hw_stats")) {
        auto const type = static_cast<u32>(read_choice(line.take("TYPE"), hw_stats, "hw_stats"));
        put_bits(line, TCA_ACT_HW_STATS, type, type);
    }
    u32 flags = line.take_if("no_percpu") ? TCA_ACT_FLAGS_NO_PERCPU_STATS : 0;
    for (int i = 0; i < 2; ++i) {
        if (line.take_if("skip_sw")) flags |= TCA_ACT_FLAGS_SKIP_SW;
        else if (line.take_if("skip_hw")) flags |= TCA_ACT_FLAGS_SKIP_HW;
    }
    if (flags) put_bits(line, TCA_ACT_FLAGS, flags, flags);
}

}  // namespace

void read_action_list(Line& line, u16 attribute) {
    line.out.nest(attribute, [&] {
        u16 number = 0;
        bool expected = false;  // the word "action" was taken, its kind not yet
        while (!line.done()) {
            if (line.take_if("action")) {
                expected = true;
                continue;
            }
            auto const& word = line.peek();
            if (word.text == "flowid" || word.text == "classid" || is_command(word.text)) break;
            expected = false;
            ActionKind const* kind = nullptr;
            // A bare control word is gact's.
            if (parse_control(word.text)) kind = &find_kind(Word{"gact", word.span}, action_kinds(), "action");
            else kind = &find_kind(line.take("an action"), action_kinds(), "action");
            line.out.source(word.span);
            line.out.nest(++number, [&] {
                line.out.put_string(TCA_ACT_KIND, kind->info.name);
                kind->read(line);
                read_common_options(line);
            });
        }
        if (expected || number == 0) line.take("an action");
    });
}

}  // namespace nlstream::tc
