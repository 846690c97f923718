// Files, pipes and pieces of lines through reader and encoder, without a kernel.
#include "pipeline/check.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "pipeline/encode_stage.hpp"
#include "test/support/fixed_world.hpp"

using namespace nlstream;

namespace {

struct World {
    test::TableKernel kernel;
    test::MemoryFiles files;
    Encoder encoder{kernel, files, {.tool = Tool::ip}};
    std::vector<std::string> lines;

    World() { kernel.add({.index = 2, .name = "eth0", .kind = {}, .vrf_table = 0, .address_length = 6}); }
    std::string check(std::vector<std::string> const& paths, std::size_t most = 1'000'000) {
        EncodeStage stage(encoder, {.stop_at_rejection = false});
        return nlstream::check(paths, stage, [&](Batch const& batch) {
            for (auto const& line : batch.lines)
                lines.push_back(std::string(batch.file.substr(batch.file.rfind('/') + 1)) + ':' +
                                std::to_string(batch.first_number + line.number) + (line.rejected ? " bad" : ""));
            return lines.size() < most;
        });
    }
};

struct TemporaryFile {
    std::string path;
    explicit TemporaryFile(std::string const& name, std::string_view text)
        : path(std::filesystem::temp_directory_path() / ("nlstream-" + std::to_string(::getpid()) + '-' + name)) {
        std::ofstream(path, std::ios::binary) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path); }
    std::string name() const { return path.substr(path.rfind('/') + 1); }
};

constexpr std::string_view route = "route add 10.0.0.1 dev eth0\n";

}  // namespace

BOOST_AUTO_TEST_CASE(files_are_read_in_order_and_named) {
    TemporaryFile const one("one", "route add 10.0.0.1 dev eth0\n\nroute add nonsense"), two("two", route),
        empty("empty", "");
    World world;
    BOOST_CHECK_EQUAL(world.check({one.path, empty.path, two.path}), "");
    BOOST_CHECK((world.lines == std::vector<std::string>{one.name() + ":1", one.name() + ":3 bad", two.name() + ":1"}));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_ends_the_reading) {
    TemporaryFile const one("one", route);
    World world;
    BOOST_CHECK_EQUAL(world.check({one.path, "/nonexistent/file", one.path}),
                      "/nonexistent/file: No such file or directory");
    BOOST_CHECK_EQUAL(world.lines.size(), 1);
}

BOOST_AUTO_TEST_CASE(a_file_of_many_reads) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += route;
    TemporaryFile const file("long", text);
    World world;
    BOOST_CHECK_EQUAL(world.check({file.path}), "");
    BOOST_REQUIRE_EQUAL(world.lines.size(), 20'000);
    BOOST_CHECK_EQUAL(world.lines.back(), file.name() + ":20000");
}

BOOST_AUTO_TEST_CASE(reading_ends_when_nobody_listens) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += route;
    TemporaryFile const file("long", text);
    World world;
    BOOST_CHECK_EQUAL(world.check({file.path}, 1), "");
    BOOST_CHECK_LT(world.lines.size(), 10'000);
}

BOOST_AUTO_TEST_CASE(a_pipe_may_be_cut_anywhere) {
    int ends[2];
    BOOST_REQUIRE_EQUAL(::pipe(ends), 0);
    World world;
    {
        std::jthread const writer([write_end = ends[1]] {
            std::string text;
            for (int i = 0; i < 50; ++i) text += route;
            text.pop_back();
            for (std::size_t at = 0; at < text.size(); at += 11) {
                if (::write(write_end, text.data() + at, std::min<std::size_t>(11, text.size() - at)) < 0)
                    std::perror("write");
                if (at % 7 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            ::close(write_end);
        });
        BOOST_CHECK_EQUAL(world.check({"/dev/fd/" + std::to_string(ends[0])}), "");
    }
    ::close(ends[0]);
    BOOST_REQUIRE_EQUAL(world.lines.size(), 50);
    BOOST_CHECK(world.lines.back().ends_with(":50"));
}
