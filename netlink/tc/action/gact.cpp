// tc ... action gact: drop, pass, pipe and the other plain verdicts.
#include <linux/tc_act/tc_gact.h>

#include "netlink/quantity.hpp"
#include "netlink/tc/control.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Gact {
    tc_gact parms{};
    std::optional<tc_gact_p> random;
};

constexpr NamedValue random_types[] = {{"netrand*", PGACT_NETRAND}, {"determ*", PGACT_DETERM}};

void read_random(Line& line, Gact& g) {
    tc_gact_p random{};
    random.ptype = static_cast<u16>(read_choice(line.take("TYPE"), random_types, "random"));
    random.paction = static_cast<int>(read_control(line));
    random.pval = static_cast<u16>(read_number(line.take("N"), 0, 10000, 10));
    g.random = random;
}
void read_index(Line& line, Gact& g) { g.parms.index = static_cast<u32>(read_number(line.take("INDEX"), 0, 0xffffffff, 10)); }

constexpr Row rows[] = {
    {"random*", "TYPE CONTROL N", custom<read_random>, "Do CONTROL instead for one packet in N: netrand by chance, determ exactly.", {}, true},
    {"index*",  "INDEX",          custom<read_index>,  "The action's number.", {}, true},
};
constexpr auto table = keywords<Gact>(rows);

void read(Line& line) {
    Gact g;
    Reader reader(table, g);
    if (auto const control = read_control_if(line)) {
        g.parms.action = static_cast<int>(*control);
        reader.read_if(line, "random");
        reader.read_if(line, "index");
    } else if (!reader.read_if(line, "index")) {  // "gact index 5" binds an action that exists, without a verdict
        read_control(line);                       // there is none: it says so
    }
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_GACT_PARMS, g.parms);
        if (g.random) line.out.put(TCA_GACT_PROB, *g.random);
    });
}

}  // namespace

extern constinit ActionKind const gact_action = {{"action", "gact", "A verdict: drop, pass, pipe, reclassify, continue, trap, jump N, goto chain N.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
