// ematch ipset: packets whose addresses are in a set of ipset(8).
#include <linux/pkt_cls.h>

#include <algorithm>

#include "netlink/parts.hpp"
#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

/// linux/netfilter/xt_set.h, struct xt_set_info, whose header C++ cannot read everywhere.
struct SetInfo {
    u16 index;
    u8 dimension;
    u8 flags;  // bit N: the Nth address (from 1) is the source's
};
constexpr std::size_t max_dimensions = 6, max_name = 31;  // linux/netfilter/ipset/ip_set.h
constexpr NamedValue directions[] = {{"src", 1}, {"dst", 0}};

void read(Line& line) {
    auto const& name = line.take("SET");
    if (name.text.size() > max_name) fail_range(name, "at most " + std::to_string(max_name) + " bytes");
    auto const index = line.kernel.ip_set(name.text);
    if (!index) throw Diagnostic{"there is no IP set called \"" + std::string(name.text) + '"', name.span, {}, {}, code::value};
    SetInfo info{.index = *index, .dimension = 0, .flags = 0};
    for (Parts parts(line.take("src or dst"), ','); parts.more();) {
        auto const part = parts.next();
        if (info.dimension == max_dimensions) fail_use(part, "a set has at most " + std::to_string(max_dimensions) + " dimensions");
        ++info.dimension;
        info.flags = static_cast<u8>(info.flags | read_choice(part, directions, "ipset") << info.dimension);
    }
    line.out.put_raw(&info, sizeof info);
}

}  // namespace

extern constinit EmatchKind const ipset_ematch = {{"ematch", "ipset", "Looks addresses up in a set: \"ipset(SET src,dst)\"."}, TCF_EM_IPSET, read};

}  // namespace nlstream::tc
