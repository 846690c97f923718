// tc qdisc ... tbf: one token bucket.
#include "netlink/clock.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"

namespace nlstream::tc {
namespace {

struct Tbf {
    u64 rate = 0;       // bytes a second
    u64 peak_rate = 0;  // bytes a second; 0: no limit
    u64 burst = 0;      // bytes
    u32 limit = 0;      // bytes; 0: from latency
    u32 latency = 0;    // us
    u32 mtu = 0;        // bytes: the peak's burst
    int burst_cell = -1;
    int mtu_cell = -1;
    u16 mpu = 0;
    u16 overhead = 0;
    u8 link_layer = TC_LINKLAYER_ETHERNET;
};

void read_burst(Line& line, Tbf& t) { t.burst = read_size_and_cell(line.take("BYTES[/CELL]"), t.burst_cell, no_limit); }
void read_mtu(Line& line, Tbf& t) { t.mtu = static_cast<u32>(read_size_and_cell(line.take("BYTES[/CELL]"), t.mtu_cell, 0xffffffff)); }
void read_rate(Line& line, Tbf& t) { t.rate = read_rate_or_share(line, line.take("RATE")); }
void read_peak_rate(Line& line, Tbf& t) { t.peak_rate = read_rate_or_share(line, line.take("RATE")); }

constexpr std::string_view again = "it was given before";
std::string_view limit_or_latency(Tbf const& t) { return t.limit ? "limit was given before" : t.latency ? "latency was given before" : ""; }
std::string_view second_burst(Tbf const& t) { return t.burst ? again : ""; }
std::string_view second_mtu(Tbf const& t) { return t.mtu ? again : ""; }
std::string_view second_mpu(Tbf const& t) { return t.mpu ? again : ""; }
std::string_view second_rate(Tbf const& t) { return t.rate ? again : ""; }
std::string_view second_peak_rate(Tbf const& t) { return t.peak_rate ? again : ""; }
std::string_view second_overhead(Tbf const& t) { return t.overhead ? again : ""; }

constexpr Row rows[] = {
    {"limit*",                 "BYTES",        Size{{kept, 4, false, keep<&Tbf::limit>}},         "Bytes that may wait. This or latency is required.", unless<limit_or_latency>},
    {"latency*",               "TIME",         Time{{kept, 4, false, keep<&Tbf::latency>}},       "The longest that a packet may wait; gives limit.", unless<limit_or_latency>},
    {"burst*|buffer|maxburst", "BYTES[/CELL]", custom<read_burst>,                                "May send this much at once after a pause. Required.", unless<second_burst>},
    {"mtu|minburst",           "BYTES[/CELL]", custom<read_mtu>,                                  "May send this much at once at more than peakrate; required with it.", unless<second_mtu>},
    {"mpu",                    "BYTES",        Size{{kept, 2, false, keep<&Tbf::mpu>}, 0xffff},   "Count shorter packets as BYTES long.", unless<second_mpu>},
    {"rate",                   "RATE",         custom<read_rate>,                                 "The long-term rate. Required.", unless<second_rate>},
    {"peakrate*",              "RATE",         custom<read_peak_rate>,                            "Never send faster, even a burst.", unless<second_peak_rate>},
    {"overhead*",              "BYTES",        U16(keep<&Tbf::overhead>).dec(),                   "Add BYTES to the length of every packet.", unless<second_overhead>},
    {"linklayer*",             "TYPE",         one_of(link_layers, {kept, 1, false, keep<&Tbf::link_layer>}), "The link layer, for its cells."},
};
constexpr auto table = keywords<Tbf>(rows);

/// The bytes that wait at most `latency` while `rate` and the peak drain them.
u32 limit_of(Line& line, Tbf const& t) {
    auto const waiting = [&](u64 rate, u64 burst) { return static_cast<double>(rate) * t.latency / 1e6 + static_cast<double>(burst); };
    auto limit = waiting(t.rate, t.burst);
    if (t.peak_rate) limit = std::min(limit, waiting(t.peak_rate, t.mtu));
    if (limit > 0xffffffff) fail_use(given_word(line, {"latency"}), "rate and latency make a limit of more than 4294967295 bytes");
    return static_cast<u32>(limit);
}

void read(Line& line) {
    Tbf t;
    Reader(table, t).read_all(line);
    if (!t.rate) fail_missing(line, "rate RATE");
    if (!t.burst) fail_missing(line, "burst BYTES");
    if (t.peak_rate && !t.mtu) fail_missing(line, "mtu BYTES");
    if (!t.limit && !t.latency) fail_missing(line, "limit BYTES");

    tc_tbf_qopt parms{};
    RateTable rates, peaks;
    parms.limit = t.limit ? t.limit : limit_of(line, t);
    parms.rate.rate = rate32(t.rate);
    parms.rate.mpu = t.mpu;
    parms.rate.overhead = t.overhead;
    fill_rate_table(line.clock(), parms.rate, rates, parms.rate.rate, t.burst_cell, t.mtu, t.link_layer);
    parms.buffer = line.clock().transmit_ticks(parms.rate.rate, t.burst);
    if (parms.buffer == 0xffffffff) fail_use(given_word(line, {"burst", "buffer", "maxburst"}), "burst is more than rate sends in four minutes");
    if (t.peak_rate) {
        parms.peakrate.rate = rate32(t.peak_rate);
        parms.peakrate.mpu = t.mpu;
        parms.peakrate.overhead = t.overhead;
        fill_rate_table(line.clock(), parms.peakrate, peaks, parms.peakrate.rate, t.mtu_cell, t.mtu, t.link_layer);
        parms.mtu = line.clock().transmit_ticks(parms.peakrate.rate, t.mtu);
    }

    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("rate");
        line.out.put(TCA_TBF_PARMS, parms);
        line.source_keyword("burst");
        if (t.burst <= 0xffffffff) line.out.put(TCA_TBF_BURST, static_cast<u32>(t.burst));
        line.source_keyword("rate");
        if (t.rate >> 32) line.out.put(TCA_TBF_RATE64, t.rate);
        line.out.put(TCA_TBF_RTAB, rates);
        if (!t.peak_rate) return;
        line.source_keyword("peakrate");
        if (t.peak_rate >> 32) line.out.put(TCA_TBF_PRATE64, t.peak_rate);
        line.source_keyword("mtu");
        line.out.put(TCA_TBF_PBURST, t.mtu);
        line.source_keyword("peakrate");
        line.out.put(TCA_TBF_PTAB, peaks);
    });
}

}  // namespace

extern constinit QdiscKind const tbf_qdisc = {.info = {"qdisc", "tbf", "Token bucket: sends at a rate, delays what is more.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
