// tc filter ... basic: packets that an expression of extended matches fits.
#include <linux/pkt_cls.h>

#include "netlink/tc/action/police.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Basic {};

void read_match(Line& line, Basic&) { read_ematch_tree(line, TCA_BASIC_EMATCHES); }
void read_actions(Line& line, Basic&) { read_action_list(line, TCA_BASIC_ACT); }
void read_policer(Line& line, Basic&) { read_police(line, TCA_BASIC_POLICE); }

constexpr Row rows[] = {
    {"match*",  "EXPR",             custom<read_match>,   "The packets that EXPR matches, such as \"cmp(u8 at 0 layer 1 eq 4) and not meta(nf_mark gt 24)\"; every packet without."},
    {"classid*|flowid", "CLASSID",  ClassId{{TCA_BASIC_CLASSID}}, "The class that packets go to."},
    {"action*", "...",              custom<read_actions>, "What is done with the packets."},
    {"police*", "...",              custom<read_policer>, "Limit the rate of the packets, as with action police."},
};
constexpr auto table = keywords<Basic>(rows);

void read(Line& line, FilterHead const& head) {
    if (head.handle) header(line).tcm_handle = static_cast<u32>(read_number(*head.handle));
    if (line.done()) return;
    line.out.nest(TCA_OPTIONS, [&] {
        Basic basic;
        Reader(table, basic).read_all(line);
    });
}

}  // namespace

extern constinit FilterKind const basic_filter = {{"filter", "basic", "Matches an expression of extended matches.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
