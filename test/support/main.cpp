// The main function of every test program. Boost.Test would define it in each test's file, by a macro that is set before its
// header is read; the header is precompiled.
#include <boost/test/unit_test.hpp>

int main(int argc, char* argv[]) {
    return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
