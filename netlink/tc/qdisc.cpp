// tc qdisc ...: the words before and around a kind's own.
#include <linux/if.h>
#include <linux/pkt_sched.h>

#include <algorithm>

#include "netlink/tc/kinds.hpp"
#include "netlink/tc/rate.hpp"

namespace nlstream::tc {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWQDISC, NLM_F_EXCL | NLM_F_CREATE}, {"change*", RTM_NEWQDISC, 0},    {"replace*", RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE},
    {"link*", RTM_NEWQDISC, NLM_F_REPLACE},            {"delete*", RTM_DELQDISC, 0},    {"list*|show*|lst*"},
};

struct Qdisc {
    u32 index = 0;
    u32 handle = 0;
    u32 parent = 0;
    u32 ingress_block = 0;
    u32 egress_block = 0;
    std::optional<tc_estimator> estimator;
    std::optional<tc_sizespec> size_table;
};

std::string_view second_parent(Qdisc const& q) { return q.parent ? "a parent was given before" : ""; }

void read_dev(Line& line, Qdisc& q) { q.index = line.take_main_device(); }
void read_handle(Line& line, Qdisc& q) { q.handle = read_qdisc_handle(line.take("HANDLE")); }
void read_parent(Line& line, Qdisc& q) { q.parent = read_class_id(line.take("CLASSID")); }
void read_qdisc_estimator(Line& line, Qdisc& q) { q.estimator = read_estimator(line); }
void read_stab(Line& line, Qdisc& q) { q.size_table = read_size_table(line); }

constexpr Row rows[] = {
    {"dev",            "DEVICE",         custom<read_dev>,                              "The link it is for.", {}, true},
    {"handle",         "MAJOR:",         custom<read_handle>,                           "Its own number, hexadecimal.", {}, true},
    {"root",           "",               set(keep<&Qdisc::parent>, TC_H_ROOT),          "The link's outermost qdisc.", unless<second_parent>},
    {"parent",         "CLASSID",        custom<read_parent>,                           "The class that it serves.", unless<second_parent>},
    {"estimator*",     "SAMPLE AVERAGE", custom<read_qdisc_estimator>,                  "Estimate its rate: every SAMPLE, averaged over AVERAGE.", {}, true},
    {"stab*",          "...",            custom<read_stab>,                             "Correct packet lengths by a size table.", {}, true},
    {"ingress_block*", "INDEX",          U32(keep<&Qdisc::ingress_block>).in(1, ~0u),   "Share its ingress filters: the block INDEX."},
    {"egress_block*",  "INDEX",          U32(keep<&Qdisc::egress_block>).in(1, ~0u),    "Share its egress filters: the block INDEX."},
};
constexpr auto table = keywords<Qdisc>(rows);

/// The kind called `word`; nullptr for one that only the kernel may know, which can be named as long as it takes no options.
QdiscKind const* find_qdisc(Line& line, Word const& word) {
    auto const known = [&](QdiscKind const* kind) { return kind->info.name == word.text; };
    if (auto const found = std::ranges::find_if(qdisc_kinds(), known); found != qdisc_kinds().end()) return *found;
    if (line.done() && !word.text.empty() && word.text.size() < IFNAMSIZ && !abbreviates(word.text, "help")) return nullptr;
    Nearest nearest(word.text);
    for (auto const* kind : qdisc_kinds()) nearest.offer(kind->info.name);
    line.offer_missed(word, nearest);
    fail_unknown(word, "qdisc or keyword", nearest.best());
}

}  // namespace

extern constinit KindInfo const qdisc_info = {"tc", "qdisc", "A queueing discipline of a link or a class.", {{{"", table}}}};

void read_qdisc(Line& line) {
    auto const& verb = read_verb(line, verbs, "tc qdisc");
    begin_request<tcmsg>(line, verb.type, verb.flags);
    Qdisc q;
    Reader reader(table, q);
    // "ingress" is the qdisc, though it could abbreviate ingress_block.
    while (!line.at("ingress") && reader.read_one(line)) {}

    QdiscKind const* kind = nullptr;
    if (!line.done()) {
        auto const& word = line.take("a qdisc");
        if (word.text == "clsact" || word.text == "ingress") {
            // The two have places of their own.
            if (q.parent) fail_use(word, second_parent(q));
            q.parent = TC_H_CLSACT;
            static_assert(TC_H_CLSACT == TC_H_INGRESS);
            q.handle = TC_H_MAKE(TC_H_CLSACT, 0);
        }
        kind = find_qdisc(line, word);
        line.out.put_string(TCA_KIND, word.text);
    }
    if (q.estimator) line.out.put(TCA_RATE, *q.estimator);
    line.source_keyword("ingress_block");
    if (q.ingress_block) line.out.put(TCA_INGRESS_BLOCK, q.ingress_block);
    line.source_keyword("egress_block");
    if (q.egress_block) line.out.put(TCA_EGRESS_BLOCK, q.egress_block);
    if (kind && kind->read_qdisc) kind->read_qdisc(line);
    if (q.size_table) put_size_table(line, *q.size_table);

    auto& head = header(line);
    head.tcm_ifindex = static_cast<int>(q.index);
    head.tcm_handle = q.handle;
    head.tcm_parent = q.parent;
    end_request(line);
}

}  // namespace nlstream::tc
