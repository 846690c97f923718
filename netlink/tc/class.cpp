// tc class ...: the words before a kind's own.
#include <linux/pkt_sched.h>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/rate.hpp"

namespace nlstream::tc {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWTCLASS, NLM_F_EXCL | NLM_F_CREATE}, {"change*", RTM_NEWTCLASS, 0}, {"replace*", RTM_NEWTCLASS, NLM_F_CREATE},
    {"delete*", RTM_DELTCLASS, 0},                      {"get*"},                      {"list*|show*|lst*"},
};

struct Class {
    u32 index = 0;
    u32 id = 0;
    u32 parent = 0;
    std::optional<tc_estimator> estimator;
};

std::string_view second_parent(Class const& c) { return c.parent ? "a parent was given before" : ""; }

void read_dev(Line& line, Class& c) { c.index = line.take_main_device(); }
void read_id(Line& line, Class& c) { c.id = read_class_id(line.take("CLASSID")); }
void read_parent(Line& line, Class& c) { c.parent = read_class_id(line.take("CLASSID")); }
void read_class_estimator(Line& line, Class& c) { c.estimator = read_estimator(line); }

constexpr Row rows[] = {
    {"dev",        "DEVICE",         custom<read_dev>,                     "The link it is on.", {}, true},
    {"classid",    "CLASSID",        custom<read_id>,                      "Its own number, MAJOR:MINOR in hexadecimal.", {}, true},
    {"root",       "",               set(keep<&Class::parent>, TC_H_ROOT), "A class of the outermost qdisc.", unless<second_parent>},
    {"parent",     "CLASSID",        custom<read_parent>,                  "The class or qdisc that it belongs to.", unless<second_parent>},
    {"estimator*", "SAMPLE AVERAGE", custom<read_class_estimator>,         "Estimate its rate: every SAMPLE, averaged over AVERAGE.", {}, true},
};
constexpr auto table = keywords<Class>(rows);

}  // namespace

extern constinit KindInfo const class_info = {"tc", "class", "A class of a classful qdisc.", {{{"", table}}}};

void read_class(Line& line) {
    auto const& verb = read_verb(line, verbs, "tc class");
    begin_request<tcmsg>(line, verb.type, verb.flags);
    Class c;
    Reader(table, c).read_some(line);

    QdiscKind const* kind = nullptr;
    if (!line.done()) {
        auto const& word = line.take("a qdisc");
        if (word.text == "handle") throw Diagnostic{"a class has no handle", word.span, {}, "write classid instead of handle", code::unknown_word};
        kind = &find_kind(line, word, qdisc_kinds(), "qdisc or keyword");
        if (!kind->read_class) fail_use(word, "this qdisc has no classes to configure");
        line.out.put_string(TCA_KIND, kind->info.name);
    }
    if (c.estimator) line.out.put(TCA_RATE, *c.estimator);
    if (kind) kind->read_class(line);

    auto& head = header(line);
    head.tcm_ifindex = static_cast<int>(c.index);
    head.tcm_handle = c.id;
    head.tcm_parent = c.parent;
    end_request(line);
}

}  // namespace nlstream::tc
