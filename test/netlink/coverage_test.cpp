// Every keyword of every table occurs, in full, in some golden line.
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "netlink/command.hpp"
#include "netlink/help.hpp"
#include "test/support/golden.hpp"

namespace nlstream {
namespace {

BOOST_AUTO_TEST_CASE(every_keyword_occurs_in_a_golden_line) {
    std::map<void const*, std::set<std::string, std::less<>>> seen;
    test::GoldenWorld world;
    for (auto const& row : test::golden_rows()) {
        Trail trail;
        try {
            world.encode(row.stream, row.line, &trail);
        } catch (Diagnostic const&) {
            continue;  // golden_test tells
        }
        for (auto const& keyword : trail.keywords()) seen[keyword.row].insert(row.line.substr(keyword.word.begin, keyword.word.end - keyword.word.begin));
    }
    std::size_t missing = 0;
    for (auto const* kind : all_kinds())
        for (auto const& named : kind->tables)
            for (auto const& row : named.table().rows())
                any_alias(row.words, [&](std::string_view alias, bool) {
                    if (seen[&row].contains(alias)) return false;
                    BOOST_TEST_MESSAGE(help_name(*kind) << (named.title().empty() ? "" : ", ") << named.title() << ": " << alias);
                    ++missing;
                    return false;
                });
    BOOST_TEST(missing == 0u, missing << " keywords occur in no golden line (--log_level=message lists them)");
}

}  // namespace
}  // namespace nlstream
