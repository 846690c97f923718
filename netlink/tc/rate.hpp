// Rates, size tables and estimators of traffic control.
#pragma once
#include <linux/pkt_sched.h>

#include <array>
#include <optional>

#include "netlink/line.hpp"
#include "netlink/value.hpp"

namespace nlstream::tc {

inline constexpr NamedValue link_layers[] = {{"ethernet*", TC_LINKLAYER_ETHERNET}, {"atm*", TC_LINKLAYER_ATM}, {"adsl*", TC_LINKLAYER_ATM}};

/// 256 transmission times: entry i is what (i + 1) << cell_log bytes take, in ticks.
using RateTable = std::array<u32, 256>;

/// Fills a rate's table and the members of `spec` that go with it (cell_log, cell_align, linklayer); reads its mpu.
/// `rate`: bytes a second. cell_log: -1 for the least that covers `mtu` (0: 2047). link_layer: TC_LINKLAYER_*.
/// Kernels since 3.8 only check that the table is there; the bytes are iproute2 7's, which rounds up.
void fill_rate_table(Clock const& clock, tc_ratespec& spec, RateTable& table, u64 rate, int cell_log, u32 mtu, u8 link_layer);

/// Bytes a second: "RATE", or "PERCENT%" of the speed of the line's device. Throws Diagnostic.
u64 read_rate_or_share(Line& line, Word const& word);

/// The same, at most 2^32 - 1.
u32 read_rate32_or_share(Line& line, Word const& word);
/// What a 32-bit member holds where a 64-bit attribute has the whole rate.
constexpr u32 rate32(u64 rate) { return rate > 0xffffffff ? 0xffffffff : static_cast<u32>(rate); }

/// "BYTES" or "BYTES/CELL", where CELL is a power of two: `cell_log` becomes its logarithm and otherwise stays.
u64 read_size_and_cell(Word const& word, int& cell_log, u64 max);

/// Reads "SAMPLE AVERAGE" after the word `estimator` (gen_estimator's interval and weight). Throws Diagnostic.
tc_estimator read_estimator(Line& line);

/// Reads the words after `stab` as far as they are its own. Throws Diagnostic.
tc_sizespec read_size_table(Line& line);
/// Puts TCA_STAB with the table computed from `spec`.
void put_size_table(Line& line, tc_sizespec spec);

}  // namespace nlstream::tc
