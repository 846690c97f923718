#define BOOST_TEST_MODULE encode_stage
#include "pipeline/encode_stage.hpp"

#include <boost/test/unit_test.hpp>

#include "netlink/links.hpp"
#include "test/support/fixed_world.hpp"

using namespace nlstream;

namespace {

/// Knows eth0, and whatever the test adds; asks for a barrier when a link was touched.
struct Kernel : test::TableKernel {
    Links* links = nullptr;
    Kernel() { add({.index = 2, .name = "eth0", .kind = {}, .vrf_table = 0, .address_length = 6}); }
    using test::TableKernel::link;
    std::optional<Link> link(std::string_view name) override {
        if (links->dirty()) throw BarrierNeeded{};
        return test::TableKernel::link(name);
    }
};

struct World {
    Kernel kernel;
    test::MemoryFiles files;
    Encoder encoder{kernel, files, {.tool = Tool::ip}};
    Batch batch;
    std::size_t position = 0;

    World() { kernel.links = &encoder.links(); }
    void show(std::string_view text) {
        batch.text.assign(text.begin(), text.end());
        batch.text_size = text.size();
        position = 0;
    }
};

using Step = EncodeStage::Step;

}  // namespace

BOOST_AUTO_TEST_CASE(only_lines_with_commands_are_kept) {
    World world;
    EncodeStage stage(world.encoder, true);
    world.show("# a comment\n\nroute add 10.0.0.1 dev eth0\n  \nroute add 10.0.0.2 \\\n dev eth0\nroute add 10.0");
    BOOST_CHECK(stage.encode(world.batch, world.position, false) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 2);
    BOOST_CHECK_EQUAL(world.batch.message_count, 2);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[0].number, 3);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[1].number, 5);
    BOOST_CHECK_EQUAL(world.batch.raw(world.batch.lines[1]), "route add 10.0.0.2 \\\n dev eth0");
    BOOST_CHECK(world.batch.lines[1].continued);
    // The line that is not whole yet is left for the next batch.
    BOOST_CHECK_EQUAL(std::string_view(world.batch.text.data()).substr(world.position), "route add 10.0");

    world.batch.forget_lines();
    world.show("route add 10.0.0.3 dev eth0");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 1);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[0].number, 7);
}

BOOST_AUTO_TEST_CASE(a_bad_line_ends_the_encoding_or_not) {
    constexpr std::string_view text =
        "route add 10.0.0.1 dev eth0\nroute add nonsense\nroute add 10.0.0.2 dev nowhere\nroute add 10.0.0.3 dev "
        "eth0\n";
    World stopping;
    EncodeStage stop(stopping.encoder, true);
    stopping.show(text);
    BOOST_CHECK(stop.encode(stopping.batch, stopping.position, true) == Step::rejected);
    BOOST_CHECK_EQUAL(stopping.batch.lines.size(), 2);
    BOOST_CHECK(stopping.batch.lines[1].rejected);

    World going;
    EncodeStage go(going.encoder, false);
    going.show(text);
    BOOST_CHECK(go.encode(going.batch, going.position, true) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(going.batch.lines.size(), 4);
    BOOST_REQUIRE_EQUAL(going.batch.rejections.size(), 2);
    BOOST_CHECK_EQUAL(going.batch.rejections[0].line, 1);
    BOOST_CHECK_EQUAL(going.batch.rejections[1].line, 2);
    BOOST_CHECK_EQUAL(going.batch.rejections[1].why.code, code::no_device);
    BOOST_CHECK_EQUAL(going.batch.message_count, 2);
}

BOOST_AUTO_TEST_CASE(a_line_that_depends_on_what_is_not_applied_yet_waits) {
    World world;
    EncodeStage stage(world.encoder, true);
    world.show("link add br0 type bridge\naddress add 10.0.0.1/24 dev br0\nlink set br0 up\n");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::barrier);
    BOOST_CHECK_EQUAL(world.batch.lines.size(), 1);

    world.kernel.add({.index = 7, .name = "br0", .kind = "bridge", .vrf_table = 0, .address_length = 6});
    world.batch.forget_lines();
    stage.settled(false);
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 2);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[0].number, 2);
    BOOST_CHECK_EQUAL(world.batch.raw(world.batch.lines[0]), "address add 10.0.0.1/24 dev br0");
    BOOST_CHECK_EQUAL(world.position, world.batch.text_size);
}

BOOST_AUTO_TEST_CASE(a_batch_that_holds_enough_is_full) {
    World world;
    EncodeStage stage(world.encoder, true);
    std::string text;
    while (text.size() < 400'000) text += "route add 10.0.0.1 dev eth0\n";
    world.show(text);
    u64 lines = 0;
    Step step;
    while ((step = stage.encode(world.batch, world.position, true)) == Step::full) {
        BOOST_CHECK_LT(world.batch.messages.size(), EncodeStage::enough + 100);
        lines += world.batch.lines.size();
        world.batch.forget_lines();
    }
    BOOST_CHECK(step == Step::out_of_text);
    BOOST_CHECK_EQUAL(lines + world.batch.lines.size(), text.size() / 28);
}

BOOST_AUTO_TEST_CASE(defects_of_lines_are_rejections) {
    World world;
    EncodeStage stage(world.encoder, false);
    world.show("route add 10.0.0.1 \\\n");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.rejections.size(), 1);
    BOOST_CHECK_EQUAL(world.batch.rejections[0].why.what, "the last line ends in a continuation, and nothing follows");

    stage.start_file();
    world.batch.forget_lines();
    world.show(std::string(Splitter::max_line + 1, 'x') + "\nroute add 10.0.0.1 dev eth0\n");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 2);
    BOOST_CHECK_EQUAL(world.batch.rejections[0].why.code, code::too_long);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[1].number, 2);
}
