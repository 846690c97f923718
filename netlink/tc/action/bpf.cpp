// tc ... action bpf: a program decides.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_bpf.h>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/bpf.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

constexpr BpfAttributes attributes{TCA_ACT_BPF_OPS_LEN, TCA_ACT_BPF_OPS, TCA_ACT_BPF_FD, TCA_ACT_BPF_NAME};

struct Bpf {};

void read_run(Line& line, Bpf&) { put_bpf_program(line, read_bpf_program(line, program_for::action), attributes); }

constexpr Row rows[] = {
    {"run*", "PROGRAM", custom<read_run>, "The program; the word may be left out."},
};
constexpr auto table = keywords<Bpf>(rows);

void read(Line& line) {
    if (line.done()) fail_missing(line, "a program");
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        // "bpf index 5" binds an action that exists.
        if (!abbreviates(line.peek().text, "index")) {
            Bpf b;
            if (!Reader(table, b).read_one(line)) read_run(line, b);
        }
        tc_act_bpf parms = tc_act_bpf();
        read_action_end(line, parms, TC_ACT_PIPE);
        line.out.put(TCA_ACT_BPF_PARMS, parms);
    });
}

}  // namespace

extern constinit ActionKind const bpf_action = {
    {"action", "bpf", "A program decides what happens to packets.", {{{"", table}, {"PROGRAM", bpf_program_table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
