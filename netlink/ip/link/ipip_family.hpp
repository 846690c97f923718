// Packets straight in IPv4: ipip and sit.
#pragma once
#include "netlink/ip/link/kinds.hpp"
#include "netlink/ip/link/tunnel.hpp"

namespace nlstream::ip {

inline constexpr Row ipip_rows[] = {
    {"remote",                 "ADDRESS", custom<read_tunnel_remote<AF_INET>>, "The other end."},
    {"local",                  "ADDRESS", custom<read_tunnel_local<AF_INET>>,  "This end."},
    {"dev*",                   "DEVICE",  custom<read_tunnel_dev>,             "The link that packets leave by."},
    {"ttl|hoplimit|hlim",      "TTL",     custom<read_tunnel_ttl>,             "TTL of packets: 1 to 255, or inherit from the inner packet (default)."},
    {"tos|tclass|tc|dsfield*", "TOS",     custom<read_tunnel_tos>,             "TOS of packets, hexadecimal, or inherit from the inner packet."},
    {"nopmtudisc",             "",        set(keep<&Tunnel::pmtudisc>, 0),     "Packets may be fragmented."},
    {"pmtudisc",               "",        set(keep<&Tunnel::pmtudisc>, 1),     "Packets may not be fragmented (default)."},
    {"fwmark",                 "MARK",    U32(keep<&Tunnel::mark>),            "The firewall mark that packets are routed by."},
};

void read_6rd_prefix(Line& line, Tunnel& t);
void read_6rd_relay_prefix(Line& line, Tunnel& t);
void read_6rd_reset(Line&, Tunnel& t);

inline constexpr Row rapid_deployment_rows[] = {
    {"6rd-prefix",       "PREFIX", custom<read_6rd_prefix>,       "6rd (sit only): the prefix of all sites (default 2002::/16)."},
    {"6rd-relay_prefix", "PREFIX", custom<read_6rd_relay_prefix>, "6rd (sit only): the part of relays' IPv4 addresses that all share."},
    {"6rd-reset",        "",       custom<read_6rd_reset>,        "6to4 (sit only): 2002::/16, no relay prefix."},
};

/// Reads the options and puts those that ipip and sit share; false when the tunnel is external and nothing more belongs to it.
bool read_ipip_options(Line& line, Table const& table, Tunnel& t);

}  // namespace nlstream::ip
