// Every object of every tool, and every kind.
#include "netlink/command.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream {
namespace {

// Each tool's objects in the order in which it looks abbreviations up.
constexpr Object all_objects[] = {
    {Tool::tc, "qdisc*", "queueing disciplines", tc::read_qdisc},
    {Tool::tc, "class*", "classes of classful qdiscs", tc::read_class},
    {Tool::tc, "filter*", "classifiers", tc::read_filter},
};

}  // namespace

std::span<Object const> objects() { return all_objects; }

std::vector<KindInfo const*> all_kinds() {
    std::vector<KindInfo const*> kinds;
    for (auto const* kind : tc::qdisc_kinds()) kinds.push_back(&kind->info);
    for (auto const* kind : tc::filter_kinds()) kinds.push_back(&kind->info);
    for (auto const* kind : tc::action_kinds()) kinds.push_back(&kind->info);
    return kinds;
}

}  // namespace nlstream
