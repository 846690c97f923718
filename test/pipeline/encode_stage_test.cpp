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
    EncodeStage stage(world.encoder, {});
    world.show("# a comment\n\nroute add 10.0.0.1 dev eth0\n  \nroute add 10.0.0.2 \\\n dev eth0\nroute add 10.0");
    BOOST_CHECK(stage.encode(world.batch, world.position, false) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 2);
    BOOST_CHECK_EQUAL(world.batch.message_count, 2);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[0].number, 3);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[1].number, 5);
    BOOST_CHECK_EQUAL(world.batch.raw(world.batch.lines[1]), "route add 10.0.0.2 \\\n dev eth0");
    BOOST_CHECK(world.batch.lines[1].continued);
    // The line that is not whole yet is left for the next batch.
    BOOST_CHECK_EQUAL(std::string_view(world.batch.text.data(), world.batch.text_size).substr(world.position), "route add 10.0");

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
    EncodeStage stop(stopping.encoder, {});
    stopping.show(text);
    BOOST_CHECK(stop.encode(stopping.batch, stopping.position, true) == Step::rejected);
    BOOST_CHECK_EQUAL(stopping.batch.lines.size(), 2);
    BOOST_CHECK(stopping.batch.lines[1].rejected);

    World going;
    EncodeStage go(going.encoder, {.stop_at_rejection = false});
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
    EncodeStage stage(world.encoder, {});
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
    EncodeStage stage(world.encoder, {});
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
    EncodeStage stage(world.encoder, {.stop_at_rejection = false});
    world.show("route add 10.0.0.1 \\\n");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.rejections.size(), 1);
    BOOST_CHECK_EQUAL(world.batch.rejections[0].why.what, "the last line ends in a continuation, and nothing follows");

    stage.start_file(1);
    world.batch.forget_lines();
    world.show(std::string(Splitter::max_line + 1, 'x') + "\nroute add 10.0.0.1 dev eth0\n");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 2);
    BOOST_CHECK_EQUAL(world.batch.rejections[0].why.code, code::too_long);
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[1].number, 2);
}

BOOST_AUTO_TEST_CASE(a_file_may_be_started_at_a_later_line) {
    constexpr std::string_view text = "nonsense\nroute add 10.0.0.1 \\\n dev eth0\n\nroute add 10.0.0.2 dev eth0\n";
    for (u64 const from : {2u, 4u, 5u, 6u}) {
        World world;
        EncodeStage stage(world.encoder, {});
        stage.start_file(from);
        world.show(text);
        BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
        BOOST_CHECK_EQUAL(world.batch.lines.size(), from == 2 ? 2 : from == 6 ? 0 : 1);
        stage.end_file();
    }
    for (u64 const from : {3u, 7u}) {
        World world;
        EncodeStage stage(world.encoder, {});
        stage.start_file(from);
        world.show(text);
        BOOST_CHECK_THROW(
            {
                stage.encode(world.batch, world.position, true);
                stage.end_file();
            },
            NoSuchLine);
    }
}

BOOST_AUTO_TEST_CASE(line_markers_name_the_generators_lines) {
    World world;
    EncodeStage stage(world.encoder, {.stop_at_rejection = false});
    auto const origins = [&](std::string_view text) {
        world.batch.forget_lines();
        world.show(text);
        BOOST_CHECK(stage.encode(world.batch, world.position, false) == Step::out_of_text);
        std::string out;
        for (auto const& line : world.batch.lines) {
            auto const origin = world.batch.origin(line);
            out += origin ? std::string(origin->file) + ':' + std::to_string(origin->line) + ' ' : "none ";
        }
        return out;
    };
    BOOST_CHECK_EQUAL(origins("x\n# 63 \"fireqos.conf\"\nx\n\nx\n# 63 of them\nx\n#line 7\nx\n"),
                      "none fireqos.conf:63 fireqos.conf:65 fireqos.conf:67 fireqos.conf:7 ");
    // The last one holds in the next batch, too.
    BOOST_CHECK_EQUAL(origins("x\n# 1 \"a \\\"b\" 1 3\nx\n"), "fireqos.conf:8 a \\\"b:1 ");
    BOOST_CHECK_EQUAL(origins("x\n"), "a \\\"b:2 ");
    stage.start_file(1);
    BOOST_CHECK_EQUAL(origins("#line 7\nx\n# 5 \"\"\nx\n#line7 \"y\"\nx\n # 8 \"y\"\nx\n"), "none none none none ");
}

BOOST_AUTO_TEST_CASE(after_a_stop_lines_are_found_and_not_encoded) {
    World world;
    EncodeStage stage(world.encoder, {});
    world.show("link add br0 type bridge\naddress add 10.0.0.1/24 dev br0\n# none\nnonsense\n");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::barrier);
    stage.settled(false);
    world.batch.forget_lines();
    stage.give_up();
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_CHECK(world.batch.given_up);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 2);
    BOOST_CHECK_EQUAL(world.batch.message_count, 0);
    BOOST_CHECK_EQUAL(world.batch.raw(world.batch.lines[0]), "address add 10.0.0.1/24 dev br0");
    BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines[1].number, 4);
}

BOOST_AUTO_TEST_CASE(a_delete_on_a_missing_link_may_be_expected) {
    World world;
    SecondLook second_look(world.files, {.tool = Tool::ip});
    EncodeStage stage(world.encoder, {.absences = &second_look});
    world.show("link delete gone\nroute delete 10.0.0.1 dev gone\nlink set gone up\n");
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::rejected);
    BOOST_CHECK((world.batch.absent_objects == std::vector<std::string_view>{"link", "route"}));
    BOOST_CHECK(world.batch.lines[0].absent && world.batch.lines[1].absent && world.batch.lines[2].rejected);
}

BOOST_AUTO_TEST_CASE(many_descriptors_wait_until_others_are_closed) {
    World world;
    world.files.programs["/pinned"] = 9;
    std::string lines;
    for (int i = 0; i < 600; ++i) lines += "route add 10.0.0.1 dev eth0 encap bpf in pinned /pinned\n";
    EncodeStage stage(world.encoder, {});
    world.show(lines);
    std::vector<std::size_t> kept;
    while (stage.encode(world.batch, world.position, true) == Step::barrier) {
        kept.push_back(world.batch.kept.size());
        world.batch.forget_lines();
        stage.settled(false);
    }
    BOOST_TEST(kept == (std::vector<std::size_t>{256, 256}), boost::test_tools::per_element());
    BOOST_TEST(world.batch.kept.size() == 88u);
}
