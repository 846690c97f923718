// tc filter ...: classifiers.
#include <linux/if_ether.h>

#include "netlink/tc/filter_words.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWTFILTER, NLM_F_EXCL | NLM_F_CREATE}, {"change*", RTM_NEWTFILTER, 0}, {"replace*", RTM_NEWTFILTER, NLM_F_CREATE},
    {"delete*", RTM_DELTFILTER, 0},                      {"get*"},                       {"list*|show*|lst*"},
};

}  // namespace

extern constinit KindInfo const filter_info = {"tc", "filter", "A classifier of packets, with what is done to them.", {{{"", filter_words}}}};

void read_filter(Line& line) {
    auto const& verb = read_verb(line, verbs, "tc filter");
    // A new filter without protocol is for all; a delete names only what it says.
    read_filter_words(line, verb, verb.flags & NLM_F_CREATE ? ETH_P_ALL : 0);
}

}  // namespace nlstream::tc
