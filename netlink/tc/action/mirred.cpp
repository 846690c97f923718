// tc ... action mirred: send the packet, or a copy of it, to another device.
#include <linux/tc_act/tc_mirred.h>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/put_given.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

struct Mirred {
    tc_mirred parms{};
    u32 block = 0;
    bool egress = false;
    bool ingress = false;
    bool mirror = false;
    bool redirect = false;
    bool index_given = false;
    bool complete = false;  // no other keyword may follow
};

bool has_direction(Mirred const& m) { return m.egress || m.ingress; }
bool has_deed(Mirred const& m) { return m.mirror || m.redirect; }

std::string_view second_direction(Mirred const& m) { return has_direction(m) ? "a direction was given before" : ""; }
std::string_view not_now(Mirred const& m) {
    if (has_deed(m)) return "redirect or mirror was given before";
    return has_direction(m) ? "" : "needs egress or ingress before it";
}
std::string_view no_deed(Mirred const& m) { return has_deed(m) ? "" : "needs redirect or mirror before it"; }

void read_index(Line& line, Mirred& m) {
    m.parms.index = static_cast<u32>(read_number(line.take("INDEX"), 0, ~0u, 10));
    m.index_given = true;
    // Without a direction it names an action that exists.
    m.complete = !has_direction(m);
}
void read_block(Line& line, Mirred& m) {
    m.block = static_cast<u32>(read_number(line.take("BLOCK"), 1, ~0u));
    m.complete = true;
}
void read_device(Line& line, Mirred& m) {
    m.parms.ifindex = line.take_device("DEVICE");
    m.complete = true;
}

constexpr Row rows[] = {
    {"egress*",   "",       set(keep<&Mirred::egress>),   "As if the device sent it.", unless<second_direction>},
    {"ingress*",  "",       set(keep<&Mirred::ingress>),  "As if the device had received it.", unless<second_direction>},
    {"index*",    "INDEX",  custom<read_index>,           "The action's number; alone, that of an existing action.", {}, true},
    {"mirror*",   "",       set(keep<&Mirred::mirror>),   "Send a copy.", unless<not_now>},
    {"redirect*", "",       set(keep<&Mirred::redirect>), "Send the packet itself.", unless<not_now>},
    {"blockid",   "BLOCK",  custom<read_block>,           "Send to every port of the shared block.", unless<no_deed>},
    {"dev*",      "DEVICE", custom<read_device>,          "Send to DEVICE.", unless<no_deed>},
};
constexpr auto table = keywords<Mirred>(rows);

void read(Line& line) {
    Mirred m;
    Reader reader(table, m);
    while (!m.complete && reader.read_one(line)) {}
    if (has_direction(m) && !m.complete) {
        if (line.done()) fail_missing(line, has_deed(m) ? "dev DEVICE" : "redirect or mirror");
        if (!has_deed(m)) fail_use(line.peek(), "redirect or mirror is missing before it");
    } else if (!m.complete) {
        line.take("egress, ingress or index");
        line.untake();
        reader.fail_unknown(line);
    }
    if (m.mirror) {
        m.parms.eaction = m.egress ? TCA_EGRESS_MIRROR : TCA_INGRESS_MIRROR;
        m.parms.action = static_cast<int>(read_control_if(line).value_or(TC_ACT_PIPE));
    } else if (m.redirect) {
        m.parms.eaction = m.egress ? TCA_EGRESS_REDIR : TCA_INGRESS_REDIR;
        m.parms.action = TC_ACT_STOLEN;
    }
    ActionEnd end;
    if (Reader(action_end_table, end).read_one(line)) {
        if (m.index_given) fail_use(line.last(), "index was given before");
        m.parms.index = end.index;
    }
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_MIRRED_PARMS, m.parms);
        put_given(line, "blockid", uapi::TCA_MIRRED_BLOCKID, m.block);
    });
}

}  // namespace

extern constinit ActionKind const mirred_action = {
    {"action", "mirred", "Sends the packet or a copy to another device: \"egress redirect dev DEVICE\" and its like.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
