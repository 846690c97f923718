// The kernel's answers, byte by byte, and what is made of them.
#include "netlink/answer.hpp"

#include <linux/netlink.h>

#include <boost/test/unit_test.hpp>

namespace nlstream {
namespace {

/// An NLMSG_ERROR for request `sequence` of `length` bytes; the attributes are put by `extended`.
template <class Extended>
MessageBuffer error_message(int error, u32 sequence, u32 length, bool capped, Extended&& extended) {
    MessageBuffer out;
    out.begin(NLMSG_ERROR, static_cast<u16>(NLM_F_ACK_TLVS | (capped ? NLM_F_CAPPED : 0)));
    auto& body = out.fixed_header<nlmsgerr>();
    body.error = -error;
    body.msg.nlmsg_seq = sequence;
    body.msg.nlmsg_len = length;
    if (!capped) {
        std::vector<std::byte> request(length - sizeof(nlmsghdr));
        out.put_raw(request.data(), request.size());
    }
    extended(out);
    out.end();
    return out;
}

BOOST_AUTO_TEST_CASE(an_acknowledgement_has_error_zero) {
    auto message = error_message(0, 7, 44, true, [](MessageBuffer&) {});
    auto const answer = read_answer(message.head());
    BOOST_REQUIRE(answer);
    BOOST_TEST(answer->sequence == 7u);
    BOOST_TEST(answer->error == 0);
    BOOST_TEST(answer->request_length == 44u);
}

BOOST_AUTO_TEST_CASE(attributes_stand_behind_the_request_when_it_is_not_capped) {
    for (bool const capped : {true, false}) {
        auto message = error_message(34, 9, 45, capped, [](MessageBuffer& out) {
            out.put_string(NLMSGERR_ATTR_MSG, "Attribute failed policy validation");
            out.put(NLMSGERR_ATTR_OFFS, u32{36});
            out.nest(NLMSGERR_ATTR_POLICY, [&] {
                out.put(NL_POLICY_TYPE_ATTR_TYPE, u32{NL_ATTR_TYPE_U16});
                out.put(NL_POLICY_TYPE_ATTR_MIN_VALUE_U, u64{0});
                out.put(NL_POLICY_TYPE_ATTR_MAX_VALUE_U, u64{4095});
            });
        });
        auto const answer = read_answer(message.head());
        BOOST_REQUIRE(answer);
        BOOST_TEST(answer->text == "Attribute failed policy validation");
        BOOST_REQUIRE(answer->offset);
        BOOST_TEST(*answer->offset == 36u);
        BOOST_TEST(answer->policy == "0 to 4095");
    }
}

BOOST_AUTO_TEST_CASE(a_message_that_is_too_short_is_no_answer) {
    MessageBuffer out;
    out.begin(NLMSG_ERROR, 0);
    out.put_raw("\0\0\0\0", 4);
    out.end();
    BOOST_TEST(!read_answer(out.head()).has_value());
}

BOOST_AUTO_TEST_CASE(another_type_is_no_answer) {
    auto message = error_message(0, 1, 20, true, [](MessageBuffer&) {});
    message.head().nlmsg_type = NLMSG_DONE;
    BOOST_TEST(!read_answer(message.head()).has_value());
}

BOOST_AUTO_TEST_CASE(the_offset_finds_the_word) {
    Trail trail;
    trail.step(28, {10, 20});
    trail.step(36, {25, 29});
    trail.step(44, {30, 31});
    Answer const answer{.error = 34, .text = "Attribute failed policy validation", .offset = 36, .policy = "0 to 4095"};
    BOOST_TEST(render(explain(answer, &trail), {"rules.tc", 7, "filter add dev eth0 fl id 5000 x"}) ==
               "error: the kernel refused: Attribute failed policy validation (ERANGE)\n"
               " --> rules.tc:7:26\n"
               "  |\n"
               "7 | filter add dev eth0 fl id 5000 x\n"
               "  |                          ^^^^ expected 0 to 4095\n");
}

BOOST_AUTO_TEST_CASE(without_extended_ack_the_errno_is_described) {
    Answer const answer{.error = 17, .text = {}, .policy = {}};
    BOOST_TEST(render(explain(answer, nullptr), {"a", 1, "route add 10.0.0.0/8 dev lo"}) ==
               "error: the kernel refused: File exists (EEXIST)\n"
               " --> a:1\n"
               "  |\n"
               "1 | route add 10.0.0.0/8 dev lo\n"
               "  = help: --ignore exists passes over such lines\n");
    BOOST_TEST(errno_name(4711) == "errno 4711");
}

}  // namespace
}  // namespace nlstream
