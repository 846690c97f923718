// ematch cmp: a number in the packet, compared.
#include <linux/pkt_cls.h>
#include <linux/tc_ematch/tc_em_cmp.h>

#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Cmp {
    u8 layer = TCF_LAYER_NETWORK;
    u16 offset = 0;
    u32 mask = 0;
    bool swap = false;
    u8 comparison = 0;  // TCF_EM_OPND_*
    u32 value = 0;
};

constexpr NamedValue widths[] = {{"u8", TCF_EM_ALIGN_U8}, {"u16", TCF_EM_ALIGN_U16}, {"u32", TCF_EM_ALIGN_U32}};

template <u8 Comparison>
void read_value(Line& line, Cmp& c) {
    c.comparison = Comparison;
    c.value = static_cast<u32>(read_number(line.take("VALUE")));
}

constexpr Row rows[] = {
    {"at",    "OFFSET", U16(keep<&Cmp::offset>),  "Where the number is, in bytes from the start of the layer. Required."},
    {"layer", "LAYER",  Choice{{kept, 1, false, keep<&Cmp::layer>}, ematch_layers, ematch_layer_max}, "link, network (default) or transport, or its number."},
    {"mask",  "MASK",   U32(keep<&Cmp::mask>),    "Compare only these bits."},
    {"trans", "",       set(keep<&Cmp::swap>),    "The number is in the machine's byte order and not in the network's."},
    {"eq",    "VALUE",  custom<read_value<TCF_EM_OPND_EQ>>, "It is VALUE."},
    {"gt",    "VALUE",  custom<read_value<TCF_EM_OPND_GT>>, "It is greater than VALUE."},
    {"lt",    "VALUE",  custom<read_value<TCF_EM_OPND_LT>>, "It is less than VALUE."},
};
constexpr auto table = keywords<Cmp>(rows);

void read(Line& line) {
    auto const& word = line.take("u8, u16 or u32");
    auto const width = read_choice(word, widths, "cmp");
    Cmp c;
    Reader reader(table, c);
    read_to_bracket(line, reader);
    if (!reader.seen("at") || !(reader.seen("eq") || reader.seen("gt") || reader.seen("lt"))) fail_use(word, "cmp needs at OFFSET, and eq, gt or lt VALUE");
    tcf_em_cmp out{};
    out.val = c.value;
    out.mask = c.mask;
    out.off = c.offset;
    out.align = width & 0xf;
    out.flags = c.swap ? TCF_EM_CMP_TRANS : 0;
    out.layer = c.layer & 0xf;
    out.opnd = c.comparison & 0xf;
    line.out.put_raw(&out, sizeof out);
}

}  // namespace

extern constinit EmatchKind const cmp_ematch = {{"ematch", "cmp", "Compares a number in the packet: \"cmp(u16 at 2 layer 1 gt 1000)\".", {{{"", table}}}}, TCF_EM_CMP, read};

}  // namespace nlstream::tc
