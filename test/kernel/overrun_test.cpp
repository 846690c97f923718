// What the running kernel does to a receive buffer that is too small for the window, and to a fence; in a network
// namespace of its own.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <sys/socket.h>

#include <boost/test/unit_test.hpp>

#include "pipeline/flow.hpp"
#include "pipeline/request_socket.hpp"

using namespace nlstream;

namespace {

struct Namespace {
    Namespace() { BOOST_REQUIRE_MESSAGE(::unshare(CLONE_NEWNET) == 0, "a network namespace needs root"); }
};

struct Endings : Listener {
    std::vector<std::pair<u64, Outcome>> all;
    std::vector<int> errors;
    void ended(Ending const& ending) override {
        all.emplace_back(ending.number, ending.outcome);
        if (ending.answer) errors.push_back(ending.answer->error);
    }
};

/// Deletions of neighbours of a link that is not there: each is refused, with a text.
std::unique_ptr<Batch> refused_lines(u32 count) {
    auto batch = std::make_unique<Batch>();
    batch->last = true;
    for (u32 i = 0; i < count; ++i) {
        batch->messages.begin(RTM_DELNEIGH, NLM_F_REQUEST | NLM_F_ACK);
        auto& neighbour = batch->messages.fixed_header<ndmsg>();
        neighbour.ndm_family = AF_INET;
        neighbour.ndm_ifindex = 4711;
        batch->messages.put(NDA_DST, i);
        batch->messages.end();
        batch->lines.push_back({.number = i, .messages_end = i + 1});
    }
    batch->message_count = count;
    return batch;
}

void drive(Flow& flow, RequestSocket& socket, std::unique_ptr<Batch> batch) {
    for (;;) {
        switch (flow.step()) {
            case Flow::Step::send: flow.send_done(socket.send(flow.message())); break;
            case Flow::Step::receive:
                flow.receive_done(socket.receive([&](auto bytes) { flow.received(bytes); }));
                break;
            case Flow::Step::input: flow.input(std::move(batch)); break;
            case Flow::Step::finished: return;
            default: BOOST_FAIL("this kernel answers before sendmsg returns, and takes what is sent");
        }
    }
}

Flow::Options forced(u32 window, AckMode ack) {
    return {.window = {.limit = window, .stop_at_failure = false},
            .coalesce = window,
            .ack = ack,
            .max_send_bytes = 200'000};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(within_its_bound_no_answer_is_lost, Namespace) {
    for (u32 const window : {1u, 100u, 3000u}) {
        RequestSocket socket;
        auto const limits = socket.prepare(window);
        BOOST_REQUIRE_EQUAL(limits.window, window);
        BOOST_CHECK_GE(limits.receive_buffer, window * limits.answer_charge);
        Endings heard;
        Flow flow(forced(window, AckMode::each), heard);
        drive(flow, socket, refused_lines(3 * window));
        BOOST_CHECK_EQUAL(flow.account().lines[Outcome::failed], 3 * window);
        BOOST_CHECK_EQUAL(flow.counters().overruns, 0);
        BOOST_CHECK_EQUAL(flow.counters().most_in_flight, window);
    }
}

BOOST_FIXTURE_TEST_CASE(beyond_it_what_was_not_heard_is_unknown, Namespace) {
    RequestSocket socket;
    auto const limits = socket.prepare(1);
    int const few = static_cast<int>(limits.answer_charge) * 10 / 2;
    BOOST_REQUIRE_EQUAL(::setsockopt(socket.descriptor(), SOL_SOCKET, SO_RCVBUF, &few, sizeof few), 0);
    for (auto const ack : {AckMode::last, AckMode::each, AckMode::none}) {
        Endings heard;
        Flow flow(forced(500, ack), heard);
        drive(flow, socket, refused_lines(1200));
        auto const& lines = flow.account().lines;
        BOOST_CHECK_EQUAL(lines.all(), 1200);
        BOOST_CHECK_GT(lines[Outcome::failed], 10);
        BOOST_CHECK_GT(lines[Outcome::unknown], 1000);
        BOOST_CHECK_EQUAL(lines[Outcome::applied], 0);
        BOOST_CHECK_EQUAL(flow.counters().overruns, 3);
        BOOST_CHECK_EQUAL(flow.counters().fences, 3);
        for (std::size_t i = 0; i < heard.all.size(); ++i) BOOST_REQUIRE_EQUAL(heard.all[i].first, i + 1);
        for (auto const error : heard.errors) BOOST_REQUIRE_EQUAL(error, ENODEV);
    }
}

BOOST_FIXTURE_TEST_CASE(a_fence_is_answered_and_changes_nothing, Namespace) {
    RequestSocket socket;
    socket.prepare(1);
    nlmsghdr const fence{sizeof fence, NLMSG_NOOP, NLM_F_REQUEST | NLM_F_ACK, 99, 0};
    BOOST_REQUIRE_EQUAL(socket.send(std::as_bytes(std::span(&fence, 1))), 0);
    int answers = 0;
    auto const left = socket.receive([&](std::span<std::byte const> bytes) {
        auto const& message = *reinterpret_cast<nlmsghdr const*>(bytes.data());
        BOOST_CHECK_EQUAL(message.nlmsg_type, NLMSG_ERROR);
        BOOST_CHECK_EQUAL(message.nlmsg_seq, 99);
        auto const& error = *reinterpret_cast<nlmsgerr const*>(bytes.data() + sizeof message);
        BOOST_CHECK_EQUAL(error.error, 0);
        BOOST_CHECK_EQUAL(error.msg.nlmsg_type, NLMSG_NOOP);
        ++answers;
    });
    BOOST_CHECK_EQUAL(left, EAGAIN);
    BOOST_CHECK_EQUAL(answers, 1);
}

BOOST_FIXTURE_TEST_CASE(a_message_longer_than_the_send_buffer_fails_in_its_place, Namespace) {
    RequestSocket socket;
    socket.prepare(64);
    int const small = 1;
    BOOST_REQUIRE_EQUAL(::setsockopt(socket.descriptor(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
    auto batch = refused_lines(3);
    batch->messages.begin(RTM_DELNEIGH, NLM_F_REQUEST | NLM_F_ACK);
    batch->messages.fixed_header<ndmsg>();
    std::vector<std::byte> const much(60'000);
    batch->messages.put(NDA_DST, much.data(), much.size());
    batch->messages.end();
    batch->lines.push_back({.number = 3, .messages_end = 4});
    batch->message_count = 4;
    Endings heard;
    Flow flow(forced(64, AckMode::last), heard);
    drive(flow, socket, std::move(batch));
    BOOST_CHECK((heard.errors == std::vector<int>{ENODEV, ENODEV, ENODEV, EMSGSIZE}));
}
