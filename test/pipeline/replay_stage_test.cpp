#include "pipeline/replay_stage.hpp"

#include <linux/rtnetlink.h>

#include <boost/test/unit_test.hpp>

using namespace nlstream;
using Step = Stage::Step;

namespace {

/// A message with `payload` bytes behind its head.
std::string message(u16 type, u16 flags, std::size_t payload) {
    nlmsghdr const head{.nlmsg_len = static_cast<u32>(sizeof head + payload),
                        .nlmsg_type = type,
                        .nlmsg_flags = flags,
                        .nlmsg_seq = 0,
                        .nlmsg_pid = 0};
    std::string out(reinterpret_cast<char const*>(&head), sizeof head);
    for (std::size_t i = 0; i < payload; ++i) out += static_cast<char>('a' + i % 26);
    out.resize(NLMSG_ALIGN(out.size()));
    return out;
}

constexpr u16 request = NLM_F_REQUEST | NLM_F_ACK;

struct World {
    Batch batch;
    std::size_t position = 0;
    void show(std::string_view text) {
        batch.text.assign(text.begin(), text.end());
        batch.text_size = text.size();
        position = 0;
    }
    std::string sent() const {
        auto const bytes = batch.messages.bytes();
        return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
    }
};

std::string why_not(ReplayStage& stage, World& world) {
    try {
        stage.encode(world.batch, world.position, true);
        stage.end_file();
    } catch (BadFile const& error) {
        return error.what();
    }
    return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_are_taken_as_they_are) {
    // One whose length is no multiple of four, and the longest one.
    std::string text = message(RTM_NEWROUTE, request, 12) + message(RTM_DELROUTE, request, 13) +
                       message(RTM_SETLINK, request, MessageBuffer::max_length - NLMSG_ALIGNTO - sizeof(nlmsghdr));
    World world;
    ReplayStage stage(true);
    world.show(text);
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_CHECK(world.sent() == text);
    BOOST_CHECK_EQUAL(world.position, text.size());
    BOOST_CHECK_EQUAL(world.batch.message_count, 3);
    BOOST_REQUIRE_EQUAL(world.batch.lines.size(), 3);
    BOOST_CHECK_EQUAL(world.batch.raw(world.batch.lines[1]), std::string_view(text).substr(28, 29));
    BOOST_CHECK_EQUAL(world.batch.lines[2].messages_end, 3);
    stage.end_file();
}

BOOST_AUTO_TEST_CASE(a_message_may_come_in_pieces) {
    auto const one = message(RTM_NEWROUTE, request, 12);
    for (std::size_t cut = 0; cut < one.size(); ++cut) {
        World world;
        ReplayStage stage(true);
        world.show(one + one.substr(0, cut));
        BOOST_CHECK(stage.encode(world.batch, world.position, false) == Step::out_of_text);
        BOOST_CHECK_EQUAL(world.position, one.size());
        BOOST_CHECK_EQUAL(world.batch.message_count, 1);
        world.batch.forget_lines();
        world.show(one);
        BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
        BOOST_CHECK_EQUAL(world.batch.first_number + world.batch.lines.at(0).number, 2);
    }
}

BOOST_AUTO_TEST_CASE(a_batch_that_holds_enough_is_full) {
    std::string text;
    while (text.size() < 400'000) text += message(RTM_NEWROUTE, request, 12);
    World world;
    ReplayStage stage(true);
    world.show(text);
    u64 messages = 0;
    Step step;
    while ((step = stage.encode(world.batch, world.position, true)) == Step::full) {
        BOOST_CHECK_LT(world.batch.messages.size(), Stage::enough + 100);
        messages += world.batch.message_count;
        world.batch.forget_lines();
    }
    BOOST_CHECK(step == Step::out_of_text);
    BOOST_CHECK_EQUAL(messages + world.batch.message_count, text.size() / 28);
}

BOOST_AUTO_TEST_CASE(what_changes_nothing_is_rejected) {
    auto const good = message(RTM_NEWROUTE, request, 12);
    for (auto const& bad : {message(RTM_GETROUTE, request | NLM_F_DUMP, 12), message(NLMSG_NOOP, request, 0),
                            message(RTM_NEWROUTE, NLM_F_ACK, 12)}) {
        World world;
        ReplayStage stop(true), go_on(false);
        world.show(good + bad + good);
        BOOST_CHECK(stop.encode(world.batch, world.position, true) == Step::rejected);
        BOOST_CHECK_EQUAL(world.batch.lines.size(), 2);
        BOOST_CHECK(world.batch.lines.back().rejected);
        world.batch.forget_lines();
        world.position = 0;
        BOOST_CHECK(go_on.encode(world.batch, world.position, true) == Step::out_of_text);
        BOOST_CHECK_EQUAL(world.batch.message_count, 2);
        BOOST_REQUIRE_EQUAL(world.batch.rejections.size(), 1);
        BOOST_CHECK_EQUAL(world.batch.rejections[0].why.what, "the message is no request to change something");
        BOOST_CHECK(world.sent() == good + good);
    }
}

BOOST_AUTO_TEST_CASE(an_echo_is_not_asked_for) {
    World world;
    ReplayStage stage(true);
    world.show(message(RTM_NEWROUTE, request | NLM_F_ECHO, 12));
    stage.encode(world.batch, world.position, true);
    BOOST_CHECK(world.sent() == message(RTM_NEWROUTE, request, 12));
}

BOOST_AUTO_TEST_CASE(damage_is_said_in_its_place) {
    auto const good = message(RTM_NEWROUTE, request, 12);
    std::string const damage = ": this is no file of netlink messages, or it is damaged";
    struct {
        std::string text, why;
    } const cases[] = {
        {good + good.substr(0, 27), "message 2 is cut off"},
        {good + good.substr(0, 15), "message 2 is cut off"},
        {message(RTM_NEWROUTE, request, 13).substr(0, 29), "message 1 is cut off"},
        {good + std::string(16, '\0'), "message 2 would be 0 bytes long" + damage},
        {"route add 10.0.0.1 dev lo\n", "message 1 would be 1953853298 bytes long" + damage},
    };
    for (auto const& [text, why] : cases) {
        World world;
        ReplayStage stage(true);
        world.show(text);
        BOOST_CHECK_EQUAL(why_not(stage, world), why);
        BOOST_CHECK_EQUAL(world.batch.lines.size(), text.starts_with(good) ? 1 : 0);
    }
}

BOOST_AUTO_TEST_CASE(a_file_may_be_started_at_a_later_message) {
    auto const one = message(RTM_NEWROUTE, request, 12), two = message(RTM_DELROUTE, request, 12);
    for (u64 const from : {1u, 2u, 3u, 4u}) {
        World world;
        ReplayStage stage(true);
        stage.start_file(from);
        world.show(one + two);
        BOOST_CHECK_EQUAL(why_not(stage, world),
                          from < 4 ? "" : "it has only 2 messages, and was to be started at number 4");
        BOOST_CHECK(world.sent() == (from == 1 ? one + two : from == 2 ? two : ""));
    }
}

BOOST_AUTO_TEST_CASE(after_a_stop_messages_are_counted) {
    auto const one = message(RTM_NEWROUTE, request, 12);
    World world;
    ReplayStage stage(true);
    stage.give_up();
    world.show(one + one);
    BOOST_CHECK(stage.encode(world.batch, world.position, true) == Step::out_of_text);
    BOOST_CHECK(world.batch.given_up);
    BOOST_CHECK_EQUAL(world.batch.lines.size(), 2);
    BOOST_CHECK_EQUAL(world.batch.message_count, 0);
}
