// tc chain ...: chains of filters, with or without a template that all filters of the chain must fit.
#include "netlink/tc/filter_words.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWCHAIN, NLM_F_EXCL | NLM_F_CREATE},
    {"delete*", RTM_DELCHAIN, 0},
    {"get*"},
    {"list*|show*|lst*"},
};

}  // namespace

extern constinit KindInfo const chain_info = {
    "tc", "chain", "A chain of filters; a filter's kind and keys behind it are a template for all of its filters.", {{{"", filter_words}}}};

void read_chain(Line& line) { read_filter_words(line, read_verb(line, verbs, "tc chain"), 0); }

}  // namespace nlstream::tc
