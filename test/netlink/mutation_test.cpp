// What becomes of lines that are nearly right: golden lines with a word or a byte too few, too many or in the wrong place, through one
// encoder after the other, as a stream would have them.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>
#include <optional>
#include <random>

#include "netlink/decode.hpp"
#include "test/support/golden.hpp"
#include "test/support/rounds.hpp"

namespace nlstream {
namespace {

using Words = std::vector<std::string>;

Words split(std::string const& line) {
    Words words;
    for (std::size_t at = 0; at < line.size();) {
        auto const end = std::min(line.find(' ', at), line.size());
        if (end > at) words.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

std::string join(Words const& words) {
    std::string line;
    for (auto const& word : words) line += (line.empty() ? "" : " ") + word;
    return line;
}

class Mutations {
  public:
    explicit Mutations(std::vector<test::GoldenRow> const& rows) : rows_(rows) {}

    std::string of(std::string const& line) {
        auto words = split(line);
        for (auto steps = 1 + below(2); steps > 0 && !words.empty(); --steps) mutate(words);
        return join(words);
    }

  private:
    std::size_t below(std::size_t end) { return random_() % end; }

    void mutate(Words& words) {
        // A fixed list, so that a failure is found again by its seed.
        static constexpr char const* odd[] = {"0", "-1", "4294967295", "4294967296", "18446744073709551616", "0x", "0x1f", "1e9", "1:", ":", "ffff:ffff", "/", "1.2.3.4/33", "::/129",
                                              "::", "00:11:22:33:44:55:66", "\"\"", "'", "#", "default", "any", "no", "100%", "9999999gbit", "1b", "1us", "dev", "type", "action",
                                              "index", "and", "(", ")", "\xff", "nexthop", "encap", "via", "help", "-", ",", "\\"};
        auto const at = below(words.size());
        auto& word = words[at];
        auto const place = words.begin() + static_cast<std::ptrdiff_t>(at);
        switch (below(8)) {
            case 0: words.erase(place); break;
            case 1: words.insert(place, std::string(word)); break;
            case 2: std::swap(word, words[below(words.size())]); break;
            case 3: words.erase(place + 1, words.end()); break;
            case 4: word.resize(below(word.size() + 1)); break;
            case 5: word = odd[below(std::size(odd))]; break;
            case 6: {
                auto const other = split(rows_[below(rows_.size())].line);
                word = other[below(other.size())];
                break;
            }
            default: word.insert(below(word.size() + 1), 1, static_cast<char>(1 + below(255)));
        }
    }

    std::vector<test::GoldenRow> const& rows_;
    std::mt19937 random_{20240601};
};

/// Encodes `line` and checks what every line's result has to be like. The messages, or nothing if it was rejected.
std::optional<std::string> checked(Encoder& encoder, std::string const& line) {
    MessageBuffer out;
    try {
        auto const encoded = encoder.encode(line, out);
        auto const hex = test::messages_to_hex(out.bytes());
        BOOST_CHECK_MESSAGE(encoded.messages == (hex.empty() ? 0 : std::ranges::count(hex, ';') + 1), line);
        for (std::span<std::byte const> rest = out.bytes(); !rest.empty();) {
            auto const& head = *reinterpret_cast<nlmsghdr const*>(rest.data());
            BOOST_REQUIRE_MESSAGE(rest.size() >= sizeof head && head.nlmsg_len >= sizeof head && head.nlmsg_len <= rest.size(), line);
            BOOST_CHECK_MESSAGE(!decode(rest.first(head.nlmsg_len)).empty(), line);
            rest = rest.subspan(std::min<std::size_t>(NLMSG_ALIGN(head.nlmsg_len), rest.size()));
        }
        encoder.settled();
        return hex;
    } catch (Diagnostic const& d) {
        BOOST_CHECK_MESSAGE(!d.what.empty() && d.where.begin <= d.where.end && d.where.begin <= line.size() + 1, line << "\n" << d.what);
        BOOST_CHECK_MESSAGE(out.bytes().empty(), "left behind by " << line);
        BOOST_CHECK_MESSAGE(render(d, {"mutated", 1, line}).ends_with("\n"), line);
        return {};
    }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_nearly_right_is_rejected_or_encoded_and_leaves_nothing_behind) {
    test::GoldenWorld world;
    auto const rows = test::golden_rows();
    Mutations mutations(rows);
    std::map<std::string, std::unique_ptr<Encoder>> encoders;
    for (auto const& stream : test::golden_streams()) encoders.emplace(stream.file, world.encoder(stream));
    std::size_t accepted = 0, rejected = 0;
    auto const each = test::rounds(6);
    for (auto const& row : rows) {
        auto& encoder = *encoders.at(row.stream.file);
        for (int i = 0; i < each; ++i) {
            auto const line = mutations.of(row.line);
            auto const once = checked(encoder, line);
            ++(once ? accepted : rejected);
            BOOST_CHECK_MESSAGE(checked(encoder, line) == once, "not the same again: " << line);
        }
        auto const hex = checked(encoder, row.line);
        BOOST_CHECK_MESSAGE(hex == row.hex, row.stream << ", after mutated lines: " << row.line);
    }
    // A good share of both, or the mutations are no longer what they should be.
    BOOST_CHECK_GT(accepted, rows.size() * static_cast<std::size_t>(each) / 12);
    BOOST_CHECK_GT(rejected, rows.size() * static_cast<std::size_t>(each) / 12);
}

}  // namespace
}  // namespace nlstream
