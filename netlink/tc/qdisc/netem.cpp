// tc qdisc ... netem: delay, loss, duplication, corruption, reordering and a rate, to imitate a network.
#include <linux/pkt_sched.h>

#include <cmath>

#include "netlink/tc/distribution.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

constexpr u32 all = 0xffffffff;  // 100 %

struct Netem {
    tc_netem_qopt options{.latency = 0, .limit = 1000, .loss = 0, .gap = 0, .duplicate = 0, .jitter = 0};
    std::optional<s64> latency, jitter;  // ns
    tc_netem_corr correlation{};
    bool correlated = false;
    std::optional<tc_netem_reorder> reorder;
    std::optional<tc_netem_corrupt> corrupt;
    std::optional<tc_netem_gimodel> states;
    std::optional<tc_netem_gemodel> gilbert_elliot;
    std::optional<u64> seed;
    bool ecn = false;
    std::optional<u64> rate;  // bytes a second
    tc_netem_rate rate_options{};
    std::optional<tc_netem_slot> slot;
    std::vector<std::int16_t> delays, slot_delays;
};

u32 share_of_all(double share) { return static_cast<u32>(std::rint(share * all)); }
u32 read_share(Line& line) { return share_of_all(read_percent(line.take("PERCENT"))); }

/// Reads the correlation that may follow a share.
void read_correlation(Line& line, Netem& n, u32& correlation) {
    if (!at_digit(line)) return;
    correlation = read_share(line);
    n.correlated = true;
}

bool at_signed_digit(Line const& line) { return at_digit(line) || (!line.done() && line.peek().text.starts_with('-')); }

void read_limit(Line& line, Netem& n) { n.options.limit = static_cast<u32>(read_size(line.take("PACKETS"))); }

void read_delay(Line& line, Netem& n) {
    n.latency = read_time_ns(line.take("TIME"));
    if (!at_digit(line)) return;
    n.jitter = read_time_ns(line.take("JITTER"));
    read_correlation(line, n, n.correlation.delay_corr);
}

/// loss state P13 [P31 [P32 [P23 [P14]]]]: between four states (S. Salsano et al., "Definition of a general and intuitive
/// loss model for packet networks", 2009).
void read_states(Line& line, Netem& n) {
    auto const p13 = read_percent(line.take("P13"));
    tc_netem_gimodel model{.p13 = share_of_all(p13), .p31 = share_of_all(1 - p13), .p32 = 0, .p14 = 0, .p23 = all};
    for (auto* share : {&model.p31, &model.p32, &model.p23, &model.p14}) {
        if (!at_digit(line)) break;
        *share = read_share(line);
    }
    n.states = model;
}

/// loss gemodel P [R [1-H [1-K]]]: Gilbert and Elliot's good and bad state.
void read_gilbert_elliot(Line& line, Netem& n) {
    auto const p = read_percent(line.take("P"));
    tc_netem_gemodel model{.p = share_of_all(p), .r = share_of_all(1 - p), .h = 0, .k1 = 0};
    if (at_digit(line)) {
        model.r = read_share(line);
        if (at_digit(line)) {
            model.h = all - read_share(line);
            if (at_digit(line)) model.k1 = read_share(line);
        }
    }
    n.gilbert_elliot = model;
}

std::string_view second_loss(Netem const& n) { return n.options.loss || n.states || n.gilbert_elliot ? "it was given before" : ""; }

constexpr NamedValue loss_models[] = {{"random", 0}, {"state", 1}, {"gemodel", 2}};

void read_loss(Line& line, Netem& n) {
    auto const model = at_digit(line) ? 0 : read_choice(line.take("MODEL"), loss_models, "loss");
    if (model == 1) return read_states(line, n);
    if (model == 2) return read_gilbert_elliot(line, n);
    n.options.loss = read_share(line);
    read_correlation(line, n, n.correlation.loss_corr);
}

void read_seed(Line& line, Netem& n) { n.seed = read_number(line.take("SEED"), 0, no_limit, 10); }

void read_reorder(Line& line, Netem& n) {
    auto& reorder = n.reorder ? *n.reorder : n.reorder.emplace();
    reorder.probability = read_share(line);
    read_correlation(line, n, reorder.correlation);
}

void read_corrupt(Line& line, Netem& n) {
    auto& corrupt = n.corrupt ? *n.corrupt : n.corrupt.emplace();
    corrupt.probability = read_share(line);
    read_correlation(line, n, corrupt.correlation);
}

void read_gap(Line& line, Netem& n) { n.options.gap = static_cast<u32>(read_number(line.take("PACKETS"))); }

void read_duplicate(Line& line, Netem& n) {
    n.options.duplicate = read_share(line);
    // As iproute2: this correlation is sent only when another one is.
    if (at_digit(line)) n.correlation.dup_corr = read_share(line);
}

void read_delays(Line& line, Netem& n) { n.delays = read_distribution(line, line.take("NAME")); }

void read_netem_rate(Line& line, Netem& n) {
    n.rate = read_rate_or_share(line, line.take("RATE"));
    auto const read_s32 = [&] { return static_cast<s32>(read_signed(line.take("BYTES"), -2147483648LL, 2147483647)); };
    if (at_signed_digit(line)) n.rate_options.packet_overhead = read_s32();
    if (at_digit(line)) n.rate_options.cell_size = static_cast<u32>(read_number(line.take("BYTES")));
    if (at_signed_digit(line)) n.rate_options.cell_overhead = read_s32();
}

void read_slot(Line& line, Netem& n) {
    auto& slot = n.slot ? *n.slot : n.slot.emplace();
    if (at_digit(line)) {
        slot.min_delay = slot.max_delay = read_time_ns(line.take("MIN"));
        if (at_digit(line)) {
            auto const& word = line.take("MAX");
            slot.max_delay = read_time_ns(word);
            if (slot.max_delay < slot.min_delay) fail_range(word, "at least the shortest delay before it");
        }
    } else {
        auto const& word = line.take("MIN or distribution");
        if (word.text != "distribution") fail_value(word, "a time", "a time such as 20ms, or distribution");
        n.slot_delays = read_distribution(line, line.take("NAME"));
        slot.dist_delay = read_time_ns(line.take("DELAY"));
        auto const& jitter = line.take("JITTER");
        slot.dist_jitter = read_time_ns(jitter);
        if (slot.dist_jitter <= 0) fail_range(jitter, "more than 0");
    }
    if (line.take_if_abbreviates("packets")) slot.max_packets = static_cast<s32>(read_signed(line.take("N"), -2147483648LL, 2147483647));
    if (line.take_if_abbreviates("bytes")) slot.max_bytes = static_cast<s32>(read_size(line.take("BYTES")));
}

constexpr Row rows[] = {
    {"limit*",         "PACKETS",                      custom<read_limit>,       "Packets that may be held (default 1000)."},
    {"latency*|delay*", "TIME [JITTER [CORRELATION]]", custom<read_delay>,       "Delay packets by TIME, more or less JITTER, which depends on the packet before by CORRELATION."},
    {"loss*|drop*",    "[random] PERCENT [CORRELATION] | state P13 [P31 [P32 [P23 [P14]]]] | gemodel P [R [1-H [1-K]]]", custom<read_loss>, "Drop packets: by chance, between four states, or between a good and a bad state.", unless<second_loss>},
    {"seed*",          "SEED",                         custom<read_seed>,        "Start the random numbers from SEED."},
    {"ecn*",           "",                             set(keep<&Netem::ecn>),   "Mark packets instead of dropping them; needs loss."},
    {"reorder*",       "PERCENT [CORRELATION]",        custom<read_reorder>,     "Send so many packets at once, before those that are delayed; needs delay."},
    {"corrupt*",       "PERCENT [CORRELATION]",        custom<read_corrupt>,     "Flip a bit in so many packets."},
    {"gap*",           "PACKETS",                      custom<read_gap>,         "With reorder: only every so many packets."},
    {"duplicate*",     "PERCENT [CORRELATION]",        custom<read_duplicate>,   "Send so many packets twice."},
    {"distribution*",  "NAME",                         custom<read_delays>,      "Draw the delay from the table NAME: normal, pareto, paretonormal, ...; needs delay with jitter."},
    {"rate*",          "RATE [OVERHEAD [CELL [CELL_OVERHEAD]]]", custom<read_netem_rate>, "Delay packets as a link of RATE would, with OVERHEAD bytes a packet, in cells of CELL bytes."},
    {"slot*",          "MIN [MAX] | distribution NAME DELAY JITTER, [packets N] [bytes BYTES]", custom<read_slot>, "Collect packets and send them together, after a delay from MIN to MAX or drawn from a table, or after N packets or BYTES bytes."},
};
constexpr auto table = keywords<Netem>(rows);

void check(Line const& line, Netem& n) {
    if (n.reorder && n.reorder->probability) {
        if (!n.latency.value_or(0)) fail_use(given_word(line, {"reorder"}), "reordering needs a delay");
        if (!n.options.gap) n.options.gap = 1;
    } else if (n.options.gap) {
        fail_use(given_word(line, {"gap"}), "it needs reorder");
    }
    if (n.ecn && !n.options.loss && !n.states && !n.gilbert_elliot) fail_use(given_word(line, {"ecn"}), "it needs loss");
    if (!n.delays.empty() && (!n.latency.value_or(0) || !n.jitter.value_or(0)))
        fail_use(given_word(line, {"distribution"}), "it needs a delay with jitter");
}

void put_loss_model(Line& line, Netem const& n) {
    if (!n.states && !n.gilbert_elliot) return;
    line.source_keyword("loss");
    line.out.nest(TCA_NETEM_LOSS | NLA_F_NESTED, [&] {
        if (n.states) line.out.put(NETEM_LOSS_GI, *n.states);
        else line.out.put(NETEM_LOSS_GE, *n.gilbert_elliot);
    });
}

void put_delays(Line& line, u16 attribute, std::vector<std::int16_t> const& delays) {
    line.source_keyword("distribution");
    if (!delays.empty()) line.out.put(attribute, delays.data(), delays.size() * sizeof(std::int16_t));
}

void read(Line& line) {
    Netem n;
    Reader(table, n).read_all(line);
    check(line, n);
    auto const at = line.out.position();
    line.out.put(TCA_OPTIONS, n.options);
    put_given(line, "delay", TCA_NETEM_LATENCY64, n.latency);
    put_given(line, "delay", TCA_NETEM_JITTER64, n.jitter);
    if (n.correlated) line.out.put(TCA_NETEM_CORR, n.correlation);
    put_given(line, "reorder", TCA_NETEM_REORDER, n.reorder);
    line.source_keyword("ecn");
    if (n.ecn) line.out.put(TCA_NETEM_ECN, u32{1});
    put_given(line, "corrupt", TCA_NETEM_CORRUPT, n.corrupt);
    put_given(line, "slot", TCA_NETEM_SLOT, n.slot);
    put_loss_model(line, n);
    if (n.rate) {
        line.source_keyword("rate");
        if (*n.rate >> 32) line.out.put(TCA_NETEM_RATE64, *n.rate);
        n.rate_options.rate = rate32(*n.rate);
        line.out.put(TCA_NETEM_RATE, n.rate_options);
    }
    put_given(line, "seed", uapi::TCA_NETEM_PRNG_SEED, n.seed);
    put_delays(line, TCA_NETEM_DELAY_DIST, n.delays);
    put_delays(line, TCA_NETEM_SLOT_DIST, n.slot_delays);
    line.out.close(at);
}

}  // namespace

extern constinit QdiscKind const netem_qdisc = {.info = {"qdisc", "netem", "Imitates a network: delay, loss, duplication, corruption, reordering, rate.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
