#include "netlink/tc/rate.hpp"

#include <linux/atm.h>
#include <linux/rtnetlink.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

#include "netlink/clock.hpp"
#include "netlink/quantity.hpp"
#include "netlink/table.hpp"

namespace nlstream::tc {
namespace {

/// What a packet of `size` bytes occupies on the wire.
u32 on_the_wire(u32 size, u32 mpu, u8 link_layer) {
    if (size < mpu) size = mpu;
    if (link_layer != TC_LINKLAYER_ATM) return size;
    return (size + ATM_CELL_PAYLOAD - 1) / ATM_CELL_PAYLOAD * ATM_CELL_SIZE;
}

/// Clock::transmit_ticks of 256 sizes, in loops that compile to vector instructions: two tables are most of an htb class's
/// cost.
void fill_ticks(Clock const& clock, RateTable& table, u64 rate, int cell_log, u32 mpu, u8 link_layer) {
    std::array<u32, 256> sizes;
    for (u32 i = 0; i < sizes.size(); ++i) sizes[i] = on_the_wire((i + 1) << cell_log, mpu, link_layer);
    // The last entry is the greatest, unless shifts of 24 and more lost bits.
    if (cell_log >= 23 || mpu >> 31 || clock.transmit_ticks(rate, sizes.back()) >> 31) {
        for (std::size_t i = 0; i < sizes.size(); ++i) table[i] = clock.transmit_ticks(rate, sizes[i]);
        return;
    }
    auto const per_second = static_cast<double>(rate);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        double const ticks = 1e6 * (static_cast<s32>(sizes[i]) / per_second) * clock.ticks_per_us;
        // Rounded up without a call: adding and taking away 2^52 rounds to the nearest.
        constexpr double round = 4503599627370496.0;
        double const nearest = (ticks + round) - round;
        table[i] = static_cast<u32>(static_cast<s32>(nearest + (nearest < ticks ? 1.0 : 0.0)));
    }
}

struct SizeTable {
    tc_sizespec spec{};
};

void read_mtu(Line& line, SizeTable& t) { t.spec.mtu = static_cast<u32>(read_number(line.take("BYTES"), 0, 0xffffffff, 10)); }
void read_mpu(Line& line, SizeTable& t) { t.spec.mpu = static_cast<u32>(read_number(line.take("BYTES"), 0, 0xffffffff, 10)); }
void read_overhead(Line& line, SizeTable& t) { t.spec.overhead = static_cast<int>(read_signed(line.take("BYTES"), -2147483648LL, 2147483647, 10)); }
void read_tsize(Line& line, SizeTable& t) { t.spec.tsize = static_cast<u32>(read_number(line.take("COUNT"), 0, 0xffffffff, 10)); }
void read_linklayer(Line& line, SizeTable& t) { t.spec.linklayer = static_cast<unsigned>(read_choice(line.take("TYPE"), link_layers, "linklayer")); }

constexpr Row rows[] = {
    {"mtu*",       "BYTES", custom<read_mtu>,       "The largest packet that the table covers (default 2047).", {}, true},
    {"mpu*",       "BYTES", custom<read_mpu>,       "Count shorter packets as BYTES long.", {}, true},
    {"overhead*",  "BYTES", custom<read_overhead>,  "Add BYTES, which may be negative, to the length of every packet.", {}, true},
    {"tsize*",     "COUNT", custom<read_tsize>,     "Entries of the table (default 512).", {}, true},
    {"linklayer*", "TYPE",  custom<read_linklayer>, "The link layer, for its cells: ethernet, atm or adsl.", {}, true},
};
constexpr auto table = keywords<SizeTable>(rows);

/// False when only an overhead is set, for which the kernel needs no table.
bool needs_table(tc_sizespec const& spec) { return spec.linklayer > TC_LINKLAYER_ETHERNET || spec.mpu; }

}  // namespace

void fill_rate_table(Clock const& clock, tc_ratespec& spec, RateTable& rate_table, u64 rate, int cell_log, u32 mtu, u8 link_layer) {
    if (mtu == 0) mtu = 2047;
    if (cell_log < 0) {
        cell_log = 0;
        while (mtu >> cell_log > 255) ++cell_log;
    }
    fill_ticks(clock, rate_table, rate, cell_log, spec.mpu, link_layer);
    spec.cell_align = -1;
    spec.cell_log = static_cast<u8>(cell_log);
    spec.linklayer = link_layer & TC_LINKLAYER_MASK;
}

u64 read_rate_or_share(Line& line, Word const& word) {
    if (word.text.find('%') == word.text.npos) return read_rate(word);
    double const share = read_percent(word);
    if (line.device.empty()) fail_use(word, "a share needs \"dev DEVICE\" before it");
    std::string const device(line.device);
    auto const speed = line.files.read("/sys/class/net/" + device + "/speed");
    std::string_view rest;
    auto const mbit = speed ? parse_double(*speed, rest) : std::nullopt;
    if (!mbit || *mbit <= 0) fail_use(word, "the speed of " + device + " is not known");
    // Bits a second with six decimals, so that 29% of 1 Gbit/s is not one bit short of 290 Mbit/s.
    std::array<char, 64> bits;
    auto const size = std::snprintf(bits.data(), bits.size(), "%.6f", share * *mbit * 1000 * 1000);
    return *parse_rate({bits.data(), static_cast<std::size_t>(size)});
}

u32 read_rate32_or_share(Line& line, Word const& word) {
    auto const rate = read_rate_or_share(line, word);
    if (rate > 0xffffffff) fail_range(word, "less than 34359738368 bit a second");
    return static_cast<u32>(rate);
}

u64 read_size_and_cell(Word const& word, int& cell_log, u64 max) {
    auto const parts = split_mask(word);
    auto const size = read_size(parts.value, max);
    if (parts.mask) {
        auto const cell = read_number(*parts.mask, 1, 0x40000000);
        if (!std::has_single_bit(cell)) fail_value(*parts.mask, "a cell size", "a power of two");
        cell_log = std::countr_zero(cell);
    }
    return size;
}

tc_estimator read_estimator(Line& line) {
    // net/core/gen_estimator.c: samples every 2^interval quarters of a second, weight 2^-ewma_log.
    auto const& sample_word = line.take("SAMPLE");
    double const sample = read_time_us(sample_word);
    auto const& average_word = line.take("AVERAGE");
    double const average = read_time_us(average_word);
    int interval = 0;
    while (interval <= 5 && sample > (1 << interval) * 250000.0) ++interval;
    if (interval > 5) fail_range(sample_word, "at most 8s");
    int log = 1;
    while (log < 32 && !(sample / -std::log(1.0 - 1.0 / static_cast<double>(u32{1} << log)) > average)) ++log;
    --log;
    if (log == 0 || log >= 31) fail_range(average_word, "an average over more time than the sample's");
    tc_estimator estimator{};
    estimator.interval = static_cast<signed char>(interval - 2);
    estimator.ewma_log = static_cast<u8>(log);
    return estimator;
}

tc_sizespec read_size_table(Line& line) {
    auto const start = line.last();
    SizeTable state;
    Reader(table, state).read_some(line);
    if (state.spec.linklayer == 0 && state.spec.mpu == 0 && state.spec.overhead == 0) fail_use(start, "a size table needs linklayer, mpu or overhead");
    if (needs_table(state.spec) && state.spec.tsize > 0x7ff0) fail_use(start, "tsize is larger than a request can hold");
    return state.spec;
}

void put_size_table(Line& line, tc_sizespec spec) {
    auto const link_layer = static_cast<u8>(spec.linklayer);
    std::vector<u16> sizes;
    if (!needs_table(spec)) {
        spec.mtu = spec.tsize = 0;
    } else {
        if (spec.mtu == 0) spec.mtu = 2047;
        if (spec.tsize == 0) spec.tsize = 512;
        while (spec.mtu >> spec.cell_log > spec.tsize - 1 && spec.cell_log < 31) ++spec.cell_log;
        sizes.resize(spec.tsize);
        u32 i = spec.tsize;
        while (i > 0) {
            auto const size = on_the_wire(i << spec.cell_log, spec.mpu, link_layer);
            if (size >> spec.size_log > 0xffff) {
                ++spec.size_log;
                i = spec.tsize;
                continue;
            }
            sizes[--i] = static_cast<u16>(size >> spec.size_log);
        }
        spec.cell_align = -1;
    }
    line.source_keyword("stab");
    line.out.nest(TCA_STAB, [&] {
        line.out.put(TCA_STAB_BASE, spec);
        if (!sizes.empty()) line.out.put(TCA_STAB_DATA, sizes.data(), sizes.size() * sizeof(u16));
    });
}

}  // namespace nlstream::tc
