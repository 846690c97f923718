#include "netlink/tc/red.hpp"

#include <cmath>

#include "netlink/clock.hpp"
#include "netlink/quantity.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {

u8 red_ewma_log(Line const& line, u32 min, u32 burst, u32 average_packet) {
    // The least weight W with burst + 1 - min / avpkt <= (1 - (1 - W)^burst) / W.
    double const target = static_cast<double>(burst) + 1 - static_cast<double>(min) / average_packet;
    auto const least = static_cast<u64>(min) / (average_packet ? average_packet : 1) + 1;
    if (target < 1.0) fail_use(given_word(line, {"burst", "min", "avpkt"}), "the burst is too short for min: at least " + std::to_string(least) + " packets");
    double weight = 0.5;
    for (u8 log = 1; log < 32; ++log, weight /= 2)
        if (target <= (1 - std::pow(1 - weight, burst)) / weight) return log;
    fail_use(given_word(line, {"burst", "min", "avpkt"}), "no weight of the average fits burst, min and avpkt");
}

u8 red_probability_log(Line const& line, u32 min, u32 max, double probability) {
    if (min == max) return 0;
    if (static_cast<s32>(max - min) < 0) fail_use(given_word(line, {"max", "min"}), "max is less than min");
    double share = probability / (max - min);
    for (u8 log = 0; log < 32; ++log, share *= 2)
        if (share > 1.0) return log;
    fail_use(given_word(line, {"probability", "max"}), "the probability is too small for so wide a span from min to max");
}

u8 fill_red_table(Line& line, RedTable& table, u8 ewma_log, u32 average_packet, u32 rate) {
    double const transmit = line.clock().transmit_ticks(rate, average_packet);
    // 32-bit shifts that wrap, as iproute2's do: it matters only for rates of a few hundred bits a second.
    auto const shifted = [](u32 value, u8 by) { return static_cast<double>(static_cast<s32>(value << by)); };
    double const decay = -std::log(1.0 - 1.0 / shifted(1, ewma_log)) / transmit;
    double const longest = 31 / decay;
    u8 cell_log = 0;
    while (cell_log < 32 && !(longest / shifted(1, cell_log) < 512)) ++cell_log;
    if (cell_log == 32) fail_use(given_word(line, {"bandwidth", "avpkt"}), "the bandwidth is too small for avpkt");
    table[0] = 0;
    for (u32 i = 1; i < 255; ++i) {
        auto const damping = static_cast<u8>(static_cast<s32>(shifted(i, cell_log) * decay));
        table[i] = damping > 31 ? u8{31} : damping;
    }
    table[255] = 31;
    return cell_log;
}

u32 red_max_probability(double probability) { return static_cast<u32>(static_cast<u64>(probability * 4294967296.0)); }

double read_probability(Line& line) {
    auto const& word = line.take("PROBABILITY");
    std::string_view rest;
    auto const probability = parse_double(word.text, rest);
    if (!probability || !rest.empty() || !(*probability >= 0)) fail_value(word, "a probability", "a number such as 0.02");
    if (*probability > 2147483647) fail_range(word, "at most 1");
    return *probability;
}

}  // namespace nlstream::tc
