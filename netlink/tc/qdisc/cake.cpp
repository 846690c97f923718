// tc qdisc ... cake, cake_mq: shaper, fair queues and delay control in one, for the edge of a network.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

struct Cake {
    u64 bandwidth = 0;  // bytes a second
    bool unlimited = false;
    std::optional<u32> autorate, diffserv, flow_mode, nat, wash, split_gso, atm, ingress, ack_filter;
    u32 rtt = 0;     // us
    u32 target = 0;  // us
    bool preset = false;
    s32 overhead = 0;  // bytes
    bool overhead_given = false;
    bool raw = false;
    u32 mpu = 0;       // bytes
    u32 memlimit = 0;  // bytes
    u32 fwmark = 0;
};

void read_bandwidth(Line& line, Cake& c) {
    c.bandwidth = read_rate(line.take("RATE"));
    c.unlimited = false;
    c.autorate = 0;
}
void read_unlimited(Line&, Cake& c) {
    c.bandwidth = 0;
    c.unlimited = true;
    c.autorate = 0;
}
void read_rtt(Line& line, Cake& c) {
    c.rtt = read_time_us(line.take("TIME"));
    c.target = c.rtt < 20 ? 1 : c.rtt / 20;
}

/// A kind of network: the round trip to plan for, and the delay to aim at, in microseconds.
template <u32 Target, u32 RoundTrip>
void read_preset(Line&, Cake& c) {
    c.preset = true;
    c.target = Target;
    c.rtt = RoundTrip;
}
std::string_view second_preset(Cake const& c) { return c.preset ? "the kind of network was given before" : ""; }

void read_overhead(Line& line, Cake& c) {
    c.overhead = static_cast<s32>(read_signed(line.take("BYTES"), -64, 256, 10));
    c.overhead_given = true;
}
void read_raw(Line&, Cake& c) {
    c.atm = CAKE_ATM_NONE;
    c.overhead = 0;
    c.overhead_given = c.raw = true;
}
void read_conservative(Line&, Cake& c) {
    c.atm = CAKE_ATM_ATM;
    c.overhead = 48;
    c.overhead_given = true;
}
/// A framing: `Bytes` more for each packet, in cells or not.
template <u32 Cells, s32 Bytes>
void add_framing(Line&, Cake& c) {
    c.atm = Cells;
    c.overhead += Bytes;
    c.overhead_given = true;
}
/// Bytes more for each packet, whatever the framing.
template <s32 Bytes>
void add_header(Line&, Cake& c) {
    c.overhead += Bytes;
    c.overhead_given = true;
}
void read_ethernet(Line& line, Cake& c) {
    add_header<38>(line, c);
    c.mpu = 84;
}
void read_docsis(Line& line, Cake& c) {
    add_framing<CAKE_ATM_NONE, 18>(line, c);
    c.mpu = 64;
}
void ignore(Line&, Cake&) {}

constexpr Row rows[] = {
    {"bandwidth",             "RATE",  custom<read_bandwidth>,                                "Shape to RATE (default: unlimited)."},
    {"unlimited",             "",      custom<read_unlimited>,                                "Do not shape (default)."},
    {"autorate-ingress",      "",      set(keep<&Cake::autorate>, 1),                         "Estimate the rate from what arrives."},
    {"rtt",                   "TIME",  custom<read_rtt>,                                      "The round trip to plan for (default 100ms)."},
    {"datacentre",            "",      custom<read_preset<5, 100>>,                           "Inside a data centre: rtt 100us.", unless<second_preset>},
    {"lan",                   "",      custom<read_preset<50, 1'000>>,                        "A local network: rtt 1ms.", unless<second_preset>},
    {"metro",                 "",      custom<read_preset<500, 10'000>>,                      "A city: rtt 10ms.", unless<second_preset>},
    {"regional",              "",      custom<read_preset<1'500, 30'000>>,                    "A country: rtt 30ms.", unless<second_preset>},
    {"internet",              "",      custom<read_preset<5'000, 100'000>>,                   "The whole internet: rtt 100ms (default).", unless<second_preset>},
    {"oceanic",               "",      custom<read_preset<15'000, 300'000>>,                  "Across an ocean: rtt 300ms.", unless<second_preset>},
    {"satellite",             "",      custom<read_preset<50'000, 1'000'000>>,                "By satellite: rtt 1s.", unless<second_preset>},
    {"interplanetary",        "",      custom<read_preset<50'000'000, 1'000'000'000>>,        "Between planets: rtt 1000s.", unless<second_preset>},
    {"besteffort",            "",      set(keep<&Cake::diffserv>, CAKE_DIFFSERV_BESTEFFORT),  "One tin for all packets."},
    {"precedence",            "",      set(keep<&Cake::diffserv>, CAKE_DIFFSERV_PRECEDENCE),  "Eight tins by the old precedence bits."},
    {"diffserv8",             "",      set(keep<&Cake::diffserv>, CAKE_DIFFSERV_DIFFSERV8),   "Eight tins by DSCP."},
    {"diffserv4|diffserv",    "",      set(keep<&Cake::diffserv>, CAKE_DIFFSERV_DIFFSERV4),   "Four tins by DSCP."},
    {"diffserv3",             "",      set(keep<&Cake::diffserv>, CAKE_DIFFSERV_DIFFSERV3),   "Three tins by DSCP (default)."},
    {"nowash",                "",      set(keep<&Cake::wash>, 0),                             "Keep the DSCP (default)."},
    {"wash",                  "",      set(keep<&Cake::wash>, 1),                             "Clear the DSCP after sorting by it."},
    {"split-gso",             "",      set(keep<&Cake::split_gso>, 1),                        "Split large segments into packets (default)."},
    {"no-split-gso",          "",      set(keep<&Cake::split_gso>, 0),                        "Send large segments whole."},
    {"flowblind",             "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_NONE),           "One queue a tin."},
    {"srchost",               "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_SRC_IP),         "A queue for each source address."},
    {"dsthost",               "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_DST_IP),         "A queue for each destination address."},
    {"hosts",                 "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_HOSTS),          "A queue for each pair of addresses."},
    {"flows",                 "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_FLOWS),          "A queue for each flow."},
    {"dual-srchost",          "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_DUAL_SRC),       "Fair among source addresses, then among flows."},
    {"dual-dsthost",          "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_DUAL_DST),       "Fair among destination addresses, then among flows."},
    {"triple-isolate",        "",      set(keep<&Cake::flow_mode>, CAKE_FLOW_TRIPLE),         "Fair among source and destination addresses, then among flows (default)."},
    {"nat",                   "",      set(keep<&Cake::nat>, 1),                              "Take the addresses from before translation."},
    {"nonat",                 "",      set(keep<&Cake::nat>, 0),                              "Take the addresses as they are (default)."},
    {"ptm",                   "",      set(keep<&Cake::atm>, CAKE_ATM_PTM),                   "Count 65 bytes on the wire for each 64."},
    {"atm",                   "",      set(keep<&Cake::atm>, CAKE_ATM_ATM),                   "Count packets in cells of 53 bytes that carry 48."},
    {"noatm",                 "",      set(keep<&Cake::atm>, CAKE_ATM_NONE),                  "Count packets as they are (default)."},
    {"raw",                   "",      custom<read_raw>,                                      "Count packets as the kernel does: noatm, no overhead (default)."},
    {"conservative",          "",      custom<read_conservative>,                             "atm overhead 48: more than any framing needs."},
    {"ipoa-vcmux",            "",      custom<add_framing<CAKE_ATM_ATM, 8>>,                  "atm, 8 bytes more overhead."},
    {"ipoa-llcsnap",          "",      custom<add_framing<CAKE_ATM_ATM, 16>>,                 "atm, 16 bytes more overhead."},
    {"bridged-vcmux",         "",      custom<add_framing<CAKE_ATM_ATM, 24>>,                 "atm, 24 bytes more overhead."},
    {"bridged-llcsnap",       "",      custom<add_framing<CAKE_ATM_ATM, 32>>,                 "atm, 32 bytes more overhead."},
    {"pppoa-vcmux",           "",      custom<add_framing<CAKE_ATM_ATM, 10>>,                 "atm, 10 bytes more overhead."},
    {"pppoa-llc",             "",      custom<add_framing<CAKE_ATM_ATM, 14>>,                 "atm, 14 bytes more overhead."},
    {"pppoe-vcmux",           "",      custom<add_framing<CAKE_ATM_ATM, 32>>,                 "atm, 32 bytes more overhead."},
    {"pppoe-llcsnap",         "",      custom<add_framing<CAKE_ATM_ATM, 40>>,                 "atm, 40 bytes more overhead."},
    {"pppoe-ptm",             "",      custom<add_framing<CAKE_ATM_PTM, 30>>,                 "ptm, 30 bytes more overhead."},
    {"bridged-ptm",           "",      custom<add_framing<CAKE_ATM_PTM, 22>>,                 "ptm, 22 bytes more overhead."},
    {"via-ethernet",          "",      custom<ignore>,                                        "Taken and not used: cake finds out by itself."},
    {"ethernet",              "",      custom<read_ethernet>,                                 "38 bytes more overhead, mpu 84."},
    {"ether-vlan",            "",      custom<add_header<4>>,                                 "4 bytes more overhead; may be repeated."},
    {"docsis",                "",      custom<read_docsis>,                                   "noatm, 18 bytes more overhead, mpu 64."},
    {"overhead",              "BYTES", custom<read_overhead>,                                 "Count so many bytes more for each packet, -64 to 256 (default 0)."},
    {"mpu",                   "BYTES", U32(keep<&Cake::mpu>).in(0, 256).dec(),                "Count shorter packets as BYTES long (default 0)."},
    {"ingress",               "",      set(keep<&Cake::ingress>, 1),                          "Shape what arrives: count dropped packets too."},
    {"egress",                "",      set(keep<&Cake::ingress>, 0),                          "Shape what leaves (default)."},
    {"no-ack-filter",         "",      set(keep<&Cake::ack_filter>, CAKE_ACK_NONE),           "Keep all TCP acknowledgements (default)."},
    {"ack-filter",            "",      set(keep<&Cake::ack_filter>, CAKE_ACK_FILTER),         "Drop TCP acknowledgements that later ones make needless."},
    {"ack-filter-aggressive", "",      set(keep<&Cake::ack_filter>, CAKE_ACK_AGGRESSIVE),     "The same, and keep one for each flow only."},
    {"memlimit",              "BYTES", Size{{kept, 4, false, keep<&Cake::memlimit>}},         "Memory that waiting packets may take (default: by rate and rtt)."},
    {"fwmark",                "MASK",  U32(keep<&Cake::fwmark>),                              "The firewall mark under MASK names the tin."},
};
constexpr auto table = keywords<Cake>(rows);

void read(Line& line) {
    Cake c;
    Reader(table, c).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("bandwidth");
        if (c.bandwidth || c.unlimited) line.out.put(TCA_CAKE_BASE_RATE64, c.bandwidth);
        put_given(line, "diffserv", TCA_CAKE_DIFFSERV_MODE, c.diffserv);
        put_given(line, "atm", TCA_CAKE_ATM, c.atm);
        put_given(line, "flows", TCA_CAKE_FLOW_MODE, c.flow_mode);
        line.source_keyword("overhead");
        if (c.overhead_given) line.out.put(TCA_CAKE_OVERHEAD, c.overhead);
        if (c.raw) line.out.put(TCA_CAKE_RAW, u32{0});
        put_given(line, "mpu", TCA_CAKE_MPU, c.mpu);
        put_given(line, "rtt", TCA_CAKE_RTT, c.rtt);
        put_given(line, "rtt", TCA_CAKE_TARGET, c.target);
        put_given(line, "autorate-ingress", TCA_CAKE_AUTORATE, c.autorate);
        put_given(line, "memlimit", TCA_CAKE_MEMORY, c.memlimit);
        put_given(line, "fwmark", TCA_CAKE_FWMARK, c.fwmark);
        put_given(line, "nat", TCA_CAKE_NAT, c.nat);
        put_given(line, "wash", TCA_CAKE_WASH, c.wash);
        put_given(line, "split-gso", TCA_CAKE_SPLIT_GSO, c.split_gso);
        put_given(line, "ingress", TCA_CAKE_INGRESS, c.ingress);
        put_given(line, "ack-filter", TCA_CAKE_ACK_FILTER, c.ack_filter);
    });
}

}  // namespace

extern constinit QdiscKind const cake_qdisc = {.info = {"qdisc", "cake", "Shaper, fair queues and delay control in one.", {{{"", table}}}}, .read_qdisc = read};
extern constinit QdiscKind const cake_mq_qdisc = {.info = {"qdisc", "cake_mq", "A cake for each of the link's hardware queues, with one rate for all.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
