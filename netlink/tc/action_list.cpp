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

// What may follow an action besides another one.
constexpr NamedValue list_words[] = {{"action", 0}, {"flowid", 0}, {"classid", 0}};

// Another command of `tc actions` ends a list: "actions add action drop delete action gact index 1".
bool is_command(std::string_view word) {
    for (std::string_view command : {"change", "replace", "delete", "get", "add"})
        if (abbreviates(word, command)) return true;
    return false;
}

struct ActionOptions {
    u32 flags = 0;
};

void put_bits(Line& line, u16 attribute, u32 value) { line.out.put(attribute, nla_bitfield32{.value = value, .selector = value}); }

void put_cookie(Line& line, ActionOptions&) {
    std::array<u8, TC_COOKIE_MAX_SIZE> cookie;
    auto const length = read_hex(line.take("HEX"), cookie);
    line.out.put(TCA_ACT_COOKIE, cookie.data(), length);
}
void put_hw_stats(Line& line, ActionOptions&) {
    put_bits(line, TCA_ACT_HW_STATS, static_cast<u32>(read_choice(line.take("TYPE"), hw_stats, "hw_stats")));
}

// In the order in which they have to stand.
constexpr Row rows[] = {
    {"cookie",    "HEX",  custom<put_cookie>,                                               "Up to 16 bytes that the kernel keeps for the user."},
    {"hw_stats*", "TYPE", custom<put_hw_stats>,                                             "How hardware may count: immediate, delayed or disabled (not at all)."},
    {"no_percpu", "",     set(add_bits<&ActionOptions::flags>, TCA_ACT_FLAGS_NO_PERCPU_STATS), "One counter for all CPUs."},
    {"skip_sw",   "",     set(add_bits<&ActionOptions::flags>, TCA_ACT_FLAGS_SKIP_SW),      "Offload only."},
    {"skip_hw",   "",     set(add_bits<&ActionOptions::flags>, TCA_ACT_FLAGS_SKIP_HW),      "Do not offload."},
};
constexpr auto table = keywords<ActionOptions>(rows);

void read_options(Line& line) {
    if (line.done() || line.at("action")) return;  // mostly there are none
    ActionOptions options;
    Reader reader(table, options);
    reader.read_if(line, "cookie");
    reader.read_if(line, "hw_stats");
    reader.read_if(line, "no_percpu");
    // The two may come in either order.
    for (int i = 0; i < 2; ++i) reader.read_if(line, "skip_sw") || reader.read_if(line, "skip_hw");
    if (options.flags) put_bits(line, TCA_ACT_FLAGS, options.flags);
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
            line.missed(words_of(list_words));
            if (word.text == "flowid" || word.text == "classid" || is_command(word.text)) break;
            expected = false;
            ActionKind const* kind = nullptr;
            // A bare control word is gact's.
            if (peek_control(line)) kind = &find_kind(line, Word{"gact", word.span}, action_kinds(), "action");
            else kind = &find_kind(line, line.take("an action"), action_kinds(), "action");
            line.out.source(word.span);
            line.out.nest(++number, [&] {
                line.out.put_string(TCA_ACT_KIND, kind->info.name);
                kind->read(line);
                read_options(line);
            });
        }
        if (!expected && number > 0) return;
        auto const& word = line.take("an action");
        fail_use(word, "an action is missing before it");
    });
}

Table action_options_table() { return table; }

}  // namespace nlstream::tc
