// The walk over messages and attributes finds what libmnl finds, in whole messages and in broken ones.
#include "netlink/received.hpp"

#include <libmnl/libmnl.h>

#include <boost/test/unit_test.hpp>

#include <climits>
#include <random>
#include <vector>

#include "netlink/decode.hpp"
#include "test/support/golden.hpp"

namespace nlstream {
namespace {

struct Found {
    std::size_t at;
    u16 type;
    std::size_t length;
    void const* payload;
    friend bool operator==(Found const&, Found const&) = default;
    friend std::ostream& operator<<(std::ostream& out, Found const& f) { return out << "type " << f.type << " at " << f.at << ", " << f.length << " bytes"; }
};
using Bytes = std::span<std::byte const>;

std::size_t distance(Bytes from, nlattr const& to) { return static_cast<std::size_t>(reinterpret_cast<std::byte const*>(&to) - from.data()); }

/// With what the attributes hold, read as attributes in its turn.
void find(Bytes bytes, std::vector<Found>& found) {
    for_each_attribute(bytes, [&](nlattr const& attribute) {
        auto const payload = payload_of(attribute);
        found.push_back({distance(bytes, attribute), type_of(attribute), payload.size(), payload.data()});
        find(payload, found);
    });
}

struct ByLibmnl {
    Bytes bytes;
    std::vector<Found>& found;
};

void find_by_libmnl(Bytes bytes, std::vector<Found>& found) {
    ByLibmnl in{bytes, found};
    auto const each = [](nlattr const* attribute, void* data) {
        auto& [all, into] = *static_cast<ByLibmnl*>(data);
        auto const* payload = mnl_attr_get_payload(attribute);
        std::size_t const length = mnl_attr_get_payload_len(attribute);
        into.push_back({distance(all, *attribute), mnl_attr_get_type(attribute), length, payload});
        find_by_libmnl({static_cast<std::byte const*>(payload), length}, into);
        return MNL_CB_OK;
    };
    mnl_attr_parse_payload(bytes.data(), bytes.size(), each, &in);
}

/// Calls `each` with the messages of every golden line.
template <class Each>
void for_each_golden(Each each) {
    test::GoldenWorld world;
    for (auto const& row : test::golden_rows()) {
        MessageBuffer out;
        world.encoder(row.stream)->encode(row.line, out);
        each(out.bytes());
    }
}

std::size_t compare(Bytes datagram) {
    std::size_t attributes = 0;
    auto const* theirs = reinterpret_cast<nlmsghdr const*>(datagram.data());
    int left = static_cast<int>(datagram.size());
    auto const rest = for_each_message(datagram, [&](nlmsghdr const& message) {
        BOOST_REQUIRE(mnl_nlmsg_ok(theirs, left));
        BOOST_REQUIRE_EQUAL(theirs, &message);
        auto const fixed = fixed_header_length(message.nlmsg_type);
        std::vector<Found> found, expected;
        find(attributes_of(message, fixed), found);
        if (message.nlmsg_len >= sizeof message + fixed) {
            auto const* first = static_cast<std::byte const*>(mnl_nlmsg_get_payload_offset(&message, fixed));
            auto const* end = reinterpret_cast<std::byte const*>(&message) + message.nlmsg_len;
            if (first < end) find_by_libmnl({first, end}, expected);
        }
        BOOST_TEST(found == expected, boost::test_tools::per_element());
        attributes += found.size();
        theirs = mnl_nlmsg_next(theirs, &left);
    });
    // libmnl takes a length from 2^31 on for a negative one, and so for short enough.
    BOOST_TEST((left < 0 || rest.data() == reinterpret_cast<std::byte const*>(theirs)));
    if (left >= static_cast<int>(sizeof *theirs) && theirs->nlmsg_len <= INT_MAX) BOOST_TEST(!mnl_nlmsg_ok(theirs, left));
    return attributes;
}

BOOST_AUTO_TEST_CASE(messages_are_read_as_libmnl_reads_them) {
    std::size_t attributes = 0;
    for_each_golden([&](Bytes messages) { attributes += compare(messages); });
    BOOST_TEST(attributes > 10000u);
}

BOOST_AUTO_TEST_CASE(broken_messages_are_read_as_libmnl_reads_them) {
    std::mt19937 random(20);
    for_each_golden([&](Bytes messages) {
        std::vector<std::byte> bytes(messages.begin(), messages.end());
        if (bytes.empty()) return;
        for (int round = 0; round < 4; ++round) {
            bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            compare(bytes);
        }
        bytes.resize(random() % bytes.size());
        compare(bytes);
    });
}

BOOST_AUTO_TEST_CASE(text_ends_at_a_nul_or_with_the_payload) {
    struct alignas(4) {
        nlattr head;
        char text[8];
    } attribute{{.nla_len = 8, .nla_type = NLA_F_NESTED | 3}, {'l', 'o', 0, 'x', 'y'}};
    BOOST_TEST(text_of(attribute.head) == "lo");
    BOOST_TEST(type_of(attribute.head) == 3);
    attribute.text[2] = 'p';
    BOOST_TEST(text_of(attribute.head) == "lopx");
    BOOST_TEST(value_of<u16>(attribute.head) == u16{'l' | 'o' << 8});
    BOOST_TEST(value_of<u64>(attribute.head, 5) == 5u);
}

}  // namespace
}  // namespace nlstream
