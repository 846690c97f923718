// ip link ... type amt: automatic multicast tunneling, RFC 7450.
#include <linux/amt.h>

#include "netlink/ip/link/common.hpp"
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {
namespace {

struct Amt {
    u8 discovery_family = AF_UNSPEC;
};

void read_amt_local(Line& line, Amt& a) {
    auto const address = read_address(line.take("ADDRESS"), a.discovery_family);
    if (is_ip(address)) line.out.put(IFLA_AMT_LOCAL_IP, address.bytes.data(), address.length);
}
void read_discovery(Line& line, Amt& a) {
    auto const address = read_address(line.take("ADDRESS"), a.discovery_family);
    a.discovery_family = address.family;
    if (is_ip(address)) line.out.put(IFLA_AMT_DISCOVERY_IP, address.bytes.data(), address.length);
}

constexpr NamedValue modes[] = {{"gateway", AMT_MODE_GATEWAY}, {"relay", AMT_MODE_RELAY}};

constexpr Row rows[] = {
    {"mode",         "MODE",    one_of(modes, {IFLA_AMT_MODE, 4}),         "gateway: brings multicast in; relay: sends it to gateways."},
    {"relay_port",   "PORT",    U16(IFLA_AMT_RELAY_PORT).network_order(),  "UDP port of the relay (IANA's is 2268)."},
    {"gateway_port", "PORT",    U16(IFLA_AMT_GATEWAY_PORT).network_order(), "UDP port of the gateway."},
    {"max_tunnels",  "COUNT",   U32(IFLA_AMT_MAX_TUNNELS),                 "A relay serves at most COUNT gateways."},
    {"dev",          "DEVICE",  device(IFLA_AMT_LINK),                     "The link that packets leave by."},
    {"local",        "ADDRESS", custom<read_amt_local>,                    "This end.", {}, true},
    {"discovery",    "ADDRESS", custom<read_discovery>,                    "Where a gateway asks for relays.", {}, true},
};
constexpr auto table = keywords<Amt>(rows);

void read(Line& line) {
    Amt a;
    Reader(table, a).read_all(line);
}

}  // namespace

extern constinit LinkKind const amt_link = {{"link", "amt", "Automatic multicast tunneling (RFC 7450).", {{{"", table}}}}, read};

}  // namespace nlstream::ip
