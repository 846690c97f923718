// tc ... action skbedit: change what the kernel notes about a packet: priority, mark, queue, type.
#include <linux/if_packet.h>
#include <linux/tc_act/tc_skbedit.h>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/put_given.hpp"

namespace nlstream::tc {
namespace {

struct Skbedit {
    std::optional<u16> queue;
    std::optional<u32> priority;
    std::optional<u32> mark;
    std::optional<u32> mark_mask;
    std::optional<u16> type;
    u64 flags = 0;
};

constexpr NamedValue packet_types[] = {
    {"host*", PACKET_HOST}, {"broadcast*", PACKET_BROADCAST}, {"multicast*", PACKET_MULTICAST}, {"otherhost*", PACKET_OTHERHOST}};

void read_queue(Line& line, Skbedit& s) { s.queue = static_cast<u16>(read_number(line.take("N"), 0, 0xffff, 10)); }
void read_priority(Line& line, Skbedit& s) { s.priority = read_class_id(line.take("CLASSID")); }
void read_mark(Line& line, Skbedit& s) {
    auto const [value, mask] = split_mask(line.take("MARK[/MASK]"));
    s.mark = static_cast<u32>(read_number(value));
    if (mask) s.mark_mask = static_cast<u32>(read_number(*mask));
}
void read_type(Line& line, Skbedit& s) { s.type = static_cast<u16>(read_choice(line.take("TYPE"), packet_types, "ptype")); }

constexpr Row rows[] = {
    {"queue_mapping*",  "N",           custom<read_queue>,    "The transmit queue."},
    {"priority*",       "CLASSID",     custom<read_priority>, "The priority, which classful qdiscs take as a class."},
    {"mark*",           "MARK[/MASK]", custom<read_mark>,     "The firewall mark; only the bits in MASK change."},
    {"ptype*",          "TYPE",        custom<read_type>,     "Whose packet it is: host, otherhost, broadcast or multicast."},
    {"inheritdsfield*", "",            set(add_bits<&Skbedit::flags>, SKBEDIT_F_INHERITDSFIELD), "Take the priority from the packet's DS field."},
};
constexpr auto table = keywords<Skbedit>(rows);

void read(Line& line) {
    auto const kind = line.last();
    if (line.done()) line.take("a keyword of skbedit");
    Skbedit s;
    auto const before = line.position();
    Reader(table, s).read_some(line);
    bool const changes = line.position() != before;
    tc_skbedit parms{};
    bool const index_given = read_action_end(line, parms, TC_ACT_PIPE);
    if (!changes && !index_given) fail_use(kind, "it needs something to change, or index INDEX");
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_SKBEDIT_PARMS, parms);
        put_given(line, "queue_mapping", TCA_SKBEDIT_QUEUE_MAPPING, s.queue);
        put_given(line, "priority", TCA_SKBEDIT_PRIORITY, s.priority);
        put_given(line, "mark", TCA_SKBEDIT_MARK, s.mark);
        put_given(line, "mark", TCA_SKBEDIT_MASK, s.mark_mask);
        put_given(line, "ptype", TCA_SKBEDIT_PTYPE, s.type);
        put_given(line, "inheritdsfield", TCA_SKBEDIT_FLAGS, s.flags);
    });
}

}  // namespace

extern constinit ActionKind const skbedit_action = {{"action", "skbedit", "Changes what the kernel notes about the packet: priority, mark, queue, type.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
