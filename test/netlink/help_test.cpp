// Help and reference are what the tables say.
#include "netlink/help.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace nlstream {
namespace {

std::string content(std::filesystem::path const& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

BOOST_AUTO_TEST_CASE(the_reference_pages_are_up_to_date) {
    std::filesystem::path const folder = NLSTREAM_REFERENCE_DIR;
    std::size_t pages = 0;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) pages += entry.path().extension() == ".md";
    BOOST_TEST(pages == all_kinds().size() + 1, "docs/reference/ has " << pages << " pages for " << all_kinds().size() << " kinds: build the target `reference`");
    BOOST_TEST(content(folder / "README.md") == reference_index(), "the index is stale: build the target `reference`");
    for (auto const* kind : all_kinds())
        BOOST_TEST(content(folder / (help_name(*kind) + ".md")) == reference_page(*kind), help_name(*kind) << " is stale: build the target `reference`");
}

BOOST_AUTO_TEST_CASE(a_kind_is_found_by_its_help_name) {
    auto const* kind = find_help("action.gact");
    BOOST_REQUIRE(kind);
    BOOST_TEST(help_text(*kind) ==
               "action.gact: A verdict: drop, pass, pipe, reclassify, continue, trap, jump N, goto chain N.\n"
               "\n"
               "  random TYPE CONTROL N         Do CONTROL instead for one packet in N: netrand by chance, determ exactly.\n"
               "  index INDEX                   The action's number.\n");
    BOOST_TEST(!find_help("gact"));
    BOOST_TEST(nearest_help("gact") == "action.gact");
    BOOST_TEST(nearest_help("qdisc.htp") == "qdisc.htb");
    BOOST_TEST(nearest_help("xyzzy") == "");
}

}  // namespace
}  // namespace nlstream
