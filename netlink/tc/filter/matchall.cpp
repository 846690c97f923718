// tc filter ... matchall: every packet.
#include <linux/pkt_cls.h>

#include "netlink/tc/action_list.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Matchall {
    u32 flags = 0;
};

void read_actions(Line& line, Matchall&) { read_action_list(line, TCA_MATCHALL_ACT); }

constexpr Row rows[] = {
    {"classid*|flowid", "CLASSID", ClassId{{TCA_MATCHALL_CLASSID}},                               "The class that packets go to."},
    {"action*",         "...",     custom<read_actions>,                                          "What is done with them."},
    {"skip_hw",         "",        set(add_bits<&Matchall::flags>, TCA_CLS_FLAGS_SKIP_HW),        "Do not offload."},
    {"skip_sw",         "",        set(add_bits<&Matchall::flags>, TCA_CLS_FLAGS_SKIP_SW),        "Offload only."},
};
constexpr auto table = keywords<Matchall>(rows);

void read(Line& line, FilterHead const& head) {
    if (head.handle) header(line).tcm_handle = static_cast<u32>(read_number(*head.handle));
    if (line.done()) return;
    line.out.nest(TCA_OPTIONS, [&] {
        Matchall m;
        Reader(table, m).read_all(line);
        if (m.flags == (TCA_CLS_FLAGS_SKIP_HW | TCA_CLS_FLAGS_SKIP_SW)) fail_use(line.last(), "skip_hw and skip_sw exclude each other");
        if (m.flags) line.out.put(TCA_MATCHALL_FLAGS, m.flags);
    });
}

}  // namespace

extern constinit FilterKind const matchall_filter = {{"filter", "matchall", "Matches every packet.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
