#include "test/support/golden.hpp"

#include <sys/socket.h>

#include <fstream>
#include <stdexcept>

#include "test/support/fixed_world.hpp"

namespace nlstream::test {
namespace {

std::string const folder = NLSTREAM_GOLDEN_DIR "/";

std::vector<std::string> lines_of(std::string const& name, bool required) {
    std::ifstream in(folder + name);
    if (!in && required) throw std::runtime_error("cannot read " + folder + name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

void add_rows(std::vector<GoldenRow>& rows, Stream const& stream, std::vector<std::string> const& lines) {
    for (auto const& line : lines) {
        if (line.empty() || line[0] == '#') continue;
        auto const tab = line.rfind('\t');
        if (tab == line.npos) throw std::runtime_error("no tab in the golden row " + line);
        rows.push_back({stream, line.substr(0, tab), line.substr(tab + 1)});
    }
}

/// Puts the tables that netem's rows carry among the files, so that no iproute2 need be installed.
void add_distributions(MemoryFiles& files) {
    constexpr std::string_view keyword = " distribution ";
    constexpr std::size_t numbers = 4096;
    for (auto const& row : golden_rows()) {
        auto const at = row.line.find(keyword);
        if (at == row.line.npos) continue;
        auto const name = row.line.substr(at + keyword.size(), row.line.find(' ', at + keyword.size()) - at - keyword.size());
        // TCA_NETEM_DELAY_DIST or TCA_NETEM_SLOT_DIST is the last attribute: its header, then the numbers.
        auto header = row.hex.rfind("04200200");
        if (header == row.hex.npos) header = row.hex.rfind("04200d00");
        if (header == row.hex.npos || header + 8 + numbers * 4 != row.hex.size()) throw std::runtime_error("no table in the golden row " + row.line);
        auto& text = files.contents["/usr/lib/tc/" + name + ".dist"];
        text.clear();
        for (std::size_t i = 0; i < numbers; ++i) {
            auto const digits = row.hex.substr(header + 8 + i * 4, 4);
            auto const value = std::stoul(digits.substr(2) + digits.substr(0, 2), nullptr, 16);
            text += std::to_string(static_cast<std::int16_t>(value)) + (i % 8 == 7 ? "\n" : " ");
        }
    }
}

}  // namespace

std::vector<Stream> const& golden_streams() {
    static std::vector<Stream> const streams = {
        {"tc", Tool::tc, AF_UNSPEC}, {"ip", Tool::ip, AF_UNSPEC}, {"ip-4", Tool::ip, AF_INET}, {"ip-6", Tool::ip, AF_INET6}, {"bridge", Tool::bridge, AF_UNSPEC},
    };
    return streams;
}

std::vector<GoldenRow> golden_rows() {
    std::vector<GoldenRow> rows;
    for (auto const& stream : golden_streams()) {
        auto const before = rows.size();
        add_rows(rows, stream, lines_of(stream.file + ".tsv", true));
        if (rows.size() == before) throw std::runtime_error("no rows in " + stream.file + ".tsv");
        add_rows(rows, stream, lines_of("more-" + stream.file + ".tsv", false));
    }
    return rows;
}

std::vector<GoldenRow> rejected_lines() {
    std::vector<GoldenRow> rows;
    for (auto const& stream : golden_streams())
        for (auto const& name : {stream.file + ".reject.txt", "more-" + stream.file + ".reject.txt"})
            for (auto const& line : lines_of(name, false)) rows.push_back({stream, line, {}});
    if (rows.empty()) throw std::runtime_error("no lines to be rejected");
    return rows;
}

struct GoldenWorld::State {
    TableKernel kernel{folder + "links.tsv"};
    MemoryFiles files;
    State() {
        files.programs = {{"/sys/fs/bpf/pinned", 7}};
        for (auto const* program : {"classifier", "action", "prog", "second", "custom", "first"}) files.objects[std::string("programs.o ") + program] = 6;
        files.descriptors = {{"/var/run/netns/blue", 9}, {"/proc/4711/ns/net", 8}};
        files.contents["program.bc"] = "2\n40 0 0 12\n6 0 0 0\n";
        add_distributions(files);
    }
};

GoldenWorld::GoldenWorld() : state_(std::make_unique<State>()) {}
GoldenWorld::~GoldenWorld() = default;

std::unique_ptr<Encoder> GoldenWorld::encoder(Stream const& stream) {
    return std::make_unique<Encoder>(state_->kernel, state_->files, Encoder::Options{.tool = stream.tool, .family = stream.family});
}

std::string GoldenWorld::encode(Stream const& stream, std::string const& line, Trail* trail) {
    auto const all = encoder(stream);
    MessageBuffer out;
    all->encode(line, out, trail);
    return messages_to_hex(out.bytes());
}

std::string messages_to_hex(std::span<std::byte const> bytes) {
    std::string hex;
    while (!bytes.empty()) {
        auto const length = reinterpret_cast<nlmsghdr const*>(bytes.data())->nlmsg_len;
        hex += (hex.empty() ? "" : ";") + to_hex(bytes.first(length));
        bytes = bytes.subspan(std::min<std::size_t>(NLMSG_ALIGN(length), bytes.size()));
    }
    return hex;
}

}  // namespace nlstream::test
