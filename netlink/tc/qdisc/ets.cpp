// tc qdisc/class ... ets: strict bands before bands that share (IEEE 802.1Qaz).
#include <linux/pkt_sched.h>

#include <algorithm>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

struct Ets {
    u32 bands = 0;
    u32 strict = 0;
    // More than the kernel's 16 bands: it is the kernel's to refuse them.
    std::array<u32, 255> quanta{};
    std::size_t quanta_count = 0;
    std::array<Word, TC_PRIO_MAX + 1> priomap{};
    std::size_t priomap_count = 0;
};

u32 read_one_quantum(Line& line) { return static_cast<u32>(read_number(line.take("BYTES"), 1, 0xffffffff, 10)); }

void read_quanta(Line& line, Ets& e) {
    do {
        if (e.quanta_count == e.quanta.size()) fail_use(line.peek(), "there are at most 255 quanta");
        e.quanta[e.quanta_count++] = read_one_quantum(line);
    } while (at_number(line));
}

void read_priomap(Line& line, Ets& e) {
    do {
        if (e.priomap_count == e.priomap.size()) fail_use(line.peek(), "there are at most 16 priorities");
        e.priomap[e.priomap_count++] = line.take("BAND");
    } while (at_number(line));
}

std::string_view second_bands(Ets const& e) { return e.bands ? "it was given before" : ""; }
std::string_view second_strict(Ets const& e) { return e.strict ? "it was given before" : ""; }
std::string_view second_quanta(Ets const& e) { return e.quanta_count ? "it was given before" : ""; }
std::string_view second_priomap(Ets const& e) { return e.priomap_count ? "it was given before" : ""; }

constexpr Row qdisc_rows[] = {
    {"bands",   "N",         U32(keep<&Ets::bands>).in(0, TCQ_ETS_MAX_BANDS).dec(),  "The number of bands (default: what strict and quanta make).", unless<second_bands>},
    {"strict",  "N",         U32(keep<&Ets::strict>).in(0, TCQ_ETS_MAX_BANDS).dec(), "The first N bands are served before all others (default 0).", unless<second_strict>},
    {"quanta",  "BYTES...",  custom<read_quanta>,                                    "Bytes that each band after the strict ones sends in its turn.", unless<second_quanta>},
    {"priomap", "BAND...",   custom<read_priomap>,                                   "The band of packets of priority 0, 1, ... (default: the last).", unless<second_priomap>},
};
constexpr auto qdisc_table = keywords<Ets>(qdisc_rows);

void read_ets_qdisc(Line& line) {
    Ets e;
    Reader(qdisc_table, e).read_all(line);
    auto const used = e.strict + static_cast<u32>(e.quanta_count);
    if (!e.bands) e.bands = used;
    if (!e.bands) fail_missing(line, "bands N");
    if (e.bands > e.quanta.size()) fail_use(given_word(line, {"quanta"}), "strict and quanta make more than 255 bands");
    if (used > e.bands) fail_use(given_word(line, {"bands"}), "strict and quanta need " + std::to_string(used) + " bands");
    line.out.nest(TCA_OPTIONS | NLA_F_NESTED, [&] {
        line.source_keyword("bands");
        line.out.put(TCA_ETS_NBANDS, static_cast<u8>(e.bands));
        put_given(line, "strict", TCA_ETS_NSTRICT, static_cast<u8>(e.strict));
        line.source_keyword("quanta");
        if (e.quanta_count)
            line.out.nest(TCA_ETS_QUANTA | NLA_F_NESTED, [&] {
                for (std::size_t i = 0; i < e.quanta_count; ++i) line.out.put(TCA_ETS_QUANTA_BAND, e.quanta[i]);
            });
        line.source_keyword("priomap");
        if (e.priomap_count)
            line.out.nest(TCA_ETS_PRIOMAP | NLA_F_NESTED, [&] {
                for (std::size_t i = 0; i < e.priomap_count; ++i)
                    line.out.put(TCA_ETS_PRIOMAP_BAND, static_cast<u8>(read_number(e.priomap[i], 0, e.bands - 1, 10)));
            });
    });
}

struct Class {
    u32 quantum = 0;
};

void read_quantum(Line& line, Class& c) { c.quantum = read_one_quantum(line); }
std::string_view second_quantum(Class const& c) { return c.quantum ? "it was given before" : ""; }

constexpr Row class_rows[] = {
    {"quantum", "BYTES", custom<read_quantum>, "Bytes that the band sends in its turn.", unless<second_quantum>},
};
constexpr auto class_table = keywords<Class>(class_rows);

void read_ets_class(Line& line) {
    Class c;
    Reader(class_table, c).read_all(line);
    line.out.nest(TCA_OPTIONS | NLA_F_NESTED, [&] { put_given(line, "quantum", TCA_ETS_QUANTA_BAND, c.quantum); });
}

}  // namespace

extern constinit QdiscKind const ets_qdisc = {
    .info = {"qdisc", "ets", "Enhanced transmission selection: strict bands first, the others share.", {{{"qdisc", qdisc_table}, {"class", class_table}}}},
    .read_qdisc = read_ets_qdisc,
    .read_class = read_ets_class,
};

}  // namespace nlstream::tc
