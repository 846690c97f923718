// The golden rows: lines with the bytes that iproute2 7.1 sends for them.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "netlink/encoder.hpp"

namespace nlstream::test {

/// Lines of one tool and family, which stand in FILE.tsv and FILE.reject.txt; more-FILE.tsv holds the project's own.
struct Stream {
    std::string file;
    Tool tool;
    u8 family;
    friend std::ostream& operator<<(std::ostream& out, Stream const& s) { return out << s.file; }
};
std::vector<Stream> const& golden_streams();

struct GoldenRow {
    Stream stream;
    std::string line;
    std::string hex;
};
/// Every row of every file. Throws std::runtime_error when a file is missing or empty.
std::vector<GoldenRow> golden_rows();
/// Every line that is to be rejected; `hex` is empty.
std::vector<GoldenRow> rejected_lines();

/// Messages that lie one behind the other, in hexadecimal, separated by ';'.
std::string messages_to_hex(std::span<std::byte const> bytes);

/// Encodes lines in the world that the golden rows were made in: its links, no name files.
class GoldenWorld {
  public:
    GoldenWorld();
    ~GoldenWorld();
    /// The line's messages in hexadecimal, separated by ';'. Throws Diagnostic.
    std::string encode(Stream const& stream, std::string const& line, Trail* trail = nullptr);
    /// An encoder of the stream's lines, for many of them. The world must outlive it.
    std::unique_ptr<Encoder> encoder(Stream const& stream);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nlstream::test
