// tc qdisc ... plug: holds packets until they are released.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Plug {
    std::optional<int> action;
    u32 limit = 0;
};

void read_limit(Line& line, Plug& p) {
    p.limit = static_cast<u32>(read_size(line.take("BYTES")));
    p.action = TCQ_PLUG_LIMIT;
}

constexpr Row rows[] = {
    {"block",              "",      set(keep<&Plug::action>, TCQ_PLUG_BUFFER),             "Hold the packets that come from now on."},
    {"release",            "",      set(keep<&Plug::action>, TCQ_PLUG_RELEASE_ONE),        "Send those that came before the last block."},
    {"release_indefinite", "",      set(keep<&Plug::action>, TCQ_PLUG_RELEASE_INDEFINITE), "Send all, and hold none."},
    {"limit",              "BYTES", custom<read_limit>,                                    "Bytes that may wait."},
};
constexpr auto table = keywords<Plug>(rows);

void read(Line& line) {
    Plug p;
    Reader(table, p).read_all(line);
    if (p.action) line.out.put(TCA_OPTIONS, tc_plug_qopt{.action = *p.action, .limit = p.limit});
}

}  // namespace

extern constinit QdiscKind const plug_qdisc = {.info = {"qdisc", "plug", "Holds packets until they are released.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
