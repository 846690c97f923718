// ematch u32: a masked word of the packet.
#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/filter/u32_selector.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

template <int Bits>
void read_key(Line& line, Selector& selector) {
    constexpr int offset_missing = 1;  // no word begins there
    auto const value = line.position();
    read_u32_key(line, selector, Bits, 0, {offset_missing});
    // Value and mask were taken; nothing else without a place.
    if (line.position() == value + 2) fail_use(line.last(), "u32 needs at OFFSET behind it");
}

constexpr Row rows[] = {
    {"u8",  "VALUE MASK at OFFSET", custom<read_key<8>>,  "One byte at OFFSET of the network header, or at nexthdr+OFFSET."},
    {"u16", "VALUE MASK at OFFSET", custom<read_key<16>>, "Two bytes."},
    {"u32", "VALUE MASK at OFFSET", custom<read_key<32>>, "Four bytes."},
};
constexpr auto table = keywords<Selector>(rows);

void read(Line& line) {
    Selector selector;
    Reader reader(table, selector);
    if (!reader.read_one(line)) reader.fail_unknown(line);
    line.out.put_raw(selector.keys.data(), sizeof selector.keys[0]);
}

}  // namespace

extern constinit EmatchKind const u32_ematch = {{"ematch", "u32", "Matches a masked word: \"u32(u16 0x1122 0xffff at nexthdr+4)\".", {{{"", table}}}}, TCF_EM_U32, read};

}  // namespace nlstream::tc
