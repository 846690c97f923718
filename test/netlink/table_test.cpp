// What holds for every table of every kind.
#include "netlink/table.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "netlink/command.hpp"

namespace nlstream {
namespace {

template <class Each>
void for_every_row(Each&& each) {
    for (auto const* kind : all_kinds())
        for (auto const& named : kind->tables)
            for (auto const& row : named.table().rows()) each(*kind, named.table(), row);
}

BOOST_AUTO_TEST_CASE(every_full_word_selects_its_own_row) {
    for_every_row([](KindInfo const& kind, Table const& table, Row const& row) {
        any_alias(row.words, [&](std::string_view alias, bool) {
            auto const* found = table.find(alias);
            BOOST_CHECK_MESSAGE(found == &row, kind.section << '.' << kind.name << ": \"" << alias << "\" selects " << (found ? found->words : "nothing"));
            return false;
        });
    });
}

BOOST_AUTO_TEST_CASE(every_row_has_a_sentence_of_help) {
    for_every_row([](KindInfo const& kind, Table const&, Row const& row) {
        BOOST_CHECK_MESSAGE(row.help.size() > 8 && row.help.ends_with('.'), kind.section << '.' << kind.name << ": " << row.words << " has no sentence of help");
    });
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_name_of_its_own_and_a_summary) {
    std::set<std::string> names;
    for (auto const* kind : all_kinds()) {
        BOOST_CHECK_MESSAGE(names.insert(std::string(kind->section) + '.' + std::string(kind->name)).second, "two kinds are called " << kind->section << '.' << kind->name);
        BOOST_CHECK_MESSAGE(kind->summary.ends_with('.'), kind->section << '.' << kind->name << " has no sentence as summary");
    }
}

BOOST_AUTO_TEST_CASE(abbreviations_select_the_first_row_that_they_fit) {
    struct State {
        u32 a = 0, b = 0, c = 0;
    };
    static constexpr Row rows[] = {
        {"priority*", "N", U32(keep<&State::a>), "First."},
        {"prio", "N", U32(keep<&State::b>), "Shadowed by the one before, as in iproute2."},
        {"mtu*|mru", "N", U32(keep<&State::c>), "An alias may be exact."},
    };
    static constexpr auto index = keywords<State>(rows);
    Table const table = index;
    BOOST_TEST(table.find("p") == &rows[0]);
    BOOST_TEST(table.find("prio") == &rows[0]);
    BOOST_TEST(table.find("m") == &rows[2]);
    BOOST_TEST(table.find("mr") == nullptr);
    BOOST_TEST(table.find("mru") == &rows[2]);
    BOOST_TEST(table.find("priorityx") == nullptr);
    BOOST_TEST(table.find("") == nullptr);
    BOOST_TEST(table.nearest("mtv") == "mtu");
}

}  // namespace
}  // namespace nlstream
