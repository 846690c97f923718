// Whole texts: what a user reads.
#include "app/report.hpp"

#include <boost/test/unit_test.hpp>
#include <csignal>

#include "test/support/fixed_world.hpp"

using namespace nlstream;

namespace {

struct World {
    test::MemoryFiles files;
    Explainer explainer{files, {.tool = Tool::any, .family = 0}};

    std::string text(Ending const& ending) {
        auto const explained = explainer.explain(ending);
        return explained ? render_failure(*explained, ending.file, ending.number, false) : "";
    }
    std::string failed(std::string_view line, Answer answer, bool continued = false) {
        return text({.outcome = Outcome::failed,
                     .file = "rules.ip",
                     .number = 12,
                     .raw = line,
                     .continued = continued,
                     .answer = &answer});
    }
};

Answer refusal(int error, std::string text = {}) {
    Answer answer;
    answer.error = error;
    answer.text = std::move(text);
    return answer;
}

StreamResult result(u64 applied, u64 failed, u64 unsent = 0) {
    StreamResult result;
    result.account.lines[Outcome::applied] = applied;
    result.account.lines[Outcome::failed] = failed;
    result.account.lines[Outcome::unsent] = unsent;
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_refusal_without_a_place) {
    BOOST_CHECK_EQUAL(World().failed("route add 10.0.0.1 dev lo", refusal(EEXIST)),
                      "error: the kernel refused: File exists (EEXIST)\n"
                      "  --> rules.ip:12\n"
                      "   |\n"
                      "12 | route add 10.0.0.1 dev lo\n"
                      "   = help: --ignore exists passes over such lines\n"
                      "\n");
}

BOOST_AUTO_TEST_CASE(the_kernels_offset_leads_to_the_word) {
    // 16 bytes of nlmsghdr, 12 of rtmsg, RTA_DST of 8: the next attribute is RTA_OIF.
    auto answer = refusal(ENODEV, "No such device");
    answer.offset = 36;
    answer.request_length = 44;
    BOOST_CHECK_EQUAL(
        World().failed("route add 10.0.0.1 dev gone", answer),
        "error: the kernel refused: No such device (ENODEV)\n"
        "  --> rules.ip:12:24\n"
        "   |\n"
        "12 | route add 10.0.0.1 dev gone\n"
        "   |                        ^^^^\n"
        "   = help: the device may have vanished since its name was looked up, or a line before may have deleted it\n"
        "\n");
}

BOOST_AUTO_TEST_CASE(no_word_is_blamed_when_the_line_encodes_to_another_length_now) {
    auto answer = refusal(ENODEV, "No such device");
    answer.offset = 36;
    answer.request_length = 52;
    BOOST_CHECK_EQUAL(
        World().failed("route add 10.0.0.1 dev gone", answer),
        "error: the kernel refused: No such device (ENODEV)\n"
        "  --> rules.ip:12\n"
        "   |\n"
        "12 | route add 10.0.0.1 dev gone\n"
        "   = help: the device may have vanished since its name was looked up, or a line before may have deleted it\n"
        "\n");
}

BOOST_AUTO_TEST_CASE(a_continued_line_is_shown_joined_under_its_first_number) {
    BOOST_CHECK_EQUAL(
        World().failed("route add 10.0.0.1 \\\n  dev lo", refusal(ENETUNREACH, "Nexthop has invalid gateway"), true),
        "error: the kernel refused: Nexthop has invalid gateway (ENETUNREACH)\n"
        "  --> rules.ip:12\n"
        "   |\n"
        "12 | route add 10.0.0.1   dev lo\n"
        "   = help: if no route leads to the gateway, an address or a route on its device has to come before; "
        "\"onlink\" does without\n"
        "\n");
}

BOOST_AUTO_TEST_CASE(a_lost_answer) {
    World world;
    BOOST_CHECK_EQUAL(world.text({.outcome = Outcome::unknown, .file = "-", .number = 3, .raw = "link set lo up"}),
                      "error: the kernel's answer was lost: whether the line was applied is unknown\n"
                      " --> <stdin>:3\n"
                      "  |\n"
                      "3 | link set lo up\n"
                      "\n");
}

BOOST_AUTO_TEST_CASE(a_rejection) {
    World world;
    Rejection const rejection{0,
                              "route add 10.0.0.1 dve lo",
                              {"unknown keyword \"dve\"", {19, 22}, {}, "did you mean \"dev\"?", code::unknown_word}};
    BOOST_CHECK_EQUAL(
        world.text(
            {.outcome = Outcome::rejected, .file = "-", .number = 3, .raw = "not used", .rejection = &rejection}),
        "error: unknown keyword \"dve\"\n"
        " --> <stdin>:3:20\n"
        "  |\n"
        "3 | route add 10.0.0.1 dve lo\n"
        "  |                    ^^^\n"
        "  = help: did you mean \"dev\"?\n"
        "\n");
}

BOOST_AUTO_TEST_CASE(lines_that_were_not_sent_are_only_counted) {
    World world;
    BOOST_CHECK_EQUAL(world.text({.outcome = Outcome::unsent, .file = "-", .number = 3, .raw = "link set lo up"}), "");
}

BOOST_AUTO_TEST_CASE(what_a_stop_leaves_behind) {
    auto stopped = result(40, 1, 7);
    BOOST_CHECK_EQUAL(stop_report(stopped, "nlstream --from-line 42 rules.ip"), "");
    stopped.stopped = true;
    stopped.account.first_failure = Place{"rules.ip", 12};
    stopped.account.applied_after_failure = 29;
    stopped.account.last_sent = Place{"rules.ip", 41};
    stopped.resume_at = {"rules.ip", 42};
    BOOST_CHECK_EQUAL(stop_report(stopped, "nlstream --from-line 42 rules.ip"),
                      "stopped at the failure of rules.ip:12\n"
                      "  the last line sent is rules.ip:41\n"
                      "  of the lines after the failed one, 29 had been sent already and were applied\n"
                      "  7 lines had been read and were not sent\n"
                      "  to go on, resume at rules.ip:42\n"
                      "    nlstream --from-line 42 rules.ip\n");
}

BOOST_AUTO_TEST_CASE(a_stop_by_a_signal_and_one_before_anything_was_sent) {
    auto stopped = result(2, 0, 1);
    stopped.stopped = true;
    stopped.signal = SIGINT;
    stopped.account.last_sent = Place{"-", 2};
    stopped.resume_at = {"-", 3};
    BOOST_CHECK_EQUAL(stop_report(stopped, "nlstream --from-line 42 rules.ip"),
                      "stopped by a signal\n"
                      "  the last line sent is <stdin>:2\n"
                      "  1 line had been read and were not sent\n"
                      "  to go on, resume at <stdin>:3\n"
                      "    nlstream --from-line 42 rules.ip  (with the same standard input)\n");
    StreamResult nothing;
    nothing.stopped = true;
    nothing.account.first_failure = Place{"-", 1};
    BOOST_CHECK_EQUAL(stop_report(nothing, ""), "stopped at the failure of <stdin>:1\n  nothing was sent\n");
}

BOOST_AUTO_TEST_CASE(sums) {
    BOOST_CHECK_EQUAL(summary(result(1, 0), 0.5), "1 line: 1 applied, 0 failed; 2 lines/s, 0.500 s\n");
    auto all = result(10, 2, 3);
    all.account.lines[Outcome::rejected] = 1;
    all.account.lines[Outcome::unknown] = 4;
    BOOST_CHECK_EQUAL(summary(all, 2),
                      "20 lines: 10 applied, 2 failed, 1 rejected, 3 not sent, 4 unknown; 10 lines/s, 2.000 s\n");
}

BOOST_AUTO_TEST_CASE(a_line_that_a_generator_made) {
    World world;
    Rejection const rejection{
        0, "qdisc add dev eth0 rot", {"unknown keyword \"rot\"", {19, 22}, {}, {}, code::unknown_word}};
    BOOST_CHECK_EQUAL(world.text({.outcome = Outcome::rejected,
                                  .file = "rules.tc",
                                  .number = 3,
                                  .origin = Origin{"fireqos.conf", 63},
                                  .rejection = &rejection}),
                      "error: unknown keyword \"rot\"\n"
                      " --> rules.tc:3:20, made from fireqos.conf:63\n"
                      "  |\n"
                      "3 | qdisc add dev eth0 rot\n"
                      "  |                    ^^^\n"
                      "\n");
}

BOOST_AUTO_TEST_CASE(what_was_expected_is_not_hidden) {
    auto some = result(3, 0);
    some.account.lines[Outcome::ignored] = 7;
    some.account.ignored = {{EEXIST, "route", 5}, {ENOENT, "class", 2}};
    some.account.retries = 4;
    BOOST_CHECK_EQUAL(summary(some, 1),
                      "10 lines: 3 applied, 7 ignored (5 EEXIST of route, 2 ENOENT of class), 0 failed; 4 retries; 10 "
                      "lines/s, 1.000 s\n");
    BOOST_CHECK_EQUAL(exit_status(some), 0);
}

BOOST_AUTO_TEST_CASE(exit_statuses) {
    BOOST_CHECK_EQUAL(exit_status(result(0, 0)), 0);
    BOOST_CHECK_EQUAL(exit_status(result(3, 0)), 0);
    BOOST_CHECK_EQUAL(exit_status(result(3, 1)), 1);
    BOOST_CHECK_EQUAL(exit_status(result(3, 0, 1)), 1);
    auto lost = result(3, 1);
    lost.account.lines[Outcome::unknown] = 1;
    BOOST_CHECK_EQUAL(exit_status(lost), 2);
    auto unread = result(3, 0);
    unread.input_failure = "rules: No such file or directory";
    BOOST_CHECK_EQUAL(exit_status(unread), 2);
    auto ended = result(3, 0);
    ended.signal = SIGTERM;
    BOOST_CHECK_EQUAL(exit_status(ended), 143);
}
