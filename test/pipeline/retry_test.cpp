// Refusals that are expected, and refusals for now.
#include <linux/rtnetlink.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <set>

#include "fake_kernel.hpp"

using namespace nlstream;
using namespace nlstream::test;

namespace {

Flow::Options options(u32 window, u32 retries, bool stop = true, std::vector<std::string_view> const& ignored = {}) {
    Expected expected;
    for (auto const word : ignored) BOOST_REQUIRE_MESSAGE(expected.add(word), word);
    return {.window = {.limit = window, .stop_at_failure = stop, .retries = retries, .expected = expected},
            .coalesce = window,
            .ack = AckMode::last};
}

void check(Endings const& heard, std::vector<Endings::Ended> const& expected) {
    BOOST_CHECK_EQUAL_COLLECTIONS(heard.all.begin(), heard.all.end(), expected.begin(), expected.end());
}

u64 of(Flow const& flow, Outcome outcome) { return flow.account().lines[outcome]; }

/// The requests that were applied, in order, by line.
std::vector<u32> applied_lines(FakeKernel const& kernel) {
    std::vector<u32> lines;
    for (auto const& request : kernel.applied) lines.push_back(request.line);
    return lines;
}

Answer answer(int error, std::string text = {}) {
    Answer made;
    made.error = error;
    made.text = std::move(text);
    return made;
}

RequestKind request(u16 type, u16 flags) {
    nlmsghdr const head{
        .nlmsg_len = sizeof head, .nlmsg_type = type, .nlmsg_flags = flags, .nlmsg_seq = 0, .nlmsg_pid = 0};
    return kind_of(std::as_bytes(std::span(&head, 1)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(words_of_what_is_expected) {
    Expected expected;
    BOOST_CHECK(expected.add("EBUSY"));
    BOOST_CHECK(expected.add("17"));
    BOOST_CHECK(expected.add("EWOULDBLOCK"));
    for (char const* word : {"", "busy", "ebusy", "EBUS", "0", "-16", "4096", "16x", "EBUSY "})
        BOOST_CHECK_MESSAGE(!expected.add(word), word);
    auto const add = request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL);
    for (int const error : {EBUSY, EEXIST, EAGAIN}) BOOST_CHECK(expected.covers(answer(error), add));
    BOOST_CHECK(!expected.covers(answer(ENOENT), add));
}

BOOST_AUTO_TEST_CASE(exists_is_for_what_adds) {
    Expected expected;
    expected.add("exists");
    BOOST_CHECK(expected.covers(answer(EEXIST), request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL)));
    BOOST_CHECK(expected.covers(answer(EEXIST), request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_APPEND)));
    BOOST_CHECK(!expected.covers(answer(EEXIST), request(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE)));
    BOOST_CHECK(!expected.covers(answer(EEXIST), request(RTM_NEWLINK, 0)));
    BOOST_CHECK(!expected.covers(answer(ENOENT), request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL)));
    BOOST_CHECK(!expected.covers(answer(EEXIST), request(RTM_DELROUTE, NLM_F_CREATE)));
}

BOOST_AUTO_TEST_CASE(missing_is_for_what_deletes) {
    Expected expected;
    expected.add("missing");
    for (int const error : {ENOENT, ESRCH, ENODEV, EADDRNOTAVAIL}) {
        BOOST_CHECK(expected.covers(answer(error), request(RTM_DELADDR, 0)));
        BOOST_CHECK(!expected.covers(answer(error), request(RTM_NEWADDR, NLM_F_CREATE)));
    }
    BOOST_CHECK(!expected.covers(answer(EINVAL), request(RTM_DELTFILTER, 0)));
    BOOST_CHECK(!expected.covers(answer(EINVAL, "Invalid handle"), request(RTM_DELTFILTER, 0)));
    BOOST_CHECK(expected.covers(answer(EINVAL, "Invalid handle"), request(RTM_DELQDISC, 0)));
    BOOST_CHECK(expected.covers(answer(EINVAL, "Parent Qdisc doesn't exists."), request(RTM_DELTFILTER, 0)));
    BOOST_CHECK(expected.covers(answer(EINVAL), request(RTM_DELMDB, 0)));
    BOOST_CHECK(!expected.covers(answer(EINVAL, "Net device is not a bridge port"), request(RTM_DELMDB, 0)));
    BOOST_CHECK(!expected.covers(answer(EBUSY), request(RTM_DELLINK, 0)));
}

BOOST_AUTO_TEST_CASE(what_is_expected_neither_stops_nor_fails) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [](Request request) {
        return request.line == 2 ? EEXIST : request.line == 3 ? ESRCH : request.line == 4 ? EPERM : 0;
    };
    Flow flow(options(64, 0, true, {"exists", "missing", "EPERM"}), heard);
    drive(flow, kernel, Lines().adds().adds().deletes().line().absent().adds().take());
    check(heard, {{2, Outcome::ignored, EEXIST},
                  {3, Outcome::ignored, ESRCH},
                  {4, Outcome::ignored, EPERM},
                  {5, Outcome::ignored, ENODEV}});
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 2);
    BOOST_CHECK(!flow.stopped());
    BOOST_CHECK(!flow.account().first_failure);
    BOOST_CHECK(
        (flow.account().ignored ==
         std::vector<Ignored>{{EEXIST, "route", 1}, {ESRCH, "route", 1}, {EPERM, "neigh", 1}, {ENODEV, "link", 1}}));
}

BOOST_AUTO_TEST_CASE(a_line_that_is_ignored_in_part_counts_once) {
    Endings heard;
    FakeKernel kernel;
    // The second line is refused for more than one reason, the third in a way that was not expected, too.
    kernel.answer_to = [](Request request) {
        return request.line == 4 || request.part == 3 ? 0 : request.line == 3 && request.part == 1 ? EINVAL : EEXIST;
    };
    Flow flow(options(64, 0, false, {"exists"}), heard);
    drive(flow, kernel, Lines().adds(4).adds(2).adds(3).adds(1).take());
    check(heard, {{1, Outcome::ignored, EEXIST}, {2, Outcome::ignored, EEXIST}, {3, Outcome::failed, EINVAL, 1}});
    BOOST_CHECK((flow.account().ignored == std::vector<Ignored>{{EEXIST, "route", 2}}));
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 1);
}

BOOST_AUTO_TEST_CASE(a_refusal_for_now_is_tried_again_and_what_follows_waits) {
    for (auto const window : {1u, 3u, 64u}) {
        Endings heard;
        FakeKernel kernel;
        kernel.answer_to = [&](Request request) {
            return request.line == 2 && kernel.attempts[request] < 4 ? EBUSY : 0;
        };
        Flow flow(options(window, 3), heard);
        Lines lines;
        for (int i = 0; i < 8; ++i) lines.line();
        auto const run = drive(flow, kernel, lines.take());
        check(heard, {});
        BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 8);
        BOOST_CHECK_EQUAL(flow.account().retries, 3);
        BOOST_CHECK_EQUAL(run.paused_ms, 10 + 20 + 40);
        // What had not been sent yet came after it.
        auto const lines_applied = applied_lines(kernel);
        auto const at = static_cast<std::size_t>(std::ranges::find(lines_applied, 2u) - lines_applied.begin());
        BOOST_CHECK_EQUAL(at, window == 1 ? 1 : window == 3 ? 2 : 7);
    }
}

BOOST_AUTO_TEST_CASE(after_the_last_attempt_the_line_has_failed) {
    for (bool const stop : {true, false}) {
        Endings heard;
        FakeKernel kernel;
        kernel.answer_to = [&](Request request) { return request.line == 2 ? EAGAIN : 0; };
        Flow flow(options(4, 5, stop), heard);
        Lines lines;
        for (int i = 0; i < 6; ++i) lines.line();
        drive(flow, kernel, lines.take());
        BOOST_CHECK_EQUAL((kernel.attempts[{2, 0}]), 6);
        if (stop)
            check(heard, {{2, Outcome::failed, EAGAIN}, {5, Outcome::unsent}, {6, Outcome::unsent}});
        else
            check(heard, {{2, Outcome::failed, EAGAIN}});
    }
}

BOOST_AUTO_TEST_CASE(a_pause_is_never_longer_than_a_second) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [&](Request) { return ENOBUFS; };
    Flow flow(options(4, 12), heard);
    auto const run = drive(flow, kernel, Lines().line().take());
    BOOST_CHECK_EQUAL(run.paused_ms, 10 + 20 + 40 + 80 + 160 + 320 + 640 + 5 * 1000);
}

BOOST_AUTO_TEST_CASE(what_was_refused_for_lack_of_the_line_before_is_tried_in_its_turn) {
    Endings heard;
    FakeKernel kernel;
    std::set<u32> there;
    // 3 needs 2, 4 needs 3; 5 is wrong in any case.
    kernel.answer_to = [&](Request request) {
        if (request.line == 5) return EINVAL;
        if (request.line == 2 && kernel.attempts[request] < 3) return EBUSY;
        if (request.line > 2 && request.line < 5 && !there.contains(request.line - 1)) return ENOENT;
        there.insert(request.line);
        return 0;
    };
    Flow flow(options(64, 2, false), heard);
    Lines lines;
    for (int i = 0; i < 6; ++i) lines.line();
    auto const run = drive(flow, kernel, lines.take());
    check(heard, {{5, Outcome::failed, EINVAL}});
    BOOST_CHECK((applied_lines(kernel) == std::vector<u32>{1, 6, 2, 3, 4}));
    BOOST_CHECK_EQUAL(run.paused_ms, 10 + 20);
}

BOOST_AUTO_TEST_CASE(a_line_behind_one_that_failed_after_all_is_not_tried_again) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [&](Request request) { return request.line == 2 ? EBUSY : request.line == 3 ? ENOENT : 0; };
    Flow flow(options(64, 2, false), heard);
    drive(flow, kernel, Lines().line().line().line().line().take());
    check(heard, {{2, Outcome::failed, EBUSY}, {3, Outcome::failed, ENOENT}});
    BOOST_CHECK_EQUAL((kernel.attempts[{3, 0}]), 1);
}

BOOST_AUTO_TEST_CASE(an_error_that_is_expected_is_tried_again_first) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [&](Request request) { return request.line == 2 ? EBUSY : 0; };
    Flow flow(options(64, 2, true, {"EBUSY"}), heard);
    drive(flow, kernel, Lines().line().line().line().take());
    check(heard, {{2, Outcome::ignored, EBUSY}});
    BOOST_CHECK_EQUAL((kernel.attempts[{2, 0}]), 3);
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_trying) {
    for (u32 stop_at = 0; stop_at < 30; ++stop_at) {
        Endings heard;
        FakeKernel kernel;
        kernel.answer_to = [&](Request request) { return request.line >= 2 ? EBUSY : 0; };
        Flow flow(options(3, 1000, false), heard);
        Lines lines;
        for (int i = 0; i < 6; ++i) lines.line();
        drive(
            flow, kernel, lines.take(), [] { return true; },
            [&](u32 step) {
                if (step == stop_at) flow.stop();
            });
        BOOST_CHECK_EQUAL(flow.account().lines.all(), 6);
        BOOST_CHECK_EQUAL(of(flow, Outcome::applied) + of(flow, Outcome::failed) + of(flow, Outcome::unsent), 6);
        BOOST_CHECK_LT((kernel.attempts[{2, 0}]), 8);
    }
}

BOOST_AUTO_TEST_CASE(a_rejected_line_behind_does_not_stop_the_trying) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [&](Request request) { return request.line == 1 && kernel.attempts[request] < 3 ? ENOMEM : 0; };
    Flow flow(options(64, 5), heard);
    drive(flow, kernel, Lines().line().line().rejected().line().take());
    check(heard, {{3, Outcome::rejected}, {4, Outcome::unsent}});
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 2);
}

BOOST_AUTO_TEST_CASE(the_answer_to_an_attempt_is_lost) {
    Endings heard;
    FakeKernel kernel;
    kernel.answer_to = [&](Request request) {
        if (request.line != 2) return 0;
        // The buffer is full when the second attempt is answered.
        kernel.capacity = kernel.attempts[request] == 2 ? 0 : 100;
        return kernel.attempts[request] == 1 ? EBUSY : 0;
    };
    int lossy_receives = 0;
    kernel.receive_fault = [&] {
        if (kernel.capacity == 0 && ++lossy_receives > 1) kernel.capacity = 100;
        return 0;
    };
    Flow flow(options(64, 5, false), heard);
    drive(flow, kernel, Lines().line().line().line().take());
    check(heard, {{2, Outcome::unknown}});
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 2);
    BOOST_CHECK_EQUAL((kernel.attempts[{2, 0}]), 2);
}

BOOST_AUTO_TEST_CASE(lines_given_up_end_as_unsent_and_say_where_to_go_on) {
    Endings heard;
    FakeKernel kernel;
    Flow flow(options(64, 0), heard);
    Lines lines;
    lines.line().line().next_batch().given_up().given_up();
    drive(flow, kernel, lines.take());
    check(heard, {{3, Outcome::unsent}, {4, Outcome::unsent}});
    BOOST_CHECK_EQUAL(of(flow, Outcome::applied), 2);
    BOOST_CHECK((flow.resume_at() == Place{"rules", 3}));
}

BOOST_AUTO_TEST_CASE(where_to_go_on) {
    Endings heard;
    FakeKernel kernel;
    Flow all(options(64, 0), heard);
    BOOST_CHECK(all.resume_at() == Place{});
    drive(all, kernel, Lines().line().line().take());
    BOOST_CHECK((all.resume_at() == Place{"rules", 3}));

    Flow rejecting(options(64, 0), heard);
    drive(rejecting, kernel, Lines().line().rejected().line().take());
    BOOST_CHECK((rejecting.resume_at() == Place{"rules", 2}));
    BOOST_CHECK((rejecting.settled_to() == Place{"rules", 3}));

    Flow forced(options(64, 0, false), heard);
    drive(forced, kernel, Lines().line().rejected().take());
    BOOST_CHECK((forced.resume_at() == Place{"rules", 3}));
    BOOST_CHECK((forced.settled_to() == Place{"rules", 3}));
}
