#include "app/json.hpp"

#include <boost/test/unit_test.hpp>
#include <csignal>

#include "app/json_report.hpp"
#include "test/support/fixed_world.hpp"

using namespace nlstream;

BOOST_AUTO_TEST_CASE(members_stand_in_the_order_they_were_added) {
    BOOST_CHECK_EQUAL(JsonObject().text(), "{}");
    JsonObject inner;
    inner.add("yes", true).add("no", false).add_null("none");
    BOOST_CHECK_EQUAL(
        JsonObject()
            .add("z", 1)
            .add("a", -2)
            .add("big", ~u64{})
            .add("half", 0.5)
            .add("text", "x")
            .add("in", inner)
            .text(),
        R"({"z":1,"a":-2,"big":18446744073709551615,"half":0.500000,"text":"x","in":{"yes":true,"no":false,"none":null}})");
}

BOOST_AUTO_TEST_CASE(texts_are_escaped) {
    auto const text = [](std::string_view raw) { return JsonObject().add("t", raw).text(); };
    BOOST_CHECK_EQUAL(text("say \"\\\""), R"({"t":"say \"\\\""})");
    BOOST_CHECK_EQUAL(text(std::string_view("\t\r\n\0\x1f", 5)), R"({"t":"\u0009\u000d\u000a\u0000\u001f"})");
    BOOST_CHECK_EQUAL(text("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7"),
                      "{\"t\":\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7\"}");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_replaced_one_by_one) {
    auto const replaced = [](std::string_view raw, std::size_t times) {
        std::string expected = "{\"t\":\"<";
        for (std::size_t i = 0; i < times; ++i) expected += "\xef\xbf\xbd";
        BOOST_CHECK_EQUAL(JsonObject().add("t", "<" + std::string(raw) + ">").text(), expected + ">\"}");
    };
    replaced("\x80", 1);
    replaced("\xff\xfe", 2);
    replaced("\xc3", 1);
    replaced("\xc0\xaf", 2);          // longer than need be
    replaced("\xe0\x9f\xbf", 3);      // the same
    replaced("\xed\xa0\x80", 3);      // a surrogate
    replaced("\xf4\x90\x80\x80", 4);  // beyond U+10FFFF
    replaced("\xf0\x9f\x90", 3);      // cut off
}

BOOST_AUTO_TEST_CASE(a_failure_with_all_and_with_nothing_known) {
    std::string const all =
        R"~({"type":"failure","outcome":"failed","code":"kernel","what":"the kernel refused: no (ERANGE)","file":"rules","line":7,)~"
        R"("columns":{"first":3,"last":3},"label":"expected 1 to 2","help":"try d","errno":34,"errno_name":"ERANGE","text":"a b c"})";
    Diagnostic const why{"the kernel refused: no (ERANGE)", {2, 3}, "expected 1 to 2", "try d", code::kernel};
    BOOST_CHECK_EQUAL(
        json_failure({.outcome = Outcome::failed, .file = "rules", .number = 7, .error = ERANGE}, "a b c", why), all);
    std::string const nothing =
        R"({"type":"failure","outcome":"unknown","code":"lost","what":"lost","file":"-","line":1,)"
        R"("columns":null,"label":null,"help":null,"errno":null,"errno_name":null,"text":"a"})";
    BOOST_CHECK_EQUAL(
        json_failure({.outcome = Outcome::unknown, .file = "-", .number = 1}, "a", {"lost", {}, {}, {}, code::lost}),
        nothing);
}

BOOST_AUTO_TEST_CASE(a_summary_of_nothing) {
    auto const text = json_summary({}, {}, {}, {}, 0);
    BOOST_TEST(text.find(R"("window":{"asked":"auto",)") != text.npos);
    BOOST_TEST(
        text.find(
            R"("lines":{"total":0,"applied":0,"ignored":0,"failed":0,"rejected":0,"unsent":0,"unknown":0},"errors":{})") !=
        text.npos);
    BOOST_TEST(text.find(R"("signal":null,"first_failure":null,"last_sent":null)") != text.npos);
}

BOOST_AUTO_TEST_CASE(a_summary_says_where_it_stopped) {
    StreamResult result;
    result.account.lines[Outcome::applied] = 3;
    result.account.lines[Outcome::failed] = 2;
    result.account.last_sent = Place{"rules", 5};
    result.resume_at = {"rules", 6};
    result.account.first_failure = Place{"rules", 4};
    result.coalesce = 64;
    result.stopped = true;
    result.signal = SIGINT;
    auto const text = json_summary(result, 256, {{17, 2}}, {.wall = 2, .user = 0.5, .system = 1}, 130);
    for (auto const* part :
         {R"("exit_status":130)", R"("total":5,"applied":3)", R"("errors":{"EEXIST":2})", R"("window":{"asked":256,)", R"("coalesce":64)",
          R"("seconds":{"wall":2.000000,"user":0.500000,"system":1.000000},"lines_per_second":2.500000)",
          R"("stopped":true,"signal":2)", R"("first_failure":{"file":"rules","line":4})",
          R"("resume_at":{"file":"rules","line":6})"})
        BOOST_CHECK_MESSAGE(text.find(part) != text.npos, part << " in " << text);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_is_remembered) {
    JsonLines lines(-1);
    BOOST_CHECK_EQUAL(lines.error(), 0);
    lines.write("{}");
    BOOST_CHECK_EQUAL(lines.error(), EBADF);
}
