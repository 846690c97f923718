// ematch nbyte: bytes at a place in the packet.
#include <linux/pkt_cls.h>
#include <linux/tc_ematch/tc_em_nbyte.h>

#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Nbyte {
    u8 layer = TCF_LAYER_NETWORK;
    u16 offset = 0;
};

constexpr Row rows[] = {
    {"at",    "OFFSET", U16(keep<&Nbyte::offset>), "Where the bytes are, from the start of the layer. Required."},
    {"layer", "LAYER",  Choice{{kept, 1, false, keep<&Nbyte::layer>}, ematch_layers, ematch_layer_max}, "link, network (default) or transport, or its number."},
};
constexpr auto table = keywords<Nbyte>(rows);

void read(Line& line) {
    constexpr std::size_t max = 4095;  // 12 bits of tcf_em_nbyte
    auto const& word = line.take("BYTES");
    auto const bytes = is_string(word) ? read_string(word) : std::string(word.text);
    if (bytes.empty() || bytes.size() > max) fail_range(word, "1 to " + std::to_string(max) + " bytes");
    Nbyte n;
    Reader reader(table, n);
    read_to_bracket(line, reader);
    if (!reader.seen("at")) fail_use(word, "nbyte needs at OFFSET");
    tcf_em_nbyte out{};
    out.off = n.offset;
    out.len = bytes.size() & max;
    out.layer = n.layer & 0xf;
    line.out.put_raw(&out, sizeof out);
    line.out.put_raw(bytes.data(), bytes.size());
}

}  // namespace

extern constinit EmatchKind const nbyte_ematch = {{"ematch", "nbyte", "Looks for bytes at a place: nbyte(\"GET\" at 20).", {{{"", table}}}}, TCF_EM_NBYTE, read};

}  // namespace nlstream::tc
