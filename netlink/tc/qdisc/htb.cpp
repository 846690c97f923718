// tc qdisc/class ... htb: hierarchical token buckets.
#include "netlink/clock.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"

namespace nlstream::tc {
namespace {

struct Htb {
    tc_htb_glob init{.version = 3, .rate2quantum = 10, .defcls = 0, .debug = 0, .direct_pkts = 0};
    u32 direct_qlen = ~0u;  // ~0: the kernel's default
    bool offload = false;
};

void read_debug(Line& line, Htb& h) {
    // One digit from 0 to 3 for each of 16 places; anything else ends them.
    auto const text = line.take("LEVELS").text;
    for (std::size_t i = 0; i < 16 && i < text.size() && text[i] >= '0' && text[i] <= '3'; ++i) h.init.debug |= static_cast<u32>(text[i] - '0') << (2 * i);
}
void read_r2q(Line& line, Htb& h) { h.init.rate2quantum = static_cast<u32>(read_number(line.take("N"), 0, ~0u, 10)); }
void read_default(Line& line, Htb& h) { h.init.defcls = static_cast<u32>(read_number(line.take("MINOR"), 0, ~0u, 16)); }

constexpr Row qdisc_rows[] = {
    {"r2q*",         "N",       custom<read_r2q>,                     "A class's quantum is its rate divided by N (default 10)."},
    {"default*",     "MINOR",   custom<read_default>,                 "The class of packets that no filter matches, hexadecimal (default 0: none)."},
    {"debug*",       "LEVELS",  custom<read_debug>,                   "Debug levels, a digit from 0 to 3 for each."},
    {"direct_qlen*", "PACKETS", U32(keep<&Htb::direct_qlen>).dec(),   "Length of the queue of unclassified packets."},
    {"offload*",     "",        set(keep<&Htb::offload>),             "Shape in hardware."},
};
constexpr auto qdisc_table = keywords<Htb>(qdisc_rows);

void read_htb_qdisc(Line& line) {
    Htb h;
    Reader(qdisc_table, h).read_all(line);
    line.out.nest(TCA_OPTIONS, [&] {
        line.out.put(TCA_HTB_INIT, h.init);
        line.source_keyword("direct_qlen");
        if (h.direct_qlen != ~0u) line.out.put(TCA_HTB_DIRECT_QLEN, h.direct_qlen);
        line.source_keyword("offload");
        if (h.offload) line.out.put_flag(TCA_HTB_OFFLOAD);
    });
}

struct Class {
    u64 rate = 0;     // bytes a second
    u64 ceil = 0;     // bytes a second; 0: as rate
    u64 burst = 0;    // bytes; 0: what one timer tick needs
    u64 cburst = 0;   // bytes; 0: as burst, from ceil
    int burst_cell = -1;
    int cburst_cell = -1;
    u32 mtu = 1600;   // bytes
    u16 mpu = 0;      // bytes
    u16 overhead = 0; // bytes
    u8 link_layer = TC_LINKLAYER_ETHERNET;
    u32 prio = 0;
    u32 quantum = 0;  // bytes; 0: the kernel chooses
};

void read_burst(Line& line, Class& c) { c.burst = read_size_and_cell(line.take("BYTES[/CELL]"), c.burst_cell, no_limit); }
void read_cburst(Line& line, Class& c) { c.cburst = read_size_and_cell(line.take("BYTES[/CELL]"), c.cburst_cell, ~0u); }
void read_ceil(Line& line, Class& c) { c.ceil = read_rate_or_share(line, line.take("RATE")); }
void read_rate(Line& line, Class& c) { c.rate = read_rate_or_share(line, line.take("RATE")); }

std::string_view second_ceil(Class const& c) { return c.ceil ? "it was given before" : ""; }
std::string_view second_rate(Class const& c) { return c.rate ? "it was given before" : ""; }

constexpr Row class_rows[] = {
    {"prio*",                      "N",            U32(keep<&Class::prio>).dec(),     "Serve before classes with a greater N (default 0)."},
    {"mtu*",                       "BYTES",        U32(keep<&Class::mtu>).dec(),      "The largest packet (default 1600)."},
    {"mpu*",                       "BYTES",        U16(keep<&Class::mpu>).dec(),      "Count shorter packets as BYTES long."},
    {"overhead*",                  "BYTES",        U16(keep<&Class::overhead>).dec(), "Add BYTES to the length of every packet."},
    {"linklayer*",                 "TYPE",         one_of(link_layers, {kept, 1, false, keep<&Class::link_layer>}), "The link layer, for its cells."},
    {"quantum*",                   "BYTES",        U32(keep<&Class::quantum>).dec(),  "Serve BYTES from a leaf before the next one (default: rate / r2q)."},
    {"burst*|buffer|maxburst",     "BYTES[/CELL]", custom<read_burst>,                "May send this much at once after a pause."},
    {"cburst*|cbuffer|cmaxburst",  "BYTES[/CELL]", custom<read_cburst>,               "As burst, for ceil."},
    {"ceil",                       "RATE",         custom<read_ceil>,                 "Never send faster, even by borrowing (default: rate).", unless<second_ceil>},
    {"rate",                       "RATE",         custom<read_rate>,                 "Guaranteed to the class and what is below it. Required.", unless<second_rate>},
};
constexpr auto class_table = keywords<Class>(class_rows);

void read_htb_class(Line& line) {
    Class c;
    Reader(class_table, c).read_all(line);
    if (!c.rate) fail_missing(line, "rate RATE");
    if (!c.ceil) c.ceil = c.rate;
    if (!c.burst) c.burst = c.rate / line.clock().hz + c.mtu;
    if (!c.cburst) c.cburst = static_cast<u32>(c.ceil / line.clock().hz + c.mtu);

    tc_htb_opt parms{};
    parms.rate.rate = rate32(c.rate);
    parms.ceil.rate = rate32(c.ceil);
    parms.rate.overhead = parms.ceil.overhead = c.overhead;
    parms.rate.mpu = parms.ceil.mpu = c.mpu;
    parms.quantum = c.quantum;
    parms.prio = c.prio;
    RateTable rates, ceils;
    fill_rate_table(line.clock(), parms.rate, rates, parms.rate.rate, c.burst_cell, c.mtu, c.link_layer);
    fill_rate_table(line.clock(), parms.ceil, ceils, parms.ceil.rate, c.cburst_cell, c.mtu, c.link_layer);
    parms.buffer = line.clock().transmit_ticks(c.rate, c.burst);
    if (parms.buffer == ~0u) fail_use(given_word(line, {"burst", "buffer", "maxburst", "rate"}), "burst is more than rate sends in four minutes");
    parms.cbuffer = line.clock().transmit_ticks(c.ceil, c.cburst);

    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("rate");
        if (c.rate >> 32) line.out.put(TCA_HTB_RATE64, c.rate);
        line.source_keyword("ceil");
        if (c.ceil >> 32) line.out.put(TCA_HTB_CEIL64, c.ceil);
        line.source_keyword("rate");
        line.out.put(TCA_HTB_PARMS, parms);
        line.out.put(TCA_HTB_RTAB, rates);
        line.source_keyword("ceil");
        line.out.put(TCA_HTB_CTAB, ceils);
    });
}

}  // namespace

extern constinit QdiscKind const htb_qdisc = {
    {"qdisc", "htb", "Hierarchical token buckets: guaranteed and greatest rates in a tree of classes.", {{{"qdisc", qdisc_table}, {"class", class_table}}}},
    read_htb_qdisc,
    read_htb_class,
};

}  // namespace nlstream::tc
