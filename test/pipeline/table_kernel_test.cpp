#include "pipeline/table_kernel.hpp"

#include <boost/test/unit_test.hpp>

using namespace nlstream;

BOOST_AUTO_TEST_CASE(rows_are_links) {
    TableKernel table("#ifindex\tname\tkind\tvrf-table\n1\tlo\t-\t\n2\teth0\tveth\r\n\n30\tred\tvrf\t100\n4\tbare\n");
    BOOST_CHECK_EQUAL(table.link("lo")->index, 1);
    BOOST_CHECK_EQUAL(table.link("lo")->kind, "");
    BOOST_CHECK_EQUAL(table.link("eth0")->kind, "veth");
    BOOST_CHECK_EQUAL(table.link("red")->vrf_table, 100);
    BOOST_CHECK_EQUAL(table.link(30)->name, "red");
    BOOST_CHECK_EQUAL(table.link("bare")->index, 4);
    BOOST_CHECK(!table.link("eth1"));
    BOOST_CHECK(!table.link(5));
}

BOOST_AUTO_TEST_CASE(a_row_that_cannot_be_read_is_named) {
    for (char const* row : {"x\teth0\n", "0\teth0\n", "1\n", "1\t\n", "1\tred\tvrf\tten\n", "1.5\teth0\n"}) {
        BOOST_CHECK_EXCEPTION(
            TableKernel(std::string("1\tlo\n") + row), std::runtime_error,
            [](std::runtime_error const& error) { return std::string_view(error.what()).starts_with("row 2: "); });
    }
}
