// tc ... action nat: stateless translation of IPv4 addresses.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_nat.h>

#include <cstring>

#include "netlink/address.hpp"
#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Nat {
    tc_nat parms = tc_nat();
};

u32 ipv4_of(Address const& a) {
    u32 address;
    std::memcpy(&address, a.bytes.data(), sizeof address);
    return address;
}

void read_addresses(Line& line, Nat& n) {
    auto const old_prefix = read_prefix(line.take("OLD"), AF_INET);
    u32 const bits = old_prefix.is_default ? 0 : old_prefix.bits;
    n.parms.old_addr = ipv4_of(old_prefix);
    n.parms.mask = big32(static_cast<u32>(~u64{0} << (32 - bits)));
    // A prefix length may stand here too; it means nothing.
    n.parms.new_addr = ipv4_of(read_prefix(line.take("NEW"), AF_INET));
}
void read_egress(Line& line, Nat& n) {
    n.parms.flags |= TCA_NAT_FLAG_EGRESS;
    read_addresses(line, n);
}

constexpr Row rows[] = {
    {"egress*",  "OLD NEW", custom<read_egress>,    "Source addresses in the prefix OLD become NEW."},
    {"ingress*", "OLD NEW", custom<read_addresses>, "Destination addresses in the prefix OLD become NEW."},
};
constexpr auto table = keywords<Nat>(rows);

void read(Line& line) {
    Nat n;
    Reader reader(table, n);
    do {
        if (line.done()) fail_missing(line, "ingress OLD NEW or egress OLD NEW");
        if (line.at("index")) break;  // An action that exists.
        if (!reader.read_one(line)) reader.fail_unknown(line);
    } while (line.take_if_abbreviates("nat"));
    read_action_end(line, n.parms, TC_ACT_OK);
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] { line.out.put(TCA_NAT_PARMS, n.parms); });
}

}  // namespace

extern constinit ActionKind const nat_action = {
    {"action", "nat", "Stateless translation of IPv4 addresses; checksums need action csum.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
