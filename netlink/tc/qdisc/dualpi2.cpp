// tc qdisc ... dualpi2: one queue for scalable, one for classic congestion control (RFC 9332).
#include <linux/pkt_sched.h>

#include <algorithm>
#include <cmath>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::tc {
namespace {

/// alpha and beta in Hz are sent as multiples of 1/256.
constexpr u32 scale = 256;
constexpr double greatest = (2 << 23) - 1;

struct Dualpi2 {
    u32 limit = 0;
    u32 memlimit = 0;
    u32 target = 0;   // us
    u32 tupdate = 0;  // us
    std::optional<u32> alpha, beta;
    std::optional<u8> coupling;
    u8 ecn_mask = 0;
    u32 step_threshold = 0;
    bool step_in_packets = false;
    std::optional<u32> min_qlen_step;
    std::optional<u8> drop_overload, drop_early, split_gso, protection;
    u32 max_rtt = 0;      // us
    u32 typical_rtt = 0;  // us
};

u32 read_hertz(Line& line) {
    auto const& word = line.take("HZ");
    std::string_view rest;
    auto const hertz = parse_double(word.text, rest);
    if (!hertz || !rest.empty()) fail_value(word, "a number", "0 to 16777215");
    auto const single = static_cast<float>(*hertz);
    if (!(single >= 0 && single <= greatest)) fail_range(word, "0 to 16777215");
    return static_cast<u32>(single * static_cast<float>(scale));
}
void read_alpha(Line& line, Dualpi2& d) { d.alpha = read_hertz(line); }
void read_beta(Line& line, Dualpi2& d) { d.beta = read_hertz(line); }

/// A time, or a number of packets ("5pkt").
void read_step(Line& line, Dualpi2& d) {
    auto const& word = line.take("TIME|PACKETS");
    d.step_in_packets = false;
    if (auto const us = parse_time_us(word.text); us && *us <= 0xffffffff) {
        d.step_threshold = static_cast<u32>(*us);
        return;
    }
    auto const digits = word.text.find_last_of("0123456789") + 1;  // 0 without any
    auto const unit = word.text.substr(digits);
    constexpr std::string_view units[] = {"p", "pkt", "pkts", "packet", "packets"};
    auto const packets = parse_number(word.text.substr(0, digits), 0xffffffff, 10);
    if (!packets || std::ranges::find(units, unit) == std::end(units)) fail_value(word, "a time or a number of packets", "a time such as 1ms, or packets such as 5pkt");
    d.step_threshold = static_cast<u32>(*packets);
    d.step_in_packets = true;
}

void read_protection(Line& line, Dualpi2& d) { d.protection = static_cast<u8>(std::rint(read_percent(line.take("PERCENT")) * 100)); }

constexpr Row rows[] = {
    {"limit",              "PACKETS",      U32(keep<&Dualpi2::limit>).dec(),                                              "Packets that may wait (default 10000)."},
    {"memlimit",           "BYTES",        U32(keep<&Dualpi2::memlimit>).dec(),                                           "Memory that waiting packets may take."},
    {"target",             "TIME",         Time{{kept, 4, false, keep<&Dualpi2::target>}},                                "The delay of the classic queue that is aimed at (default 15ms)."},
    {"tupdate",            "TIME",         Time{{kept, 4, false, keep<&Dualpi2::tupdate>}},                               "Compute the probability anew so often (default 16ms)."},
    {"alpha",              "HZ",           custom<read_alpha>,                                                            "Weight of the delay's distance from target (default 0.16)."},
    {"beta",               "HZ",           custom<read_beta>,                                                             "Weight of the delay's change (default 3.2)."},
    {"coupling_factor",    "N",            U8(keep<&Dualpi2::coupling>),                                                  "Marks in the scalable queue for the square root of classic drops (default 2)."},
    {"l4s_ect",            "",             set(keep<&Dualpi2::ecn_mask>, uapi::TC_DUALPI2_ECN_MASK_L4S_ECT),              "Packets marked ECT(1) are scalable (default)."},
    {"any_ect",            "",             set(keep<&Dualpi2::ecn_mask>, uapi::TC_DUALPI2_ECN_MASK_ANY_ECT),              "Packets marked ECT(0) or ECT(1) are scalable."},
    {"step_thresh",        "TIME|PACKETS", custom<read_step>,                                                             "Mark every scalable packet above this delay or length (default 1ms)."},
    {"min_qlen_step",      "PACKETS",      U32(keep<&Dualpi2::min_qlen_step>).dec(),                                      "Not while the queue is shorter than this (default 0)."},
    {"overflow",           "",             set(keep<&Dualpi2::drop_overload>, uapi::TC_DUALPI2_DROP_OVERLOAD_OVERFLOW),   "Keep marking when overloaded, until the queue is full."},
    {"drop_on_overload",   "",             set(keep<&Dualpi2::drop_overload>, uapi::TC_DUALPI2_DROP_OVERLOAD_DROP),       "Drop when overloaded (default)."},
    {"drop_enqueue",       "",             set(keep<&Dualpi2::drop_early>, uapi::TC_DUALPI2_DROP_EARLY_DROP_ENQUEUE),     "Drop packets as they come."},
    {"drop_dequeue",       "",             set(keep<&Dualpi2::drop_early>, uapi::TC_DUALPI2_DROP_EARLY_DROP_DEQUEUE),     "Drop packets as they leave (default)."},
    {"split_gso",          "",             set(keep<&Dualpi2::split_gso>, uapi::TC_DUALPI2_SPLIT_GSO_SPLIT_GSO),          "Split large segments into packets (default)."},
    {"no_split_gso",       "",             set(keep<&Dualpi2::split_gso>, uapi::TC_DUALPI2_SPLIT_GSO_NO_SPLIT_GSO),       "Keep large segments whole."},
    {"classic_protection", "PERCENT",      custom<read_protection>,                                                       "The classic queue's least share of turns (default 10%)."},
    {"max_rtt",            "TIME",         Time{{kept, 4, false, keep<&Dualpi2::max_rtt>}},                               "Derive target, tupdate, alpha and beta from the longest round trip."},
    {"typical_rtt",        "TIME",         Time{{kept, 4, false, keep<&Dualpi2::typical_rtt>}},                           "The same from the usual round trip (default: max_rtt / 6)."},
};
constexpr auto table = keywords<Dualpi2>(rows);

/// Sets what the round trips ask for (RFC 9332, appendix A.1).
void derive(Line const& line, Dualpi2& d) {
    if (!d.typical_rtt) d.typical_rtt = std::max(d.max_rtt / 6, 1u);
    else if (!d.max_rtt) d.max_rtt = d.typical_rtt * 6;
    if (d.typical_rtt > d.max_rtt) fail_use(given_word(line, {"typical_rtt"}), "typical_rtt is longer than max_rtt");
    d.target = d.typical_rtt;
    auto const third = static_cast<double>(d.max_rtt) / 3.0;
    d.tupdate = std::max(d.typical_rtt < third ? d.typical_rtt : static_cast<u32>(third), 1u);
    // The factors have single precision, as iproute2's.
    double const alpha = static_cast<double>(d.tupdate) / d.max_rtt / d.max_rtt * 1e6 * static_cast<double>(0.1f);
    double const beta = static_cast<double>(0.3f) / d.max_rtt * 1e6;
    if (beta > greatest) fail_use(given_word(line, {"max_rtt", "typical_rtt"}), "the round trip is too short");
    if (alpha < 1.0 / scale || beta < 1.0 / scale) fail_use(given_word(line, {"max_rtt", "typical_rtt"}), "the round trip is too long");
    d.alpha = static_cast<u32>(alpha * scale);
    d.beta = static_cast<u32>(beta * scale);
}

void read(Line& line) {
    Dualpi2 d;
    Reader(table, d).read_all(line);
    if (d.max_rtt || d.typical_rtt) derive(line, d);
    line.out.nest(TCA_OPTIONS | NLA_F_NESTED, [&] {
        put_given(line, "limit", uapi::TCA_DUALPI2_LIMIT, d.limit);
        put_given(line, "memlimit", uapi::TCA_DUALPI2_MEMORY_LIMIT, d.memlimit);
        put_given(line, "tupdate", uapi::TCA_DUALPI2_TUPDATE, d.tupdate);
        put_given(line, "target", uapi::TCA_DUALPI2_TARGET, d.target);
        put_given(line, "alpha", uapi::TCA_DUALPI2_ALPHA, d.alpha);
        put_given(line, "beta", uapi::TCA_DUALPI2_BETA, d.beta);
        put_given(line, "any_ect", uapi::TCA_DUALPI2_ECN_MASK, d.ecn_mask);
        put_given(line, "overflow", uapi::TCA_DUALPI2_DROP_OVERLOAD, d.drop_overload);
        put_given(line, "coupling_factor", uapi::TCA_DUALPI2_COUPLING, d.coupling);
        put_given(line, "split_gso", uapi::TCA_DUALPI2_SPLIT_GSO, d.split_gso);
        put_given(line, "step_thresh", d.step_in_packets ? uapi::TCA_DUALPI2_STEP_THRESH_PKTS : uapi::TCA_DUALPI2_STEP_THRESH_US, d.step_threshold);
        put_given(line, "min_qlen_step", uapi::TCA_DUALPI2_MIN_QLEN_STEP, d.min_qlen_step);
        put_given(line, "drop_enqueue", uapi::TCA_DUALPI2_DROP_EARLY, d.drop_early);
        put_given(line, "classic_protection", uapi::TCA_DUALPI2_C_PROTECTION, d.protection);
    });
}

}  // namespace

extern constinit QdiscKind const dualpi2_qdisc = {.info = {"qdisc", "dualpi2", "Low delay for scalable congestion control beside a coupled classic queue.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
