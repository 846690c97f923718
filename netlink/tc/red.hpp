// Random early detection: what red, gred, choke and sfq compute from thresholds, bursts and rates
// (S. Floyd, V. Jacobson, "Random Early Detection Gateways for Congestion Avoidance", 1993; net/red.h).
#pragma once
#include <array>

#include "netlink/line.hpp"

namespace nlstream::tc {

/// How far the average queue decays while the link is idle, for 256 cells of time.
using RedTable = std::array<u8, 256>;

/// The logarithm of the average's weight, so that `burst` packets pass a queue of `min` bytes. `average_packet`: bytes.
/// Throws Diagnostic when no weight does.
u8 red_ewma_log(Line const& line, u32 min, u32 burst, u32 average_packet);
/// The logarithm of `probability` / (max - min), bytes. Throws Diagnostic when it is out of range or max is below min.
u8 red_probability_log(Line const& line, u32 min, u32 max, double probability);
/// Fills the table for a link of `rate` bytes a second; returns the logarithm of a cell, in ticks. Throws Diagnostic.
u8 fill_red_table(Line& line, RedTable& table, u8 ewma_log, u32 average_packet, u32 rate);
/// A share of one as a fraction of 2^32, in 32 bits: 1 becomes 0, which the kernel takes as "from the logarithm".
u32 red_max_probability(double probability);

/// Reads a number that is not negative: the probability of a mark or drop when the average is at max. Throws Diagnostic.
double read_probability(Line& line);

/// The rate that a line without `bandwidth` means: 10 Mbit/s, in bytes.
inline constexpr u32 red_default_rate = 1'250'000;

}  // namespace nlstream::tc
