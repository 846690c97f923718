// Links whose packets IPsec takes by their key, over IPv4 and IPv6.
#pragma once
#include "netlink/ip/link/kinds.hpp"
#include "netlink/ip/link/tunnel.hpp"

namespace nlstream::ip {

template <bool In, bool Out>
void read_vti_key(Line& line, Tunnel& t) {
    auto const key = read_tunnel_key(line);
    if (In) t.in_key = key;
    if (Out) t.out_key = key;
}

inline constexpr Row vti_rows[] = {
    {"key*",   "KEY",    custom<read_vti_key<true, true>>,  "The mark of both directions' policies: a number, or four bytes as an IPv4 address."},
    {"ikey*",  "KEY",    custom<read_vti_key<true, false>>, "The mark of the policy of packets that come in."},
    {"okey*",  "KEY",    custom<read_vti_key<false, true>>, "The mark of the policy of packets that go out."},
    {"dev*",   "DEVICE", custom<read_tunnel_dev>,           "The link that packets leave by."},
    {"fwmark", "MARK",   U32(keep<&Tunnel::mark>),          "The firewall mark that packets are routed by."},
};

/// Reads the options of vti or vti6 and puts them.
void read_vti_options(Line& line, Table const& table);

}  // namespace nlstream::ip
