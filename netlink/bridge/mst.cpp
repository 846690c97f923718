// bridge mst set: the state of a port in one of several spanning trees.
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "netlink/bridge/kinds.hpp"
#include "netlink/bridge/values.hpp"

namespace nlstream::bridge {
namespace {

constexpr Verb verbs[] = {{"set*", RTM_SETLINK, 0}, {"show*|lst*|list*"}};

struct Mst {
    std::optional<u32> index;
    std::optional<u16> msti;
    std::optional<u8> state;
};

void read_dev(Line& line, Mst& m) { m.index = line.take_main_device(); }
void read_state(Line& line, Mst& m) { m.state = read_stp_state(line.take("STATE")); }

constexpr Row rows[] = {
    {"dev",   "DEVICE", custom<read_dev>,                                                  "The port."},
    {"msti",  "MSTI",   Number{{kept, 2, false, keep<&Mst::msti>}, 0, 0xffff, 10},         "The spanning tree instance."},
    {"state", "STATE",  custom<read_state>,                                                "disabled, listening, learning, forwarding, blocking, or their number from 0."},
};
constexpr auto table = keywords<Mst>(rows);

}  // namespace

extern constinit KindInfo const mst_info = {"bridge", "mst", "The state of a port in one of several spanning trees.", {{{"", table}}}};

void read_mst(Line& line) {
    auto const& verb = read_verb(line, verbs, "bridge mst");
    auto& header = begin_request<ifinfomsg>(line, verb.type, verb.flags);
    header.ifi_family = AF_BRIDGE;
    Mst m;
    Reader(table, m).read_all(line);
    if (!m.index) fail_missing(line, "dev DEVICE");
    if (!m.msti) fail_missing(line, "msti MSTI");
    if (!m.state) fail_missing(line, "state STATE");
    header.ifi_index = static_cast<int>(*m.index);

    line.out.nest(IFLA_AF_SPEC, [&] {
        line.out.nest(IFLA_BRIDGE_MST, [&] {
            line.out.nest(IFLA_BRIDGE_MST_ENTRY | NLA_F_NESTED, [&] {
                line.source_keyword("msti");
                line.out.put(IFLA_BRIDGE_MST_ENTRY_MSTI, *m.msti);
                line.source_keyword("state");
                line.out.put(IFLA_BRIDGE_MST_ENTRY_STATE, *m.state);
            });
        });
    });
    end_request(line);
}

}  // namespace nlstream::bridge
