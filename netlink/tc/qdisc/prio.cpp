// tc qdisc ... prio: bands, the first that holds a packet sends.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/options.hpp"

namespace nlstream::tc {
namespace {

constexpr u16 TCA_PRIO_MQ = 1;  // of old kernels, no longer in their headers

struct Prio {
    tc_prio_qopt options{.bands = 3, .priomap = {1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}};
    bool in_priomap = false;
    std::size_t next = 0;
    bool multiqueue = false;
};

void read_bands(Line& line, Prio& p) { p.options.bands = static_cast<int>(read_signed(line.take("N"), -2147483648LL, 2147483647, 10)); }

void read_priomap(Line& line, Prio& p) {
    p.in_priomap = true;
    auto const bands = static_cast<u32>(p.options.bands);
    for (; at_number(line); ++p.next) {
        auto const& word = line.take("BAND");
        if (p.next == std::size(p.options.priomap)) fail_use(word, "there are at most 16 priorities");
        if (bands == 0) fail_use(word, "there are no bands");
        p.options.priomap[p.next] = static_cast<u8>(read_number(word, 0, bands - 1, 10));
    }
}

std::string_view second_priomap(Prio const& p) { return p.in_priomap ? "it was given before" : ""; }

constexpr Row rows[] = {
    {"bands",      "N",       custom<read_bands>,            "The number of bands (default 3)."},
    {"priomap",    "BAND...", custom<read_priomap>,          "The band of packets of priority 0, 1, ... 15.", unless<second_priomap>},
    {"multiqueue", "",        set(keep<&Prio::multiqueue>),  "A band for each of the link's hardware queues."},
};
constexpr auto table = keywords<Prio>(rows);

void read(Line& line) {
    Prio p;
    Reader reader(table, p);
    while (!line.done()) {
        if (reader.read_one(line)) {
            // The priomap may go on after other keywords.
            if (p.in_priomap) read_priomap(line, p);
        } else {
            reader.fail_unknown(line);
        }
    }
    // The struct, and behind it a nest of the same type, both inside one attribute.
    auto const at = line.out.position();
    line.out.put(TCA_OPTIONS, p.options);
    line.out.nest(TCA_OPTIONS, [&] {
        line.source_keyword("multiqueue");
        if (p.multiqueue) line.out.put_flag(TCA_PRIO_MQ);
    });
    line.out.close(at);
}

}  // namespace

extern constinit QdiscKind const prio_qdisc = {.info = {"qdisc", "prio", "Bands by the packets' priority; the first that holds one sends.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
