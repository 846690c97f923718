// ematch canid: CAN frames by their identifiers.
#include <linux/can.h>
#include <linux/pkt_cls.h>

#include <array>

#include "netlink/parts.hpp"
#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Canid {
    std::array<can_filter, 400> rules;  // as many as iproute2 sends, the kernel takes 500; the first `count` are used
    std::size_t count = 0;
};

/// "ID[:MASK]" in hexadecimal.
void add_rule(Line& line, Canid& c, u32 flag, u32 default_mask) {
    auto const& word = line.take("ID[:MASK]");
    if (c.count == c.rules.size()) fail_use(word, "there are at most " + std::to_string(c.rules.size()) + " identifiers");
    Parts parts(word, ':');
    auto const id = static_cast<u32>(read_number(parts.next(), 0, ~0u, 16));
    auto const mask = parts.more() ? static_cast<u32>(read_number(parts.next(), 0, ~0u, 16)) : default_mask;
    parts.finish("ID:MASK");
    c.rules[c.count++] = {.can_id = id | flag, .can_mask = mask | CAN_EFF_FLAG};
}

void read_standard(Line& line, Canid& c) { add_rule(line, c, 0, CAN_SFF_MASK); }
void read_extended(Line& line, Canid& c) { add_rule(line, c, CAN_EFF_FLAG, CAN_EFF_MASK); }

constexpr Row rows[] = {
    {"sff", "ID[:MASK]", custom<read_standard>, "A standard frame with this identifier of 11 bits, in hexadecimal."},
    {"eff", "ID[:MASK]", custom<read_extended>, "An extended frame with this identifier of 29 bits, in hexadecimal."},
};
constexpr auto table = keywords<Canid>(rows);

void read(Line& line) {
    Canid c;
    Reader reader(table, c);
    if (!reader.read_one(line)) reader.fail_unknown(line);
    read_to_bracket(line, reader);
    line.out.put_raw(c.rules.data(), c.count * sizeof c.rules[0]);
}

}  // namespace

extern constinit EmatchKind const canid_ematch = {{"ematch", "canid", "Matches CAN frames with any of the identifiers: \"canid(sff 0x123 eff 0x100:0xff0)\".", {{{"", table}}}}, TCF_EM_CANID, read};

}  // namespace nlstream::tc
