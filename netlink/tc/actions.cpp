// tc actions ...: actions on their own, which filters can share by their index.
#include <linux/pkt_cls.h>

#include "netlink/tc/action_list.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWACTION, NLM_F_EXCL | NLM_F_CREATE}, {"change*|replace*", RTM_NEWACTION, NLM_F_CREATE | NLM_F_REPLACE},
    {"delete*", RTM_DELACTION, 0},                      {"get*"},
    {"list*|show*|lst*"},                               {"flush*", RTM_DELACTION, NLM_F_ROOT},
};

struct Deleted {
    u32 index = 0;
};
constexpr Row delete_rows[] = {
    {"index*", "INDEX", U32(keep<&Deleted::index>).dec(), "The number of the action to delete."},
};
constexpr auto delete_table = keywords<Deleted>(delete_rows);

/// "action KIND" follows the command; iproute2 takes any word for the first one.
void take_action_word(Line& line) {
    if (auto const& word = line.take("action"); word.text != "action") fail_value(word, "\"action\"", "action KIND");
}

/// "action KIND index INDEX [[action] KIND index INDEX ...]", to the end of the line.
void read_delete(Line& line) {
    take_action_word(line);
    line.out.nest(TCA_ACT_TAB, [&] {
        u16 number = 0;
        while (true) {
            while (line.take_if("action")) {}
            if (line.done() && number > 0) break;
            auto const& kind = find_kind(line, line.take("an action"), action_kinds(), "action");
            Deleted deleted;
            if (!Reader(delete_table, deleted).read_one(line)) {
                if (line.done()) fail_missing(line, "index INDEX");
                fail_value(line.peek(), "\"index\"", "index INDEX");
            }
            line.out.nest(++number, [&] {
                line.out.put_string(TCA_ACT_KIND, kind.info.name);
                if (deleted.index > 0) line.out.put(TCA_ACT_INDEX, deleted.index);
            });
        }
    });
}

struct Flush {
    u32 since = 0;  // milliseconds; 0: not given
};
constexpr Row flush_rows[] = {
    {"since", "MILLISECONDS", U32(keep<&Flush::since>), "Only actions that were used within that time."},
};
constexpr auto flush_table = keywords<Flush>(flush_rows);

/// "action KIND [since MILLISECONDS]", to the end of the line.
void read_flush(Line& line) {
    take_action_word(line);
    auto const& kind = find_kind(line, line.take("an action"), action_kinds(), "action");
    line.out.nest(TCA_ACT_TAB, [&] {
        line.out.nest(1, [&] { line.out.put_string(TCA_ACT_KIND, kind.info.name); });
    });
    line.out.put(TCA_ROOT_FLAGS, nla_bitfield32{.value = TCA_ACT_FLAG_LARGE_DUMP_ON, .selector = TCA_ACT_FLAG_LARGE_DUMP_ON});
    Flush flush;
    Reader(flush_table, flush).read_all(line);
    if (flush.since) line.out.put(TCA_ROOT_TIME_DELTA, flush.since);
}

}  // namespace

extern constinit KindInfo const actions_info = {"tc", "actions", "Actions on their own, which filters can share.",
                                      {{{"any", action_options_table}, {"delete", delete_table}, {"flush", flush_table}}}};

void read_actions(Line& line) {
    // A list of actions ends where another command begins: "actions add action drop delete action gact index 1".
    do {
        auto const& verb = read_verb(line, verbs, "tc actions");
        begin_request<tcamsg>(line, verb.type, verb.flags);
        if (verb.type == RTM_NEWACTION) read_action_list(line, TCA_ACT_TAB);
        else if (verb.flags & NLM_F_ROOT) read_flush(line);
        else read_delete(line);
        end_request(line);
    } while (!line.done());
}

}  // namespace nlstream::tc
