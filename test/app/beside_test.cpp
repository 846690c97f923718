// The files that are written beside a stream: rejects and journal.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/journal.hpp"
#include "app/rejects.hpp"
#include "test/support/fixed_world.hpp"

using namespace nlstream;

namespace {

/// A folder of its own, which vanishes.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("nlstream-beside-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string operator/(std::string const& name) const { return path / name; }
    void write(std::string const& name, std::string_view text) const { std::ofstream(path / name) << text; }
    std::string read(std::string const& name) const {
        std::ifstream file(path / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

struct World {
    Folder folder;
    test::MemoryFiles files;
    std::unique_ptr<Rejects> open(std::string const& path, std::vector<std::string> const& inputs = {},
                                  bool append = false) {
        return std::make_unique<Rejects>(path, inputs, Rejects::Options{.append = append, .how_to = "nlstream left"},
                                         files, Encoder::Options{});
    }
};

Ending unsent(std::string_view raw, u64 number) {
    return {.outcome = Outcome::unsent, .file = "rules", .number = number, .raw = raw};
}

}  // namespace

BOOST_AUTO_TEST_CASE(rejects_are_lines_as_they_stood_under_their_reasons) {
    World world;
    Rejection const bad{0,
                        "route add   nonsense",
                        {"\"nonsense\" is no\nprefix", {12, 20}, "expected one", "read the manual", code::value}};
    Rejection const long_one{0, "start", {"the line is too long", {}, {}, {}, code::too_long}};
    Rejection const cut{0, "a b", {"nothing follows", {}, {}, {}, code::syntax}};
    {
        auto const rejects = world.open(world.folder / "left");
        rejects->ended({.outcome = Outcome::applied, .file = "rules", .number = 1, .raw = "one"});
        rejects->ended({.outcome = Outcome::ignored, .file = "rules", .number = 2, .raw = "two"});
        rejects->ended({.outcome = Outcome::rejected,
                        .file = "rules",
                        .number = 3,
                        .raw = "route add \\\n  nonsense",
                        .origin = Origin{"conf", 7},
                        .rejection = &bad});
        rejects->ended({.outcome = Outcome::unknown, .file = "-", .number = 5, .raw = "five"});
        rejects->ended(unsent("six", 6));
        rejects->ended({.outcome = Outcome::rejected, .file = "rules", .number = 7, .raw = "", .rejection = &long_one});
        rejects->ended(
            {.outcome = Outcome::rejected, .file = "rules", .number = 8, .raw = "a \\\nb \\\n", .rejection = &cut});
        rejects->flush();
        BOOST_CHECK_EQUAL(rejects->failure(), "");
    }
    BOOST_CHECK_EQUAL(
        world.folder.read("left"),
        "# Lines that were not applied. To stream them: nlstream left\n"
        "# rejected: rules:3, made from conf:7: \"nonsense\" is no?prefix (expected one); read the manual\n"
        "route add \\\n  nonsense\n"
        "# unknown: <stdin>:5: the kernel's answer was lost: whether the line was applied is unknown\n"
        "five\n"
        "# not sent: rules:6\n"
        "six\n"
        "# rejected: rules:7: the line is too long\n"
        "#   start\n"
        "# rejected: rules:8: nothing follows\n"
        "#   a \\\n#   b \\\n#   \n");
}

BOOST_AUTO_TEST_CASE(rejects_start_anew_or_are_added_to) {
    World world;
    world.folder.write("left", "old\n");
    auto rejects = world.open(world.folder / "left", {}, true);
    rejects->ended(unsent("new", 1));
    rejects->flush();
    BOOST_CHECK_EQUAL(world.folder.read("left"), "old\n# not sent: rules:1\nnew\n");
    rejects = world.open(world.folder / "left");
    BOOST_CHECK_EQUAL(world.folder.read("left"), "");
}

BOOST_AUTO_TEST_CASE(an_input_is_not_overwritten) {
    World world;
    world.folder.write("rules", "precious\n");
    std::filesystem::create_hard_link(world.folder / "rules", world.folder / "other");
    BOOST_CHECK_THROW(world.open(world.folder / "other", {world.folder / "rules"}), std::runtime_error);
    BOOST_CHECK_EQUAL(world.folder.read("rules"), "precious\n");
    BOOST_CHECK_THROW(world.open("/nonexistent/left"), std::system_error);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_remembered_and_what_is_missing_counted) {
    World world;
    auto const rejects = world.open("/dev/full");
    rejects->ended(unsent("one", 1));
    rejects->flush();
    BOOST_CHECK_EQUAL(rejects->failure(), "/dev/full: No space left on device");
    rejects->ended(unsent("two", 2));
    rejects->flush();
    BOOST_CHECK_EQUAL(rejects->missing(), 2);
}

BOOST_AUTO_TEST_CASE(a_journal_is_read_as_it_was_written) {
    JournalRecord const record{
        .file = 2, .name = "a file", .identity = FileIdentity{1, 2, 3, -4, 5}, .line = 77, .ended = true};
    auto const text = record.text();
    BOOST_CHECK_EQUAL(text, "nlstream journal 1\nfile 2 a file\nidentity 1 2 3 -4 5\nline 77\nstate ended\nend\n");
    auto const read = JournalRecord::parse(text);
    BOOST_CHECK_EQUAL(read.text(), text);
    BOOST_CHECK(read.identity == record.identity && read.ended);
    for (std::size_t size = 0; size < text.size(); ++size)
        BOOST_CHECK_THROW(JournalRecord::parse(text.substr(0, size)), std::runtime_error);
    BOOST_CHECK_THROW(JournalRecord::parse("something else\n"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_stream_is_resumed_where_the_journal_says) {
    Folder folder;
    auto const path = folder / "journal";
    folder.write("one", "a\n");
    folder.write("two", "b\nc\n");
    std::vector<std::string> const files{folder / "one", folder / "two"};
    auto const fresh = resume(path, files);
    BOOST_CHECK(fresh.file == 1 && fresh.line == 1);
    BOOST_CHECK(fresh.said.find("there is no journal yet") != std::string::npos);

    Journal journal(path, files, 1);
    journal.begin(1);
    journal.update({files[1], 2});
    auto const cut_off = resume(path, files);
    BOOST_CHECK(cut_off.file == 2 && cut_off.line == 2);
    BOOST_CHECK(cut_off.said.find("may have been applied already") != std::string::npos);
    journal.end({files[1], 3});
    auto const ended = resume(path, files);
    BOOST_CHECK_EQUAL(ended.line, 3);
    BOOST_CHECK(ended.said.find("already") == std::string::npos);

    BOOST_CHECK_THROW(resume(path, {files[1], files[0]}), std::runtime_error);
    BOOST_CHECK_THROW(resume(path, {files[0]}), std::runtime_error);
    folder.write("two", "b\nc\nd\n");
    BOOST_CHECK_EXCEPTION(resume(path, files), std::runtime_error, [](auto const& error) {
        return std::string_view(error.what()).find("has changed since") != std::string_view::npos;
    });
    folder.write("journal", "nonsense\n");
    BOOST_CHECK_THROW(resume(path, files), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_journal_that_cannot_be_written) {
    std::vector<std::string> const files{"-"};
    Journal journal("/nonexistent/journal", files, 1);
    BOOST_CHECK_THROW(journal.begin(1), std::runtime_error);
    BOOST_CHECK_EQUAL(journal.failure(), "/nonexistent/journal: No such file or directory");
}

BOOST_AUTO_TEST_CASE(a_journal_takes_the_place_of_nothing_else) {
    Folder folder;
    std::vector<std::string> const files{folder / "rules"};
    folder.write("rules", "precious\n");
    BOOST_CHECK_THROW(Journal(folder / "rules", files, 1).begin(1), std::runtime_error);
    BOOST_CHECK_EQUAL(folder.read("rules"), "precious\n");
    std::filesystem::create_symlink("rules", folder / "link");
    BOOST_CHECK_THROW(Journal(folder / "link", files, 1).begin(1), std::runtime_error);
    BOOST_CHECK(std::filesystem::is_symlink(folder / "link"));
    // A device would be replaced by a file.
    std::filesystem::create_symlink("/dev/full", folder / "full");
    BOOST_CHECK_THROW(Journal(folder / "full", files, 1).begin(1), std::runtime_error);

    folder.write("journal", "");
    Journal(folder / "journal", files, 1).begin(1);
    Journal(folder / "journal", files, 1).begin(2);
    BOOST_CHECK_EQUAL(resume(folder / "journal", files).line, 2);
}

BOOST_AUTO_TEST_CASE(what_could_not_take_its_place_is_not_left_behind) {
    Folder folder;
    std::vector<std::string> const files{"-"};
    Journal journal(folder / "journal", files, 1);
    std::filesystem::create_symlink("/dev/full", folder / "journal.new");
    BOOST_CHECK_THROW(journal.begin(1), std::runtime_error);
    BOOST_CHECK_EQUAL(journal.failure(), (folder / "journal") + ": No space left on device");
    BOOST_CHECK(!std::filesystem::exists(std::filesystem::symlink_status(folder / "journal.new")));
}
