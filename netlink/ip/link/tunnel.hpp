// What the tunnels over IPv4 and IPv6 share: GRE and its relatives, IP in IP, VTI.
#pragma once
#include <array>
#include <vector>

#include "netlink/ip/link/common.hpp"
#include "netlink/received.hpp"

namespace nlstream::ip {

// Protocol numbers (IANA) of what is inside.
inline constexpr u8 ipv4_inside = 4, ipv6_inside = 41, mpls_inside = 137;

struct Tunnel {
    Address local, remote;
    u32 link = 0;       // the link that packets leave by; 0: as routed
    u8 ttl = 0;         // 0: from the inner packet
    u8 tos = 0;         // 1: from the inner packet
    u32 mark = 0;
    bool pmtudisc = true;
    bool external = false;
    u8 protocol = 0;    // of the inner packets; 0: any

    // GRE and VTI; keys and flags in network order
    u32 in_key = 0, out_key = 0;
    u16 in_flags = 0, out_flags = 0;
    u8 ignore_df = 0;   // 1: yes, 2: no, 0: not said
    u32 erspan_index = 0;
    u8 erspan_version = 1;
    u8 erspan_direction = 0;
    u16 erspan_hardware = 0;

    // over IPv6
    u8 encap_limit = 4;
    u32 flow = 0;       // traffic class and flow label, network order
    u32 flags = 0;      // IP6_TNL_F_*

    // FOU and GUE
    u16 encap_type = 0;
    u16 encap_flags = 0;
    u16 encap_source = 0;
    u16 encap_port = 0;

    // sit
    u16 sit_flags = 0;
    Address site_prefix, relay_prefix;
};

/// A tunnel over IPv6 before anything is said of it.
Tunnel ipv6_tunnel();

/// The options that the line's link has now: what a change does not mention stays as it is. Empty when a link is made.
class PresentOptions {
  public:
    /// Throws Diagnostic when the link has no options, BarrierNeeded.
    explicit PresentOptions(Line& line);

    bool has(u16 attribute) const { return find(attribute) != nullptr; }
    /// Copies the attribute's value, if it is there and has this size.
    template <class T>
    void read(u16 attribute, T& into) const {
        auto const* found = find(attribute);
        if (found && payload_of(*found).size() == sizeof into) into = value_of<T>(*found);
    }
    void read(u16 attribute, bool& into) const;
    void read(u16 attribute, Address& into) const;
    /// A port, which the kernel has in network order.
    void read_port(u16 attribute, u16& into) const;

  private:
    nlattr const* find(u16 attribute) const;

    std::vector<std::byte> bytes_;
};

// Readers for the rows.
void read_tunnel_dev(Line& line, Tunnel& t);
void read_tunnel_ttl(Line& line, Tunnel& t);
void read_tunnel_tos(Line& line, Tunnel& t);
u32 read_tunnel_key(Line& line);

template <u8 Family>
void read_tunnel_local(Line& line, Tunnel& t) { t.local = read_address(line.take("ADDRESS"), Family); }
template <u8 Family>
void read_tunnel_remote(Line& line, Tunnel& t) { t.remote = read_address(line.take("ADDRESS"), Family); }

// Over IPv6.
void read_traffic_class(Line& line, Tunnel& t);
void read_tunnel_flow_label(Line& line, Tunnel& t);
void read_dscp(Line& line, Tunnel& t);
void read_ipv6_mark(Line& line, Tunnel& t);
void read_encap_limit(Line& line, Tunnel& t);
template <bool On>
void read_local_remote(Line&, Tunnel& t) {
    constexpr u32 allow_local_remote = 0x40;  // linux/ip6_tunnel.h, IP6_TNL_F_ALLOW_LOCAL_REMOTE
    t.flags = On ? t.flags | allow_local_remote : t.flags & ~allow_local_remote;
}

constexpr NamedValue encap_types[] = {{"fou", 1}, {"gue", 2}, {"none", 0}};  // linux/if_tunnel.h, TUNNEL_ENCAP_*
constexpr NamedValue automatic_port[] = {{"auto", 0}};

/// Sets or clears a bit of TUNNEL_ENCAP_FLAG_*.
template <u16 Bit, bool On>
void read_encap_flag(Line&, Tunnel& t) {
    t.encap_flags = static_cast<u16>(On ? t.encap_flags | Bit : t.encap_flags & ~Bit);
}

inline constexpr Row encap_rows[] = {
    {"noencap",           "",     set(keep<&Tunnel::encap_type>, 0),                                            "Packets are not put in UDP (default)."},
    {"encap",             "TYPE", one_of(encap_types, {kept, 2, false, keep<&Tunnel::encap_type>}),             "Put packets in UDP: fou, gue or none."},
    {"encap-sport",       "PORT", Choice{{kept, 2, false, keep<&Tunnel::encap_source>}, automatic_port, 65535}, "UDP source port, or auto: by flow."},
    {"encap-dport",       "PORT", U16(keep<&Tunnel::encap_port>),                                               "UDP destination port."},
    {"encap-csum",        "",     custom<read_encap_flag<1, true>>,                                             "UDP checksums over IPv4."},
    {"noencap-csum",      "",     custom<read_encap_flag<1, false>>,                                            "No UDP checksums over IPv4 (default)."},
    {"encap-udp6-csum",   "",     custom<read_encap_flag<2, true>>,                                             "UDP checksums over IPv6 (default of tunnels over IPv6)."},
    {"noencap-udp6-csum", "",     custom<read_encap_flag<2, false>>,                                            "No UDP checksums over IPv6."},
    {"encap-remcsum",     "",     custom<read_encap_flag<4, true>>,                                             "Remote checksum offload."},
    {"noencap-remcsum",   "",     custom<read_encap_flag<4, false>>,                                            "No remote checksum offload (default)."},
    {"external",          "",     set(keep<&Tunnel::external>),                                                 "The ends come from routes or filters, packet by packet."},
};

/// Puts the addresses that are not zero.
void put_tunnel_ends(Line& line, Tunnel const& t, u16 local, u16 remote);
/// Puts four attributes: type, flags, source port, destination port.
void put_tunnel_encap(Line& line, Tunnel const& t, std::array<u16, 4> const& attributes);

}  // namespace nlstream::ip
