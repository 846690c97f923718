#include "app/emit.hpp"

#include <linux/rtnetlink.h>

#include <boost/test/unit_test.hpp>

using namespace nlstream;

namespace {

/// Two lines of one message, one rejected, one of two messages.
Batch some_lines() {
    Batch batch;
    std::string const text = "one\ntwo\nbad\nthree \\\n more\n";
    batch.text.assign(text.begin(), text.end());
    batch.first_number = 9;
    for (u32 i = 0; i < 4; ++i) {
        batch.messages.begin(RTM_NEWROUTE, NLM_F_REQUEST | NLM_F_ACK);
        batch.messages.fixed_header<rtmsg>().rtm_family = 2;
        batch.messages.put(RTA_TABLE, static_cast<u8>(i));
        batch.messages.end();
    }
    batch.message_count = 4;
    batch.lines = {{.begin = 0, .end = 3, .number = 0, .messages_end = 1},
                   {.begin = 4, .end = 7, .number = 1, .messages_end = 2},
                   {.begin = 8, .end = 11, .number = 2, .messages_end = 2, .rejected = true},
                   {.begin = 12, .end = 25, .number = 3, .messages_end = 4, .continued = true}};
    return batch;
}

std::string message(char const* value) {
    return "2400000018000500"
           "0000000000000000"
           "020000000000000000000000"
           "05000f00" +
           std::string(value) + "000000";
}

}  // namespace

BOOST_AUTO_TEST_CASE(hexadecimal) {
    std::string out;
    emit(some_lines(), Emit::hex, false, out);
    BOOST_CHECK_EQUAL(
        out, "9\t" + message("00") + "\n10\t" + message("01") + "\n12\t" + message("02") + ";" + message("03") + "\n");
}

BOOST_AUTO_TEST_CASE(text) {
    std::string out;
    emit(some_lines(), Emit::text, false, out);
    BOOST_CHECK(out.starts_with("# one\nRTM_NEWROUTE"));
    BOOST_CHECK(out.find("\n\n# two\n") != std::string::npos);
    BOOST_CHECK(out.find("\n\n# three  more\n") != std::string::npos);
    BOOST_CHECK(out.find("bad") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(text_of_messages) {
    std::string out;
    emit(some_lines(), Emit::text, true, out);
    BOOST_CHECK(out.starts_with("# 9\nRTM_NEWROUTE"));
    BOOST_CHECK(out.find("\n\n# 10\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(binary) {
    std::string out, hex;
    emit(some_lines(), Emit::bin, false, out);
    for (char const c : out) {
        hex += "0123456789abcdef"[c >> 4 & 15];
        hex += "0123456789abcdef"[c & 15];
    }
    BOOST_CHECK_EQUAL(hex, message("00") + message("01") + message("02") + message("03"));
}
