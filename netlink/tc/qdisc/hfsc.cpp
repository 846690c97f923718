// tc qdisc/class ... hfsc: hierarchical fair service curves.
#include <linux/pkt_sched.h>

#include <cmath>

#include "netlink/clock.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"
#include "netlink/tc/rate.hpp"

namespace nlstream::tc {
namespace {

using Hfsc = tc_hfsc_qopt;

std::string_view second_default(Hfsc const& h) { return h.defcls ? "it was given before" : ""; }
void read_default(Line& line, Hfsc& h) { h.defcls = static_cast<u16>(read_number(line.take("MINOR"), 0, 0xffff, 16)); }

constexpr Row qdisc_rows[] = {
    {"default*", "MINOR", custom<read_default>, "The class of packets that no filter matches, hexadecimal (default 0: none).", unless<second_default>},
};
constexpr auto qdisc_table = keywords<Hfsc>(qdisc_rows);

void read_hfsc_qdisc(Line& line) {
    Hfsc h{};
    Reader(qdisc_table, h).read_all(line);
    line.source_keyword("default");
    line.out.put(TCA_OPTIONS, h);
}

using Curve = tc_service_curve;

/// Takes the last, required keyword of a curve.
void take_keyword(Line& line, std::string_view keyword) {
    if (line.done()) fail_missing(line, std::string(keyword) + " RATE");
    if (!line.take_if_abbreviates(keyword)) fail_use(line.peek(), "a curve is [m1 RATE] [d TIME] m2 RATE, or [umax BYTES] [dmax TIME] rate RATE");
}

/// The slopes themselves: "[m1 RATE] [d TIME] m2 RATE".
Curve read_slopes(Line& line) {
    Curve curve{};
    if (line.take_if_abbreviates("m1")) curve.m1 = read_rate32_or_share(line, line.take("RATE"));
    if (line.take_if("d")) curve.d = static_cast<u32>(read_time_us(line.take("TIME")) * line.clock().factor);
    take_keyword(line, "m2");
    curve.m2 = read_rate32_or_share(line, line.take("RATE"));
    return curve;
}

/// What a flow needs: "[umax BYTES] [dmax TIME] rate RATE".
Curve read_needs(Line& line) {
    u32 umax = 0, dmax = 0;
    auto const start = line.position();
    if (line.take_if_abbreviates("umax")) umax = static_cast<u32>(read_size(line.take("BYTES")));
    if (line.take_if_abbreviates("dmax")) dmax = read_time_us(line.take("TIME"));
    take_keyword(line, "rate");
    auto const& word = line.take("RATE");
    auto const rate = read_rate32_or_share(line, word);
    if (umax && !dmax) fail_use(line.all()[start], "umax needs dmax");
    // Concave when a packet of umax bytes within dmax needs more than the rate.
    double const first = dmax ? std::ceil(1e6 * umax / dmax) : 0;
    if (first > rate) {
        if (first > 0xffffffff) fail_use(line.all()[start], "umax within dmax needs more than 34359738368 bit a second");
        return {.m1 = static_cast<u32>(first), .d = static_cast<u32>(dmax * line.clock().factor), .m2 = rate};
    }
    if (!rate) fail_range(word, "at least 8 bit a second");
    // In 32 bits that wrap, as iproute2 does: umax of more than 4294 bytes makes another d than it should.
    return {.m1 = 0, .d = static_cast<u32>((dmax - umax * 1'000'000u / rate) * line.clock().factor), .m2 = rate};
}

Curve read_curve(Line& line) {
    auto const& keyword = line.last();
    if (line.done()) fail_missing(line, "rate RATE");
    auto const first = line.peek().text;
    // "d" alone could begin either form; what follows its time tells.
    bool const after_d = line.position() + 2 < line.all().size() && abbreviates(line.all()[line.position() + 2].text, "m2");
    bool const slopes = first == "d" ? after_d : abbreviates(first, "m1") || abbreviates(first, "m2");
    auto const curve = slopes ? read_slopes(line) : read_needs(line);
    if (!curve.m1 && !curve.m2) fail_use(keyword, "both slopes are zero");
    return curve;
}

struct Class {
    std::optional<Curve> real_time, link_share, upper_limit;
};

void read_real_time(Line& line, Class& c) { c.real_time = read_curve(line); }
void read_link_share(Line& line, Class& c) { c.link_share = read_curve(line); }
void read_both(Line& line, Class& c) { c.real_time = c.link_share = read_curve(line); }
void read_upper_limit(Line& line, Class& c) { c.upper_limit = read_curve(line); }

constexpr Row class_rows[] = {
    {"rt*", "CURVE", custom<read_real_time>,   "Guaranteed: [m1 RATE] [d TIME] m2 RATE, or [umax BYTES] [dmax TIME] rate RATE."},
    {"ls*", "CURVE", custom<read_link_share>,  "The class's share of what is left."},
    {"sc*", "CURVE", custom<read_both>,        "The same curve for rt and ls."},
    {"ul*", "CURVE", custom<read_upper_limit>, "No more than this, even of what is left; needs ls or sc."},
};
constexpr auto class_table = keywords<Class>(class_rows);

void read_hfsc_class(Line& line) {
    Class c;
    Reader(class_table, c).read_all(line);
    if (!c.real_time && !c.link_share && !c.upper_limit) fail_missing(line, "rt, ls or sc");
    if (c.upper_limit && !c.link_share) fail_use(given_word(line, {"ul"}), "it needs ls or sc");
    line.out.nest(TCA_OPTIONS, [&] {
        if (c.real_time) {
            line.source_keyword("rt");
            line.out.put(TCA_HFSC_RSC, *c.real_time);
        }
        if (c.link_share) {
            line.source_keyword("ls");
            line.out.put(TCA_HFSC_FSC, *c.link_share);
        }
        if (c.upper_limit) {
            line.source_keyword("ul");
            line.out.put(TCA_HFSC_USC, *c.upper_limit);
        }
    });
}

}  // namespace

extern constinit QdiscKind const hfsc_qdisc = {
    .info = {"qdisc", "hfsc", "Hierarchical fair service curves: guaranteed delay and rate in a tree of classes.", {{{"qdisc", qdisc_table}, {"class", class_table}}}},
    .read_qdisc = read_hfsc_qdisc,
    .read_class = read_hfsc_class,
};

}  // namespace nlstream::tc
