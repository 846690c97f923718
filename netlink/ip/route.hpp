// What the parts of a route share.
#pragma once
#include <linux/rtnetlink.h>

#include <array>

#include "netlink/address.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {

/// The request's fixed header.
inline rtmsg& route_header(Line& line) { return line.out.value_at<rtmsg>(sizeof(nlmsghdr)); }

/// Takes "inet", "inet6", "link", "mpls" or "bridge" if it is next, and returns its AF_*; else `otherwise`.
u8 take_address_family(Line& line, u8 otherwise);
/// Reads "[inet|inet6|link|mpls|bridge] ADDRESS" after `via`; without the word it is of `family` (AF_UNSPEC: of any).
/// Throws Diagnostic.
Address read_gateway_address(Line& line, u8 family);
/// Reads a gateway of a route and puts it: as RTA_GATEWAY if it is of the route's family
/// (which it decides if nothing did before), else as RTA_VIA. Throws Diagnostic.
void read_gateway(Line& line);
/// Reads "[to] ADDRESS" after `as` and puts RTA_NEWDST. Throws Diagnostic.
void read_new_destination(Line& line);

/// Takes the next word if it names or abbreviates a type of route (RTN_*); nothing if it is none. REQUIRES: !line.done()
std::optional<u8> read_route_type_if(Line& line);

/// The routing table of the VRF that `word` names ("default", unless a link is called so: the main one). Throws
/// Diagnostic, BarrierNeeded.
u32 read_vrf_table(Line& line, Word const& word);

/// Reads "nexthop ..." to the end of the line and puts RTA_MULTIPATH. REQUIRES: the next word is "nexthop". Throws
/// Diagnostic, BarrierNeeded.
void read_nexthops(Line& line);
Table nexthop_table();

/// Metrics (RTAX_*) in the order in which the line gives them; written as one nest after the route's other attributes.
class Metrics {
  public:
    /// Reads "[lock] VALUE" for a metric that is a number up to `max`. Throws Diagnostic.
    void read_number(Line& line, u16 metric, u64 max = 0xffffffff);
    /// Reads 0 or 1.
    void read_switch(Line& line, u16 metric);
    /// Reads "[lock] TIME": a bare number is in units of the kernel's (milliseconds times `scale`), "10ms" and "1s" are times.
    void read_time(Line& line, u16 metric, u32 scale);
    /// Reads "TIME" for RTAX_RTO_MIN, which is always locked.
    void read_rto_min(Line& line);
    /// Reads "[lock] NAME" for RTAX_CC_ALGO.
    void read_congestion_control(Line& line);
    /// Reads one or more feature words.
    void read_features(Line& line);
    /// Puts RTA_METRICS, if there are any. Throws Diagnostic.
    void put(Line& line) const;

  private:
    struct Metric {
        u16 type;
        bool is_text;      // the value is the word's text
        u32 value;
        Word const* word;  // the value's
    };
    void add(Line& line, u16 type, u32 value, bool is_text = false);
    void read_lock(Line& line, u16 metric);

    std::array<Metric, 32> metrics_;  // not cleared: the first `count_` are in use
    u32 count_ = 0;
    u32 locked_ = 0;
};

}  // namespace nlstream::ip
