// ip link ... type netkit: a pair of links with BPF programs between them.
#include "netlink/ip/link.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Netkit {
    bool peer = false;  // what follows is about the other end
};

constexpr NamedValue modes[] = {{"l2", 0}, {"l3", 1}};          // linux/if_link.h, NETKIT_L2, NETKIT_L3
constexpr NamedValue scrubbing[] = {{"none", 0}, {"default", 1}};  // NETKIT_SCRUB_*

template <u32 Policy>
void read_policy(Line& line, Netkit& n) { line.out.put(n.peer ? uapi::IFLA_NETKIT_PEER_POLICY : uapi::IFLA_NETKIT_POLICY, Policy); }

void read_scrub(Line& line, Netkit& n) {
    auto const scrub = static_cast<u32>(read_choice(line.take("none or default"), scrubbing, "scrub"));
    line.out.put(n.peer ? uapi::IFLA_NETKIT_PEER_SCRUB : uapi::IFLA_NETKIT_SCRUB, scrub);
}

constexpr Row rows[] = {
    {"mode",      "MODE",         one_of(modes, {uapi::IFLA_NETKIT_MODE, 4}), "l3 (default): IP packets; l2: Ethernet frames.", {}, true},
    {"forward",   "",             custom<read_policy<0>>,                     "Without a BPF program, let packets pass (default)."},
    {"blackhole", "",             custom<read_policy<2>>,                     "Without a BPF program, drop packets."},
    {"peer",      "...",          set(keep<&Netkit::peer>),                   "What follows is about the other end: policy and scrub, then name NAME, netns NETNS and so on.", {}, true},
    {"scrub",     "none|default", custom<read_scrub>,                         "default: marks and priorities do not cross to the other end."},
};
constexpr auto table = keywords<Netkit>(rows);

void read(Line& line) {
    Netkit n;
    Reader reader(table, n);
    reader.read_some(line);
    if (line.done()) return;
    if (!n.peer) reader.fail_unknown(line);
    read_peer(line, uapi::IFLA_NETKIT_PEER_INFO);
}

}  // namespace

extern constinit LinkKind const netkit_link = {{"link", "netkit", "A pair of links with BPF programs between them.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
