// Every golden row is encoded to the same bytes, every line of the reject files is rejected with a place.
#include <boost/test/unit_test.hpp>

#include "test/support/golden.hpp"

namespace nlstream {
namespace {

BOOST_AUTO_TEST_CASE(rows_are_encoded_to_the_same_bytes) {
    test::GoldenWorld world;
    for (auto const& row : test::golden_rows()) {
        try {
            auto const hex = world.encode(row.stream, row.line);
            BOOST_CHECK_MESSAGE(hex == row.hex, row.stream << ": " << row.line << "\n  expected " << row.hex << "\n  encoded  " << hex);
        } catch (Diagnostic const& d) {
            BOOST_ERROR(render(d, {row.stream.file, 1, row.line}));
        }
    }
}

BOOST_AUTO_TEST_CASE(rejected_lines_are_rejected_with_a_place) {
    test::GoldenWorld world;
    for (auto const& row : test::rejected_lines()) {
        try {
            auto const hex = world.encode(row.stream, row.line);
            BOOST_ERROR(row.stream << ": accepted: " << row.line << "\n  as " << hex);
        } catch (Diagnostic const& d) {
            BOOST_CHECK_MESSAGE(d.where.end > d.where.begin, "no place in\n" << render(d, {row.stream.file, 1, row.line}));
        }
    }
}

}  // namespace
}  // namespace nlstream
