// Lines become bytes in a world that a test makes.
#pragma once
#include <boost/test/unit_test.hpp>
#include <string>

#include "netlink/encoder.hpp"
#include "test/support/fixed_world.hpp"

namespace nlstream::test {

/// One tool's encoder, with links and files that a test adds.
struct Encoding {
    TableKernel kernel;
    MemoryFiles files;
    Encoder encoder;
    MessageBuffer out;

    explicit Encoding(Tool tool) : encoder(kernel, files, {.tool = tool}) {}
    virtual ~Encoding() = default;

    /// The line's messages in hexadecimal. Throws Diagnostic.
    std::string operator()(std::string_view line) {
        out.clear();
        encode(line);
        return to_hex(out.bytes());
    }
    virtual void encode(std::string_view line) { encoder.encode(line, out); }
    /// The text that the error points at; "the end" if it points behind the line, "accepted" if there is no error.
    std::string blamed(std::string const& line) {
        try {
            (*this)(line);
        } catch (Diagnostic const& d) {
            BOOST_TEST(d.where.end > d.where.begin);
            return d.where.begin < line.size() ? line.substr(d.where.begin, d.where.end - d.where.begin) : "the end";
        }
        return "accepted";
    }
};

}  // namespace nlstream::test
