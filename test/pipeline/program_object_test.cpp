// Object files that are only looked at, as --check does. That the kernel takes their programs: test/kernel/programs_test.py.
#include <linux/bpf.h>

#include <boost/test/unit_test.hpp>

#include "pipeline/system_files.hpp"

namespace nlstream {
namespace {

std::string const objects = NLSTREAM_OBJECTS;

/// Why `program` is not found; "found" if it is.
std::string why(ProgramInFile const& program, NotLoaded::Fault expected) {
    try {
        auto const file = SystemFiles(SystemFiles::Programs::check).load_program(program);
        return file->descriptor() < 0 ? "no descriptor" : "found";
    } catch (NotLoaded const& fault) {
        BOOST_TEST((fault.fault == expected));
        return fault.why;
    }
}

BOOST_AUTO_TEST_CASE(programs_are_found_by_section_and_by_name, *boost::unit_test::precondition([](auto) { return NLSTREAM_LIBBPF; })) {
    auto const object = objects + "/programs.o";
    using enum NotLoaded::Fault;
    BOOST_TEST(why({.path = object, .section = "classifier"}, file) == "found");
    BOOST_TEST(why({.path = object, .section = "custom"}, file) == "found");
    BOOST_TEST(why({.path = object, .section = "none", .function = "second"}, file) == "found");
    BOOST_TEST(why({.path = object, .section = "refused"}, file) == "found");  // by the kernel, which is not asked
    BOOST_TEST(why({.path = objects + "/pinned_map.o", .section = "classifier"}, file) == "found");
    BOOST_TEST(why({.path = object, .section = "none"}, name) == "it has classifier, action, prog, custom, refused");
    BOOST_TEST(why({.path = object, .section = "custom", .function = "none"}, name) == "it has classify, act, pass, first, second, unset");
    BOOST_TEST(why({.path = objects + "/none.o", .section = "prog"}, file).ends_with("No such file or directory"));
    BOOST_TEST(why({.path = objects + "/programs.c", .section = "prog"}, file).find("ELF") != std::string::npos);
    BOOST_TEST(why({.path = objects, .section = "prog"}, file) != "found");
}

BOOST_AUTO_TEST_CASE(without_libbpf_there_is_no_loader, *boost::unit_test::precondition([](auto) { return !NLSTREAM_LIBBPF; })) {
    for (auto const programs : {SystemFiles::Programs::load, SystemFiles::Programs::check})
        BOOST_CHECK_EXCEPTION(SystemFiles(programs).load_program({.path = objects + "/programs.o", .section = "prog"}), NotLoaded,
                              [](NotLoaded const& fault) { return fault.fault == NotLoaded::Fault::loader; });
}

}  // namespace
}  // namespace nlstream
