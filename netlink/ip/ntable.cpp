// ip ntable ...: the neighbour tables' parameters.
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "netlink/ip/kinds.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {{"change*|chg*", RTM_SETNEIGHTBL, NLM_F_REPLACE}, {"show*|lst*|list*"}};

/// What belongs into NDTA_PARMS, in the order in which the line gives it.
struct Ntable {
    struct Parameter {
        u16 type;
        u8 width;  // bytes
        u64 value;
        Word const* word;  // the value's
    };
    std::array<Parameter, 32> parameters;  // not cleared: the first `count` are in use
    u32 count = 0;
    bool changes = false;
};

void keep_parameter(Line& line, Ntable& t, u16 type, u8 width, u64 value) {
    if (t.count == t.parameters.size()) fail_use(line.last(), "the line has too many parameters");
    t.parameters[t.count++] = {type, width, value, &line.last()};
}
void read_device(Line& line, Ntable& t) { keep_parameter(line, t, NDTPA_IFINDEX, 4, line.take_device()); }
template <u16 Attribute>
void threshold(Line& line, Ntable& t) {
    line.out.put(Attribute, static_cast<u32>(read_number(line.take("N"))));
    t.changes = true;
}
void read_interval(Line& line, Ntable& t) {
    line.out.put(NDTA_GC_INTERVAL, read_number(line.take("MS"), 0, no_limit));
    t.changes = true;
}
template <u16 Attribute>
void count(Line& line, Ntable& t) {
    keep_parameter(line, t, Attribute, 4, read_number(line.take("N")));
    t.changes = true;
}
template <u16 Attribute>
void milliseconds(Line& line, Ntable& t) {
    keep_parameter(line, t, Attribute, 8, read_number(line.take("MS"), 0, no_limit));
    t.changes = true;
}

constexpr Row rows[] = {
    {"name",           "NAME",   Text{NDTA_NAME, 255},                          "The table: arp_cache or ndisc_cache. Required.", {}, true},
    {"thresh1",        "N",      custom<threshold<NDTA_THRESH1>>, "Below N entries nothing is collected."},
    {"thresh2",        "N",      custom<threshold<NDTA_THRESH2>>, "Above N entries old ones are collected."},
    {"thresh3",        "N",      custom<threshold<NDTA_THRESH3>>, "At most N entries."},
    {"gc_int",         "MS",     custom<read_interval>, "Collect every MS milliseconds."},
    {"dev",            "DEVICE", custom<read_device>,                           "Parameters of this link (default: those of new links)."},
    {"base_reachable", "MS",     custom<milliseconds<NDTPA_BASE_REACHABLE_TIME>>, "How long a neighbour is taken as reachable, on average."},
    {"retrans",        "MS",     custom<milliseconds<NDTPA_RETRANS_TIME>>,      "Time between solicitations."},
    {"gc_stale",       "MS",     custom<milliseconds<NDTPA_GC_STALETIME>>,      "Collect entries that are stale for so long."},
    {"delay_probe",    "MS",     custom<milliseconds<NDTPA_DELAY_PROBE_TIME>>,  "Time before the first probe."},
    {"queue",          "N",      custom<count<NDTPA_QUEUE_LEN>>,                "Packets that wait for an address."},
    {"app_probes",     "N",      custom<count<NDTPA_APP_PROBES>>,               "Probes that are left to a daemon."},
    {"ucast_probes",   "N",      custom<count<NDTPA_UCAST_PROBES>>,             "Unicast probes."},
    {"mcast_probes",   "N",      custom<count<NDTPA_MCAST_PROBES>>,             "Multicast probes."},
    {"mcast_reprobes", "N",      custom<count<NDTPA_MCAST_REPROBES>>,           "Multicast probes after the unicast ones."},
    {"anycast_delay",  "MS",     custom<milliseconds<NDTPA_ANYCAST_DELAY>>,     "Longest delay of an answer for an anycast address."},
    {"proxy_delay",    "MS",     custom<milliseconds<NDTPA_PROXY_DELAY>>,       "Longest delay of an answer for others."},
    {"proxy_queue",    "N",      custom<count<NDTPA_PROXY_QLEN>>,               "Requests that wait for such an answer."},
    {"locktime",       "MS",     custom<milliseconds<NDTPA_LOCKTIME>>,          "Least time between changes of an entry."},
};
constexpr auto table = keywords<Ntable>(rows);

}  // namespace

extern constinit KindInfo const ntable_info = {"ip", "ntable", "Parameters of a neighbour table.", {{{"", table}}}};

void read_ntable(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip ntable");
    begin_request<ndtmsg>(line, verb.type, verb.flags).ndtm_family = line.family;
    Ntable t;
    Reader reader(table, t);
    reader.read_all(line);
    if (!reader.seen("name")) fail_missing(line, "name NAME");
    if (!t.changes) fail_missing(line, "a parameter to change");
    if (t.count) {
        line.out.nest(NDTA_PARMS, [&] {
            for (auto const& parameter : std::span(t.parameters).first(t.count)) {
                line.out.source(parameter.word->span);
                line.out.put(parameter.type, &parameter.value, parameter.width);
            }
        });
    }
    end_request(line);
}

}  // namespace nlstream::ip
