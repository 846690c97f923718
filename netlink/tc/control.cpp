#include "netlink/tc/control.hpp"

#include <linux/pkt_cls.h>

#include "netlink/quantity.hpp"
#include "netlink/value.hpp"

namespace nlstream::tc {
namespace {

constexpr NamedValue controls[] = {
    {"continue", static_cast<u32>(TC_ACT_UNSPEC)}, {"drop", TC_ACT_SHOT}, {"shot", TC_ACT_SHOT},          {"pass", TC_ACT_OK},
    {"ok", TC_ACT_OK},                             {"reclassify", TC_ACT_RECLASSIFY}, {"pipe", TC_ACT_PIPE}, {"goto", TC_ACT_GOTO_CHAIN},
    {"jump", TC_ACT_JUMP},                         {"trap", TC_ACT_TRAP},
};

}  // namespace

std::optional<u32> parse_control(std::string_view word, bool numbers) {
    for (auto const& control : controls)
        if (abbreviates(word, control.word)) return static_cast<u32>(control.value);
    if (!numbers) return {};
    auto const number = parse_number(word.substr(word.starts_with('-')), 0x7fffffff, 10);
    if (!number) return {};
    return word.starts_with('-') ? u32{0} - static_cast<u32>(*number) : static_cast<u32>(*number);
}

std::optional<u32> peek_control(Line& line) {
    if (line.done()) return {};
    auto const control = parse_control(line.peek().text);
    if (!control) line.missed(words_of(controls));
    return control;
}

std::optional<u32> read_control_if(Line& line) {
    auto control = peek_control(line);
    if (!control) return {};
    line.take("a control");
    if (*control == static_cast<u32>(TC_ACT_GOTO_CHAIN)) {
        auto const& word = line.take("chain");
        if (!abbreviates(word.text, "chain")) fail_value(word, "\"chain\"", "chain INDEX");
        return *control | static_cast<u32>(read_number(line.take("INDEX"), 0, TC_ACT_EXT_VAL_MASK, 10));
    }
    if (*control == static_cast<u32>(TC_ACT_JUMP)) return *control | static_cast<u32>(read_number(line.take("COUNT"), 0, TC_ACT_EXT_VAL_MASK, 10));
    return control;
}

u32 read_control(Line& line) {
    if (auto const control = read_control_if(line)) return *control;
    fail_control(line.take("a control such as drop, pass or pipe"));
}

void fail_control(Word const& word) {
    Nearest nearest(word.text);
    for (auto const& control : controls) nearest.offer(control.word);
    fail_unknown(word, "control", nearest.best());
}

}  // namespace nlstream::tc
