// Every golden row is encoded to the same bytes, every line of the reject files is rejected with a place.
#define BOOST_TEST_MODULE golden
#include <boost/test/unit_test.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <sys/socket.h>

#include <fstream>

#include "netlink/encoder.hpp"
#include "test/support/fixed_world.hpp"

namespace nlstream {
namespace {

struct Stream {
    char const* file;
    Tool tool;
    u8 family;
    friend std::ostream& operator<<(std::ostream& out, Stream const& s) { return out << s.file; }
};

constexpr Stream streams[] = {
    {"tc", Tool::tc, AF_UNSPEC}, {"ip", Tool::ip, AF_UNSPEC}, {"ip-4", Tool::ip, AF_INET}, {"ip-6", Tool::ip, AF_INET6}, {"bridge", Tool::bridge, AF_UNSPEC},
};

std::string const folder = NLSTREAM_GOLDEN_DIR "/";

/// Encodes one line in a world of its own, as hexadecimal, messages separated by ';'.
std::string encode(Stream const& stream, std::string const& line) {
    static test::TableKernel kernel(folder + "links.tsv");
    static test::MemoryFiles files;
    Encoder encoder(kernel, files, {.tool = stream.tool, .family = stream.family});
    MessageBuffer out;
    encoder.encode(line, out);
    std::string hex;
    for (auto bytes = std::span<std::byte const>(out.bytes()); !bytes.empty();) {
        auto const length = reinterpret_cast<nlmsghdr const*>(bytes.data())->nlmsg_len;
        hex += (hex.empty() ? "" : ";") + test::to_hex(bytes.first(length));
        bytes = bytes.subspan(NLMSG_ALIGN(length));
    }
    return hex;
}

std::vector<std::string> lines_of(std::string const& name) {
    std::ifstream in(folder + name);
    BOOST_REQUIRE_MESSAGE(in, "cannot read " + folder + name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

BOOST_DATA_TEST_CASE(rows_are_encoded_to_the_same_bytes, boost::unit_test::data::make(streams), stream) {
    for (auto const& row : lines_of(std::string(stream.file) + ".tsv")) {
        auto const tab = row.find('\t');
        auto const line = row.substr(0, tab);
        try {
            auto const hex = encode(stream, line);
            BOOST_CHECK_MESSAGE(hex == row.substr(tab + 1), stream.file << ": " << line << "\n  expected " << row.substr(tab + 1) << "\n  encoded  " << hex);
        } catch (Diagnostic const& d) {
            BOOST_ERROR(render(d, {stream.file, 1, line}));
        }
    }
}

BOOST_DATA_TEST_CASE(rejected_lines_are_rejected_with_a_place, boost::unit_test::data::make(streams), stream) {
    for (auto const& line : lines_of(std::string(stream.file) + ".reject.txt")) {
        try {
            auto const hex = encode(stream, line);
            BOOST_ERROR(stream.file << ": accepted: " << line << "\n  as " << hex);
        } catch (Diagnostic const& d) {
            BOOST_CHECK_MESSAGE(d.where.end > d.where.begin, "no place in\n" << render(d, {stream.file, 1, line}));
        }
    }
}

}  // namespace
}  // namespace nlstream
