// ip ... flush against a kernel that lists what the test says: parts, rounds, and when it ends.
#include <boost/test/unit_test.hpp>

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cerrno>
#include <deque>

#include "netlink/answer.hpp"
#include "netlink/encoder.hpp"
#include "netlink/received.hpp"
#include "test/support/fixed_world.hpp"

namespace nlstream {
namespace {

/// Routes to 10.0.0.0 and up, each /32 and of a protocol.
struct Listed {
    u32 first = 0;
    u32 count = 0;
    u8 protocol = RTPROT_BOOT;
};

/// Lists one round after the other; nothing when there are no more.
class ListingKernel : public test::TableKernel {
  public:
    std::deque<std::vector<Listed>> rounds;
    u32 asked = 0;
    int refuses = 0;  ///< errno that every list is refused with

    std::unique_ptr<Dump> begin_dump(std::span<std::byte const> request) override {
        BOOST_TEST((reinterpret_cast<nlmsghdr const*>(request.data())->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP);
        ++asked;
        auto round = rounds.empty() ? std::vector<Listed>() : rounds.front();
        if (!rounds.empty()) rounds.pop_front();
        return std::make_unique<Rounds>(std::move(round), refuses);
    }

  private:
    class Rounds : public Dump {
      public:
        Rounds(std::vector<Listed> listed, int refuses) : listed_(std::move(listed)), refuses_(refuses) {}
        bool next(std::function<void(nlmsghdr const&)> const& each) override {
            if (refuses_) throw Answer{.error = refuses_, .text = "no list"};
            if (listed_.empty()) return false;
            auto& now = listed_.front();
            for (u32 i = 0; i < 100 && now.count > 0; ++i, ++now.first, --now.count) tell(now, each);
            if (now.count == 0) listed_.erase(listed_.begin());
            return true;
        }

      private:
        void tell(Listed const& now, std::function<void(nlmsghdr const&)> const& each) {
            auto& out = out_;
            out.clear();
            out.begin(RTM_NEWROUTE, NLM_F_MULTI);
            auto& head = out.fixed_header<rtmsg>();
            head.rtm_family = AF_INET;
            head.rtm_dst_len = 32;
            head.rtm_table = RT_TABLE_MAIN;
            head.rtm_protocol = now.protocol;
            out.put(RTA_DST, big32(0x0a000000 + now.first));
            out.end();
            each(out.head());
        }

        std::vector<Listed> listed_;
        int refuses_;
        MessageBuffer out_;
    };
};

struct World {
    ListingKernel kernel;
    test::MemoryFiles files;
    Encoder encoder{kernel, files, {.tool = Tool::ip}};
    MessageBuffer out;

    Encoded operator()(std::string_view line) {
        out.clear();
        auto encoded = encoder.encode(line, out);
        u32 messages = 0;
        auto const rest = for_each_message(out.bytes(), [&](nlmsghdr const& head) {
            BOOST_REQUIRE(head.nlmsg_type == RTM_DELROUTE || head.nlmsg_type == RTM_NEWROUTE);
            ++messages;
        });
        BOOST_TEST(rest.empty());
        BOOST_TEST(messages == encoded.messages);
        return encoded;
    }
    std::string failure(std::string_view line) {
        try {
            (*this)(line);
            return "none";
        } catch (Diagnostic const& d) {
            if (d.where.begin >= line.size()) return d.what + " at the end";
            return d.what + " at " + std::string(line.substr(d.where.begin, d.where.end - d.where.begin));
        }
    }
};

BOOST_FIXTURE_TEST_CASE(what_is_selected_is_deleted_and_listed_once_more, World) {
    kernel.rounds = {{{.first = 0, .count = 3}, {.first = 3, .count = 5, .protocol = RTPROT_STATIC}}};
    auto const first = (*this)("route flush proto static");
    BOOST_TEST(first.messages == 5u);
    BOOST_TEST(first.more);
    BOOST_TEST(first.absence_is_success);
    encoder.settled();
    auto const second = (*this)("route flush proto static");
    BOOST_TEST(second.messages == 0u);
    BOOST_TEST(!second.more);
    BOOST_TEST(second.command);
    BOOST_TEST(kernel.asked == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_long_list_is_deleted_in_parts_that_go_on_in_the_same_list, World) {
    kernel.rounds = {{{.first = 0, .count = 150000}}};
    u32 deleted = 0, parts = 0;
    for (bool more = true; more; ++parts) {
        auto const encoded = (*this)("route flush table main");
        BOOST_TEST(encoded.messages <= 16500u);
        deleted += encoded.messages;
        more = encoded.more;
        encoder.settled();
    }
    BOOST_TEST(deleted == 150000u);
    BOOST_TEST(parts == 11u);
    BOOST_TEST(kernel.asked == 2u);
}

BOOST_FIXTURE_TEST_CASE(it_waits_for_what_was_sent_before, World) {
    kernel.add({.index = 3, .name = "d0", .kind = {}});
    (*this)("route add 10.0.0.0/32 dev d0");
    BOOST_CHECK_THROW((*this)("route flush table main"), BarrierNeeded);
    BOOST_TEST(kernel.asked == 0u);
    encoder.settled();
    BOOST_TEST(!(*this)("route flush table main").more);
}

BOOST_FIXTURE_TEST_CASE(what_always_comes_back_ends_it, World) {
    for (int i = 0; i < 30; ++i) kernel.rounds.push_back({{.first = 0, .count = 2}});
    u32 rounds = 0;
    for (std::string failure = "none"; failure == "none"; ++rounds) {
        BOOST_REQUIRE(rounds < 20u);
        failure = this->failure("route flush table main");
        encoder.settled();
        if (failure != "none") BOOST_TEST(failure == "routes are still there after 10 rounds at main");
    }
    BOOST_TEST(rounds == 10u);
}

BOOST_FIXTURE_TEST_CASE(another_line_begins_anew, World) {
    kernel.rounds = {{{.first = 0, .count = 200000}}, {{.first = 7, .count = 1}}};
    BOOST_TEST((*this)("route flush table main").more);
    // The stage gives the line up: one of its deletions was refused.
    (*this)("");
    encoder.settled();
    BOOST_TEST((*this)("route flush table main").messages == 1u);
    BOOST_TEST(kernel.asked == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_table_that_is_not_there_has_no_routes, World) {
    kernel.refuses = ENOENT;
    BOOST_TEST(!(*this)("route flush table 77").more);
    kernel.refuses = EPERM;
    BOOST_TEST(failure("route flush table 77") == "the kernel refused: no list (EPERM) at 77");
}

BOOST_FIXTURE_TEST_CASE(what_would_flush_more_than_meant_is_refused, World) {
    BOOST_TEST(failure("route flush cache") == "\"cache\" cannot be used here at cache");
    BOOST_TEST(failure("route flush table cache") == "\"cache\" cannot be used here at cache");
    for (auto const* line : {"route flush", "address flush", "neighbour flush"}) BOOST_TEST(failure(line).find("is missing") != std::string::npos);
}

}  // namespace
}  // namespace nlstream
