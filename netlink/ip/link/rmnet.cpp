// ip link ... type rmnet: a channel of a Qualcomm modem.
#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Channel {
    ifla_rmnet_flags flags{};
};

template <u32 Bit>
void read_flag(Line& line, Channel& c) {
    bool const on = read_choice(line.take("on or off"), off_on, "this switch") != 0;
    c.flags.mask |= Bit;
    c.flags.flags = on ? c.flags.flags | Bit : c.flags.flags & ~Bit;
}

constexpr Row rows[] = {
    {"mux_id",                 "ID",     U16(IFLA_RMNET_MUX_ID),                                 "The channel's number, 1 to 254."},
    {"ingress-deaggregation",  "on|off", custom<read_flag<RMNET_FLAGS_INGRESS_DEAGGREGATION>>,   "Take several packets from one frame."},
    {"ingress-commands",       "on|off", custom<read_flag<RMNET_FLAGS_INGRESS_MAP_COMMANDS>>,    "Take commands from the modem."},
    {"ingress-mapv4-checksum", "on|off", custom<read_flag<RMNET_FLAGS_INGRESS_MAP_CKSUMV4>>,     "Received packets carry checksums, MAP version 4."},
    {"egress-mapv4-checksum",  "on|off", custom<read_flag<RMNET_FLAGS_EGRESS_MAP_CKSUMV4>>,      "The modem makes checksums, MAP version 4."},
    {"ingress-mapv5-checksum", "on|off", custom<read_flag<RMNET_FLAGS_INGRESS_MAP_CKSUMV5>>,     "Received packets carry checksums, MAP version 5."},
    {"egress-mapv5-checksum",  "on|off", custom<read_flag<RMNET_FLAGS_EGRESS_MAP_CKSUMV5>>,      "The modem makes checksums, MAP version 5."},
};
constexpr auto table = keywords<Channel>(rows);

void read(Line& line) {
    Channel c;
    Reader(table, c).read_all(line);
    if (c.flags.mask) line.out.put(IFLA_RMNET_FLAGS, c.flags);
}

}  // namespace

extern constinit LinkKind const rmnet_link = {{"link", "rmnet", "A channel of a Qualcomm modem.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
