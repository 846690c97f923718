// tc filter ... fw: packets by their firewall mark, which is the filter's handle.
#include <linux/pkt_cls.h>

#include "netlink/tc/action/police.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Fw {};

void read_policer(Line& line, Fw&) { read_police(line, TCA_FW_POLICE); }
void read_actions(Line& line, Fw&) { read_action_list(line, TCA_FW_ACT); }

constexpr Row rows[] = {
    {"classid*|flowid*", "CLASSID", ClassId{{TCA_FW_CLASSID}}, "The class that packets go to; without one the mark itself is the class."},
    {"police*", "...",    custom<read_policer>,   "Limit the rate of the packets, as with action police."},
    {"action*", "...",    custom<read_actions>,   "What is done with the packets."},
    {"indev",   "DEVICE", Text{TCA_FW_INDEV, 15}, "The packet came in by DEVICE."},
};
constexpr auto table = keywords<Fw>(rows);

void read(Line& line, FilterHead const& head) {
    std::optional<u32> mask;
    if (head.handle) {
        auto const parts = split_mask(*head.handle);
        header(line).tcm_handle = static_cast<u32>(read_number(parts.value));
        if (parts.mask) mask = static_cast<u32>(read_number(*parts.mask));
    }
    if (line.done()) return;
    line.out.nest(TCA_OPTIONS, [&] {
        if (mask) {
            line.out.source(head.handle->span);
            line.out.put(TCA_FW_MASK, *mask);
        }
        Fw fw;
        Reader(table, fw).read_all(line);
    });
}

}  // namespace

extern constinit FilterKind const fw_filter = {{"filter", "fw", "Matches the firewall mark: handle MARK[/MASK].", {{{"", table}}}}, read};

}  // namespace nlstream::tc
