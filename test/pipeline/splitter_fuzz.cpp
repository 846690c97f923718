// Whatever the bytes and however they arrive: the lines are the same, nothing is lost, and nothing is read out of
// bounds.
#include <cstdlib>
#include <string>
#include <vector>

#include "pipeline/splitter.hpp"

namespace {

using namespace nlstream;

std::vector<std::string> split(std::string_view text, std::size_t piece, std::size_t& raw_bytes) {
    std::vector<std::string> lines;
    Splitter splitter;
    LogicalLine line;
    std::size_t begin = 0, shown = 0, consumed = 0;
    raw_bytes = 0;
    for (bool at_end = false; !at_end;) {
        at_end = shown == text.size();
        shown = std::min(text.size(), shown + piece);
        // A copy of its own size lets the address sanitizer see a read beyond what is shown.
        std::vector<char> const rest(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                     text.begin() + static_cast<std::ptrdiff_t>(shown));
        std::size_t position = 0;
        while (splitter.next({rest.data() + position, rest.size() - position}, at_end, line, consumed)) {
            lines.push_back(std::to_string(line.number) + ':' + std::string(line.text));
            raw_bytes += line.raw.size();
            position += consumed;
        }
        begin += position + consumed;
    }
    return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    std::size_t whole_bytes = 0, pieces_bytes = 0;
    auto const whole = split(text, text.size() + 1, whole_bytes);
    if (split(text, 1 + data[0] % 16, pieces_bytes) != whole || whole_bytes != pieces_bytes) std::abort();
    // All bytes but the newlines that end lines.
    if (whole_bytes > text.size() || whole_bytes + whole.size() < text.size()) std::abort();
    return 0;
}
