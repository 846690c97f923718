#include "pipeline/flow.hpp"

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <set>

#include "fake_kernel.hpp"

using namespace nlstream;
using namespace nlstream::test;

namespace {

Flow::Options options(u32 window, u32 coalesce, AckMode ack, bool stop = true) {
    return {.window = {.limit = window, .stop_at_failure = stop}, .coalesce = coalesce, .ack = ack};
}

void check(Endings const& heard, std::vector<Endings::Ended> const& expected) {
    BOOST_CHECK_EQUAL_COLLECTIONS(heard.all.begin(), heard.all.end(), expected.begin(), expected.end());
}

u64 of(Flow const& flow, Outcome outcome) { return flow.account().lines[outcome]; }

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_comes_of_nothing) {
    Endings heard;
    FakeKernel kernel;
    Flow flow(options(256, 64, AckMode::last), heard);
    auto const run = drive(flow, kernel, Lines().take());
    BOOST_CHECK_EQUAL(flow.account().lines.all(), 0);
    BOOST_CHECK_EQUAL(run.settled.size(), 1);
    BOOST_CHECK(kernel.messages_per_send.empty());
}

BOOST_AUTO_TEST_CASE(one_ack_a_send) {
    Endings heard;
    FakeKernel kernel;
    Flow flow(options(256, 64, AckMode::last), heard);
    Lines lines;
    for (int i = 0; i < 150; ++i) lines.line();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 150);
    BOOST_CHECK((kernel.messages_per_send == std::vector<u32>{64, 64, 22}));
    BOOST_CHECK_EQUAL(kernel.acks_asked, 3);
    BOOST_CHECK_EQUAL(kernel.fences, 0);
    BOOST_CHECK_EQUAL(kernel.waits, 0);
}

BOOST_AUTO_TEST_CASE(an_ack_for_each) {
    Endings heard;
    FakeKernel kernel;
    Flow flow(options(8, 4, AckMode::each), heard);
    Lines lines;
    for (int i = 0; i < 20; ++i) lines.line();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(kernel.acks_asked, 20);
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 20);
}

BOOST_AUTO_TEST_CASE(no_acks_but_when_the_window_is_full_and_at_the_end) {
    Endings heard;
    FakeKernel kernel;
    Flow flow(options(100, 30, AckMode::none), heard);
    Lines lines;
    for (int i = 0; i < 250; ++i) lines.line();
    drive(flow, kernel, lines.take());
    // 30 30 30 10 fill the window, twice; 50 are left, and a fence.
    BOOST_CHECK((kernel.messages_per_send == std::vector<u32>{30, 30, 30, 10, 30, 30, 30, 10, 30, 20, 0}));
    BOOST_CHECK_EQUAL(kernel.acks_asked, 3);
    BOOST_CHECK_EQUAL(kernel.fences, 1);
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 250);
    BOOST_CHECK_EQUAL(flow.counters().most_in_flight, 100);
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_waited_for_is_settled_without_acks_too) {
    Endings heard;
    FakeKernel kernel;
    Flow flow(options(100, 30, AckMode::none), heard);
    Lines lines;
    lines.line().line().next_batch().line();
    auto input = lines.take();
    input.front()->settle = true;
    drive(flow, kernel, std::move(input));
    BOOST_CHECK((kernel.messages_per_send == std::vector<u32>{2, 0, 1, 0}));
}

BOOST_AUTO_TEST_CASE(late_answers_do_not_hold_up_what_the_window_has_room_for) {
    Endings heard;
    FakeKernel kernel;
    kernel.late = true;
    Flow flow(options(6, 2, AckMode::last), heard);
    Lines lines;
    for (int i = 0; i < 10; ++i) lines.line().next_batch();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 10);
    BOOST_CHECK_EQUAL(flow.counters().most_in_flight, 6);
    BOOST_CHECK_GE(kernel.waits, 2);
}

BOOST_AUTO_TEST_CASE(a_stop_with_a_full_window) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [](Request request) { return request.line == 5 || request.line == 7 ? EEXIST : 0; };
    Flow flow(options(8, 8, AckMode::last), heard);
    Lines lines;
    for (int i = 0; i < 20; ++i) lines.line();
    auto const run = drive(flow, kernel, lines.take());
    check(heard, {{5, Outcome::failed, EEXIST},
                  {7, Outcome::failed, EEXIST},
                  {9, Outcome::unsent},
                  {10, Outcome::unsent},
                  {11, Outcome::unsent},
                  {12, Outcome::unsent},
                  {13, Outcome::unsent},
                  {14, Outcome::unsent},
                  {15, Outcome::unsent},
                  {16, Outcome::unsent},
                  {17, Outcome::unsent},
                  {18, Outcome::unsent},
                  {19, Outcome::unsent},
                  {20, Outcome::unsent}});
    auto const& account = flow.account();
    BOOST_CHECK_EQUAL(account.lines[Outcome::applied], 6);
    BOOST_CHECK((account.first_failure == Place{"rules", 5}));
    BOOST_CHECK_EQUAL(account.applied_after_failure, 2);
    BOOST_CHECK((account.last_sent == Place{"rules", 8}));
    BOOST_CHECK((flow.resume_at() == Place{"rules", 9}));
    BOOST_CHECK(run.settled.back()->stopped);
}

BOOST_AUTO_TEST_CASE(window_one_stops_exactly) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [](Request request) { return request == Request{2, 1} ? EINVAL : 0; };
    Flow flow(options(1, 64, AckMode::last), heard);
    Lines lines;
    lines.line().line(3).line();
    drive(flow, kernel, lines.take());
    BOOST_CHECK((kernel.applied == std::vector<Request>{{1, 0}, {2, 0}}));
    check(heard, {{2, Outcome::failed, EINVAL, 1}, {3, Outcome::unsent}});
}

BOOST_AUTO_TEST_CASE(a_line_begun_before_the_stop_is_finished) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [](Request request) { return request.line == 1 ? EEXIST : 0; };
    Flow flow(options(2, 2, AckMode::last), heard);
    Lines lines;
    lines.line().line(4).line();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(kernel.applied.size(), 4);
    check(heard, {{1, Outcome::failed, EEXIST}, {3, Outcome::unsent}});
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 1);
}

BOOST_AUTO_TEST_CASE(a_rejected_line_takes_its_place) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [](Request request) { return request.line == 2 ? EEXIST : 0; };
    Lines forced;
    forced.line().line().rejected().line().rejected();
    Flow on(options(64, 64, AckMode::last, false), heard);
    drive(on, kernel, forced.take());
    check(heard, {{2, Outcome::failed, EEXIST}, {3, Outcome::rejected}, {5, Outcome::rejected}});

    // The stop at a rejected line does not hide an earlier failure that is heard of later.
    heard.all.clear();
    Lines stopping;
    stopping.line().line().rejected().line();
    Flow off(options(64, 64, AckMode::last), heard);
    drive(off, kernel, stopping.take());
    check(heard, {{2, Outcome::failed, EEXIST}, {3, Outcome::rejected}, {4, Outcome::unsent}});
    BOOST_CHECK((off.account().first_failure == Place{"rules", 2}));
}

BOOST_AUTO_TEST_CASE(what_is_gone_already_is_flushed) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [](Request request) { return request.line == 1 ? ENOENT : 0; };
    Flow flow(options(64, 64, AckMode::last), heard);
    Lines lines;
    lines.flush(3).line();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 2);
    BOOST_CHECK(heard.all.empty());
}

BOOST_AUTO_TEST_CASE(lost_answers_are_unknown_and_nothing_is_guessed) {
    Endings heard;
    FakeKernel kernel;
    kernel.capacity = 2;
    kernel.answer_to = [](Request request) { return request.line % 2 == 0 ? EEXIST : 0; };
    Flow flow(options(8, 8, AckMode::last, false), heard);
    Lines lines;
    for (int i = 0; i < 10; ++i) lines.line();
    drive(flow, kernel, lines.take());
    // Of the first eight, the refusals of 2 and 4 were heard. The fence then shows that no more will come.
    check(heard, {{1, Outcome::unknown},
                  {2, Outcome::failed, EEXIST},
                  {3, Outcome::unknown},
                  {4, Outcome::failed, EEXIST},
                  {5, Outcome::unknown},
                  {6, Outcome::unknown},
                  {7, Outcome::unknown},
                  {8, Outcome::unknown},
                  {10, Outcome::failed, EEXIST}});
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 1);
    BOOST_CHECK_EQUAL(kernel.fences, 1);
    BOOST_CHECK_EQUAL(flow.counters().overruns, 1);
}

BOOST_AUTO_TEST_CASE(an_answer_to_the_very_message_is_trusted_after_an_overrun) {
    Endings heard;
    FakeKernel kernel;
    kernel.capacity = 4;
    Flow flow(options(8, 8, AckMode::each, false), heard);
    Lines lines;
    for (int i = 0; i < 8; ++i) lines.line();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 4);
    BOOST_CHECK_EQUAL(of(flow, Outcome::unknown), 4);
}

BOOST_AUTO_TEST_CASE(a_send_that_cannot_be_made_now_is_made_later) {
    for (int const fault : {EINTR, EAGAIN, ENOBUFS, ENOMEM}) {
        Endings heard;
        FakeKernel kernel;
        int faults = 3;
        kernel.send_fault = [&] { return faults-- > 0 ? fault : 0; };
        Flow flow(options(4, 4, AckMode::last), heard);
        Lines lines;
        for (int i = 0; i < 6; ++i) lines.line();
        drive(flow, kernel, lines.take());
        BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 6);
        BOOST_CHECK_EQUAL(kernel.applied.size(), 6);
        BOOST_CHECK(flow.failure().empty());
    }
}

BOOST_AUTO_TEST_CASE(a_send_that_can_never_be_made_ends_the_stream) {
    for (int const fault : {EPERM, ENOBUFS}) {
        Endings heard;
        FakeKernel kernel;
        int good = 1;
        kernel.send_fault = [&] { return good-- > 0 ? 0 : fault; };
        Flow flow(options(4, 4, AckMode::last), heard);
        Lines lines;
        for (int i = 0; i < 6; ++i) lines.line();
        drive(flow, kernel, lines.next_batch().line().take());
        BOOST_CHECK(!flow.failure().empty());
        BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 4);
        BOOST_CHECK_EQUAL(of(flow, Outcome::unsent), 3);
    }
}

BOOST_AUTO_TEST_CASE(a_receive_that_fails_for_good_leaves_what_is_in_flight_unknown) {
    Endings heard;
    FakeKernel kernel;
    kernel.receive_fault = [] { return EIO; };
    Flow flow(options(4, 4, AckMode::last), heard);
    Lines lines;
    lines.line().line(2).rejected();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(of(flow, Outcome::unknown), 2);
    BOOST_CHECK(!flow.failure().empty());
}

BOOST_AUTO_TEST_CASE(sends_shrink_to_what_the_buffer_takes) {
    Endings heard;
    FakeKernel kernel;
    kernel.max_send = 60;  // two messages of 24 bytes
    Flow flow(options(64, 64, AckMode::last), heard);
    Lines lines;
    for (int i = 0; i < 9; ++i) lines.line();
    drive(flow, kernel, lines.take());
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 9);
    for (auto const messages : kernel.messages_per_send) BOOST_CHECK_LE(messages, 2);
}

BOOST_AUTO_TEST_CASE(a_message_that_never_fits_fails_in_its_place) {
    Endings heard;
    FakeKernel kernel;
    kernel.max_send = 23;
    Flow flow(options(64, 64, AckMode::last, false), heard);
    drive(flow, kernel, Lines().line().rejected().line().take());
    check(heard, {{1, Outcome::failed, EMSGSIZE}, {2, Outcome::rejected}, {3, Outcome::failed, EMSGSIZE}});
}

BOOST_AUTO_TEST_CASE(sequence_numbers_go_round) {
    for (u32 const first : {0xfffffffcu, 0xffffffffu, 0u, 1u}) {
        Endings heard;
        FakeKernel kernel;
        kernel.answer_to = [](Request request) { return request.line == 6 ? EEXIST : 0; };
        auto wrapping = options(4, 3, AckMode::last, false);
        wrapping.window.first_sequence = first;
        Flow flow(wrapping, heard);
        Lines lines;
        for (int i = 0; i < 12; ++i) lines.line();
        drive(flow, kernel, lines.take());
        BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 11);
        check(heard, {{6, Outcome::failed, EEXIST}});
    }
}

BOOST_AUTO_TEST_CASE(strays_are_passed_over) {
    Endings heard;
    FakeKernel kernel;
    Flow flow(options(4, 4, AckMode::last), heard);
    struct {
        nlmsghdr head{sizeof(nlmsghdr) + sizeof(nlmsgerr), NLMSG_ERROR, 0, 77, 0};
        nlmsgerr error{-EEXIST, {}};
    } stray;
    stray.error.msg.nlmsg_seq = 77;
    auto const bytes = std::as_bytes(std::span(&stray, 1));
    drive(
        flow, kernel, Lines().line().line().take(), [] { return true; },
        [&](u32) {
            flow.received(bytes);
            flow.received(bytes.first(20));
        });
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 2);
}

BOOST_AUTO_TEST_CASE(each_rejection_is_told_with_its_own_reason) {
    struct Reasons : Listener {
        std::vector<std::string> all;
        void ended(Ending const& ending) override { all.push_back(ending.rejection->why.what); }
    } reasons;
    FakeKernel kernel;
    Flow flow(options(64, 64, AckMode::last, false), reasons);
    Lines lines;
    lines.line().rejected().rejected().next_batch().rejected().line().rejected();
    drive(flow, kernel, lines.take());
    BOOST_CHECK((reasons.all == std::vector<std::string>{"wrong 2", "wrong 3", "wrong 4", "wrong 6"}));
}

BOOST_AUTO_TEST_CASE(a_stop_settles_what_is_in_flight_before_more_input_is_waited_for) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [](Request request) { return request.line == 1 ? EEXIST : 0; };
    Flow flow(options(64, 64, AckMode::none), heard);
    Lines lines;
    auto input = lines.line().line().line().next_batch().line().take();
    flow.input(std::move(input.front()));
    Flow::Step step;
    while ((step = flow.step()) != Flow::Step::input) {
        if (step == Flow::Step::send) flow.send_done(kernel.send(flow.message()));
        if (step == Flow::Step::receive) flow.receive_done(kernel.receive([&](auto bytes) { flow.received(bytes); }));
    }
    BOOST_CHECK(flow.stopped());
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 2);
    BOOST_CHECK(flow.take_settled() != nullptr);
}

BOOST_AUTO_TEST_CASE(a_line_in_parts_counts_once) {
    for (bool const fails : {false, true}) {
        Endings heard;
        FakeKernel kernel;
        kernel.answer_to = [&](Request request) { return fails && request.line == 2 ? EBUSY : 0; };
        Flow flow(options(64, 64, AckMode::last, false), heard);
        Lines lines;
        lines.line().part(2);
        if (!fails) lines.next_batch().part(2).next_batch().line();
        auto const run = drive(flow, kernel, lines.take());
        BOOST_CHECK_EQUAL(run.settled.front()->last_line_failed, fails);
        BOOST_CHECK_EQUAL(flow.account().lines.all(), 2);
        BOOST_CHECK_EQUAL(of(flow, Outcome::applied), fails ? 1 : 2);
    }
}
