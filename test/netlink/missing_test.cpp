// The keyword for an attribute that the kernel missed.
#define BOOST_TEST_MODULE missing
#include "netlink/missing.hpp"

#include <linux/rtnetlink.h>

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "netlink/decode.hpp"
#include "netlink/received.hpp"
#include "netlink/table.hpp"
#include "test/support/golden.hpp"
#include "test/support/rounds.hpp"

namespace nlstream {
namespace {

using Bytes = std::span<std::byte const>;
using Path = std::vector<u16>;

/// The attributes of a message by their types and those of the nests around them. Whatever reads as attributes counts as a nest.
std::multimap<Path, u32> all_attributes(Bytes message) {
    std::multimap<Path, u32> found;
    Path path;
    auto const walk = [&](auto const& self, Bytes bytes) -> void {
        for_each_attribute(bytes, [&](nlattr const& attribute) {
            path.push_back(type_of(attribute));
            found.emplace(path, reinterpret_cast<std::byte const*>(&attribute) - message.data());
            self(self, payload_of(attribute));
            path.pop_back();
        });
    };
    if (message.empty()) return found;
    auto const& head = *reinterpret_cast<nlmsghdr const*>(message.data());
    walk(walk, attributes_of(head, fixed_header_length(head.nlmsg_type)));
    return found;
}

class World {
  public:
    TryLine encode(test::Stream const& stream) {
        return [this, encoder = std::shared_ptr(world_.encoder(stream))](std::string_view line, Trail& trail) -> TriedLine {
            out_.clear();
            encoder->settled();
            try {
                if (encoder->encode(line, out_, &trail).messages > 0) return {out_.message()};
            } catch (Diagnostic const& d) {
                return {{}, d.where};
            } catch (BarrierNeeded const&) {
            }
            return {};
        };
    }

  private:
    test::GoldenWorld world_;
    MessageBuffer out_;
};

BOOST_AUTO_TEST_CASE(what_a_line_lacks_is_what_was_taken_from_it) {
    World world;
    std::size_t asked = 0, named = 0;
    std::set<void const*> seen;
    for (auto const& golden : test::golden_rows()) {
        auto const encode = world.encode(golden.stream);
        Trail trail;
        auto const whole = all_attributes(encode(golden.line, trail).message);
        auto const& words = trail.keywords();
        for (std::size_t i = 0; i < words.size(); ++i) {
            // Each keyword once, if it puts one attribute.
            if (seen.count(words[i].row)) continue;
            auto const end = i + 1 < words.size() ? words[i + 1].word.begin : golden.line.size();
            auto const line = golden.line.substr(0, words[i].word.begin) + golden.line.substr(end);
            Trail unused;
            auto const rest = all_attributes(encode(line, unused).message);
            if (rest.empty() || whole.size() != rest.size() + 1) continue;
            auto const gone = std::ranges::find_if(whole, [&](auto const& one) { return whole.count(one.first) != rest.count(one.first); })->first;
            Answer answer;
            answer.missing_type = gone.back();
            if (gone.size() > 1) answer.missing_nest = rest.find(Path(gone.begin(), gone.end() - 1))->second;
            seen.insert(words[i].row);
            if (seen.size() % test::portion() != 0) continue;
            ++asked;
            auto const said = MissingKeywords(encode).find(answer, line);
            if (said.find('"' + std::string(name_of(*static_cast<Row const*>(words[i].row)))) != said.npos) ++named;
            else BOOST_TEST_MESSAGE(name_of(*static_cast<Row const*>(words[i].row)) << " is missing in \"" << line << "\", not: " << said);
        }
    }
    BOOST_TEST_MESSAGE(named << " of " << asked);
    // The others are among many that put the attribute, or need an argument that is not tried.
    BOOST_CHECK_GT(asked, 500 / test::portion());
    BOOST_CHECK_GT(named * 100, asked * 85);
}

BOOST_AUTO_TEST_CASE(is_searched_for_once_for_lines_alike) {
    World world;
    std::size_t encoded = 0;
    MissingKeywords missing([&encoded, encode = world.encode({"", Tool::any, AF_UNSPEC})](std::string_view line, Trail& trail) {
        ++encoded;
        return encode(line, trail);
    });
    Answer answer;
    answer.missing_type = RTA_GATEWAY;
    auto const said = missing.find(answer, "ip route add 10.0.0.0/24 table 7");
    BOOST_CHECK_NE(said, "");
    BOOST_CHECK_GT(encoded, 10);
    encoded = 0;
    BOOST_CHECK_EQUAL(missing.find(answer, "ip route add 10.0.1.0/24 table 8"), said);
    BOOST_CHECK_EQUAL(encoded, 1);
}

}  // namespace
}  // namespace nlstream
