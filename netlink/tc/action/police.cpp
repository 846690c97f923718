// tc ... action police: let a rate through and treat what exceeds it; also the filters' own "police ...".
#include "netlink/tc/action/police.hpp"

#include <linux/pkt_cls.h>

#include "netlink/clock.hpp"
#include "netlink/tc/control.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/rate.hpp"

namespace nlstream::tc {
namespace {

struct Police {
    u32 index = 0;
    u64 rate = 0;           // bytes a second; 0: not given, as all below
    u64 burst = 0;          // bytes
    u64 peak_rate = 0;      // bytes a second
    u32 mtu = 0;            // bytes
    u32 average_rate = 0;   // bytes a second
    u64 packet_rate = 0;    // packets a second
    u64 packet_burst = 0;   // packets
    u16 mpu = 0;            // bytes
    u16 overhead = 0;       // bytes
    u8 link_layer = TC_LINKLAYER_ETHERNET;
    int rate_cell = -1;
    int peak_cell = -1;
    u32 exceed = TC_POLICE_RECLASSIFY;
    u32 conform = 0;        // TC_ACT_OK
};

void read_burst(Line& line, Police& p) { p.burst = read_size_and_cell(line.take("BYTES[/CELL]"), p.rate_cell, no_limit); }
void read_mtu(Line& line, Police& p) { p.mtu = static_cast<u32>(read_size_and_cell(line.take("BYTES[/CELL]"), p.peak_cell, 0xffffffff)); }
void read_mpu(Line& line, Police& p) { p.mpu = static_cast<u16>(read_size(line.take("BYTES"), 0xffff)); }
void read_average_rate(Line& line, Police& p) { p.average_rate = read_rate32(line.take("RATE")); }

void read_exceed(Line& line, Police& p) {
    line.untake();
    p.exceed = read_control(line);
}

/// A control, or its number.
u32 read_control_or_number(Line& line) {
    if (auto const control = read_control_if(line)) return *control;
    auto const& word = line.take("a control such as drop or pass");
    if (auto const number = parse_control(word.text, true)) return *number;
    fail_control(word);
}

/// "EXCEED[/CONFORM]"; blanks around the slash let each be of several words.
void read_conform_exceed(Line& line, Police& p) {
    auto const parts = split_mask(line.done() ? Word{} : line.peek());
    if (!parts.mask) {
        p.exceed = read_control_or_number(line);
        if (line.take_if("/")) p.conform = read_control_or_number(line);
        return;
    }
    auto const control = [](Word const& word) {
        if (auto const value = parse_control(word.text, true)) return *value;
        fail_control(word);
    };
    p.exceed = control(parts.value);
    p.conform = control(*parts.mask);
    line.take("EXCEED/CONFORM");
}

std::string_view second(bool given) { return given ? "it was given before" : ""; }
std::string_view second_burst(Police const& p) { return second(p.burst); }
std::string_view second_mtu(Police const& p) { return second(p.mtu); }
std::string_view second_mpu(Police const& p) { return second(p.mpu); }
std::string_view second_rate(Police const& p) { return second(p.rate); }
std::string_view second_average_rate(Police const& p) { return second(p.average_rate); }
std::string_view second_peak_rate(Police const& p) { return second(p.peak_rate); }
std::string_view second_packet_rate(Police const& p) { return second(p.packet_rate); }
std::string_view second_packet_burst(Police const& p) { return second(p.packet_burst); }

constexpr Row rows[] = {
    {"index*",                 "INDEX",           U32(keep<&Police::index>).dec(),        "The action's number; that of an existing action when nothing else is said."},
    {"burst*|buffer|maxburst", "BYTES[/CELL]",    custom<read_burst>,                     "How much may pass at once after a pause. Required with rate.", unless<second_burst>},
    {"mtu|minburst",           "BYTES[/CELL]",    custom<read_mtu>,                       "Longer packets exceed.", unless<second_mtu>},
    {"mpu",                    "BYTES",           custom<read_mpu>,                       "Count shorter packets as BYTES long.", unless<second_mpu>},
    {"rate",                   "RATE",            Rate{keep<&Police::rate>},              "What may pass.", unless<second_rate>},
    {"avrate",                 "RATE",            custom<read_average_rate>,              "Packets exceed while the estimated rate is higher.", unless<second_average_rate>},
    {"peakrate*",              "RATE",            Rate{keep<&Police::peak_rate>},         "What may pass for a moment; needs rate and mtu.", unless<second_peak_rate>},
    {"reclassify*|drop*|shot*|continue*|pass*|ok*|pipe*|goto*", "", custom<read_exceed>,  "What happens to packets that exceed (default reclassify)."},
    {"conform-exceed",         "EXCEED[/CONFORM]", custom<read_conform_exceed>,           "What happens to packets that exceed, and to the others (default pass)."},
    {"overhead*",              "BYTES",           U16(keep<&Police::overhead>).dec(),     "Add BYTES to the length of every packet."},
    {"linklayer*",             "TYPE",            one_of(link_layers, {kept, 1, false, keep<&Police::link_layer>}), "The link layer, for its cells."},
    {"pkts_rate*",             "PACKETS",         U64(keep<&Police::packet_rate>).dec(),  "How many packets may pass a second.", unless<second_packet_rate>},
    {"pkts_burst*",            "PACKETS",         U64(keep<&Police::packet_burst>).dec(), "How many may pass at once. Required with pkts_rate.", unless<second_packet_burst>},
};
constexpr auto table = keywords<Police>(rows);

void check(Line const& line, Police const& p) {
    if (p.rate && p.average_rate) fail_use(line.last(), "rate and avrate exclude each other");
    if (!p.rate && !p.average_rate && !p.index && !p.mtu && !p.packet_rate) fail_missing(line, "rate RATE, pkts_rate PACKETS, avrate RATE, mtu BYTES or index INDEX");
    if (p.rate && !p.burst) fail_missing(line, "burst BYTES");
    if (p.packet_rate && !p.packet_burst) fail_missing(line, "pkts_burst PACKETS");
    if (p.packet_rate && p.rate) fail_use(line.last(), "rate and pkts_rate exclude each other");
    if (p.peak_rate && !p.rate) fail_missing(line, "rate RATE");
    if (p.peak_rate && !p.mtu) fail_missing(line, "mtu BYTES");
}

/// Fills one rate of the policer and its table.
void fill_rate(Line& line, Police const& p, u64 rate, int cell_log, tc_ratespec& spec, RateTable& rate_table) {
    spec.rate = rate > 0xffffffff ? 0xffffffff : static_cast<u32>(rate);
    spec.mpu = p.mpu;
    spec.overhead = p.overhead;
    fill_rate_table(line.clock(), spec, rate_table, rate, cell_log, p.mtu, p.link_layer);
}

void put_rate(Line& line, std::string_view keyword, RateTable const& rate_table, u64 rate, u16 table_attribute, u16 rate64_attribute) {
    line.source_keyword(keyword);
    line.out.put(table_attribute, rate_table);
    if (rate >> 32) line.out.put(rate64_attribute, rate);
}

}  // namespace

void read_police(Line& line, u16 attribute) {
    auto const start = line.position();
    Police p;
    Reader reader(table, p);
    reader.read_some(line);
    if (line.position() == start && !line.done()) reader.fail_unknown(line);
    check(line, p);

    tc_police parms = tc_police();
    RateTable rates, peaks;
    parms.index = p.index;
    parms.action = static_cast<int>(p.exceed);
    parms.mtu = p.mtu;
    if (p.rate) {
        fill_rate(line, p, p.rate, p.rate_cell, parms.rate, rates);
        parms.burst = line.clock().transmit_ticks(p.rate, p.burst);
        if (parms.burst == ~0u) fail_use(line.last(), "burst is more than rate sends in four minutes");
    }
    if (p.peak_rate) fill_rate(line, p, p.peak_rate, p.peak_cell, parms.peakrate, peaks);

    line.out.nest(attribute, [&] {
        line.out.put(TCA_POLICE_TBF, parms);
        if (p.rate) put_rate(line, "rate", rates, p.rate, TCA_POLICE_RATE, TCA_POLICE_RATE64);
        if (p.peak_rate) put_rate(line, "peakrate", peaks, p.peak_rate, TCA_POLICE_PEAKRATE, TCA_POLICE_PEAKRATE64);
        line.source_keyword("avrate");
        if (p.average_rate) line.out.put(TCA_POLICE_AVRATE, p.average_rate);
        line.source_keyword("conform-exceed");
        if (p.conform) line.out.put(TCA_POLICE_RESULT, p.conform);
        if (!p.packet_rate) return;
        line.source_keyword("pkts_rate");
        line.out.put(TCA_POLICE_PKTRATE64, p.packet_rate);
        line.source_keyword("pkts_burst");
        line.out.put(TCA_POLICE_PKTBURST64, u64{line.clock().transmit_ticks(p.packet_rate, p.packet_burst)});
    });
}

namespace {
void read(Line& line) { read_police(line, TCA_ACT_OPTIONS | NLA_F_NESTED); }
}  // namespace

extern constinit ActionKind const police_action = {{"action", "police", "Lets a rate through, and treats what exceeds it.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
