// tc filter ... bpf: a program decides.
#include <linux/pkt_cls.h>

#include "netlink/tc/action/police.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/bpf.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/put_given.hpp"

namespace nlstream::tc {
namespace {

constexpr BpfAttributes attributes{TCA_BPF_OPS_LEN, TCA_BPF_OPS, TCA_BPF_FD, TCA_BPF_NAME};

struct Bpf {
    std::optional<BpfProgram> program;
    u32 flags = 0;          // TCA_BPF_FLAG_*
    u32 offload_flags = 0;  // TCA_CLS_FLAGS_*
};

std::string_view second_program(Bpf const& b) { return b.program ? "a program was given before" : ""; }

void read_run(Line& line, Bpf& b) { b.program = read_bpf_program(line, program_for::classifier); }
void read_policer(Line& line, Bpf&) { read_police(line, TCA_BPF_POLICE); }
void read_actions(Line& line, Bpf&) { read_action_list(line, TCA_BPF_ACT); }

constexpr Row rows[] = {
    {"run*",              "PROGRAM", custom<read_run>,              "The program; the word may be left out.", unless<second_program>},
    {"classid*|flowid*",  "CLASSID", ClassId{{TCA_BPF_CLASSID}},    "The class that packets go to when the program does not say it."},
    {"direct-action*|da*", "",       set(add_bits<&Bpf::flags>, TCA_BPF_FLAG_ACT_DIRECT), "What the program returns is the verdict."},
    {"skip_hw*",          "",        set(add_bits<&Bpf::offload_flags>, TCA_CLS_FLAGS_SKIP_HW), "Do not offload."},
    {"skip_sw*",          "",        set(add_bits<&Bpf::offload_flags>, TCA_CLS_FLAGS_SKIP_SW), "Offload only."},
    {"action*",           "...",     custom<read_actions>,          "What is done with the packets."},
    {"police*",           "...",     custom<read_policer>,          "Limit the rate of the packets, as with action police."},
};
constexpr auto table = keywords<Bpf>(rows);

void read(Line& line, FilterHead const& head) {
    if (head.handle) header(line).tcm_handle = static_cast<u32>(read_number(*head.handle));
    if (line.done()) return;
    line.out.nest(TCA_OPTIONS, [&] {
        Bpf b;
        Reader reader(table, b);
        while (!line.done()) {
            if (reader.read_one(line)) continue;
            if (b.program) reader.fail_unknown(line);
            read_run(line, b);
        }
        line.source_keyword("run");
        u32 const hardware = b.offload_flags & TCA_CLS_FLAGS_SKIP_SW ? static_cast<u32>(header(line).tcm_ifindex) : 0;
        put_bpf_program(line, b.program.value_or(BpfProgram{}), attributes, hardware);
        put_given(line, "skip_", TCA_BPF_FLAGS_GEN, b.offload_flags);
        put_given(line, "direct-action", TCA_BPF_FLAGS, b.flags);
    });
}

}  // namespace

extern constinit FilterKind const bpf_filter = {
    {"filter", "bpf", "A program matches packets, or decides what happens to them.", {{{"", table}, {"PROGRAM", bpf_program_table}}}}, read};

}  // namespace nlstream::tc
