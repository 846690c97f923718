// tc filter ... cgroup: packets by the class that the sender's control group has (net_cls).
#include <linux/pkt_cls.h>

#include "netlink/tc/action/police.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Cgroup {};

void read_match(Line& line, Cgroup&) { read_ematch_tree(line, TCA_CGROUP_EMATCHES); }
void read_actions(Line& line, Cgroup&) { read_action_list(line, TCA_CGROUP_ACT); }
void read_policer(Line& line, Cgroup&) { read_police(line, TCA_CGROUP_POLICE); }

constexpr Row rows[] = {
    {"match*",  "EXPR", custom<read_match>,   "Only packets that EXPR matches, an expression as in basic."},
    {"action*", "...",  custom<read_actions>, "What is done with the packets."},
    {"police*", "...",  custom<read_policer>, "Limit the rate of the packets, as with action police."},
};
constexpr auto table = keywords<Cgroup>(rows);

/// tc-cgroup(8) shows `handle 1:`, as if it were a qdisc's; the kernel takes any number but zero.
u32 read_handle(Word word) {
    if (word.text.size() > 1 && word.text.ends_with(':')) word.text.remove_suffix(1);
    return static_cast<u32>(read_number(word));
}

void read(Line& line, FilterHead const& head) {
    if (head.handle) header(line).tcm_handle = read_handle(*head.handle);
    line.out.nest(TCA_OPTIONS, [&] {
        Cgroup cgroup;
        Reader(table, cgroup).read_all(line);
    });
}

}  // namespace

extern constinit FilterKind const cgroup_filter = {{"filter", "cgroup", "Takes the class that the sender's control group says.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
