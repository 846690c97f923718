// ip route ... encap bpf: programs that see the route's packets.
#include "netlink/bpf.hpp"
#include "netlink/ip/encap/kinds.hpp"

namespace nlstream::ip {
namespace {

struct Bpf {
    bool headroom = false;
};

template <u16 Attribute, ProgramUse const& Use>
void read_program(Line& line, Bpf&) {
    line.out.nest(Attribute | NLA_F_NESTED, [&] { put_program(line, Use, LWT_BPF_PROG_FD, LWT_BPF_PROG_NAME); });
}
void read_headroom(Line& line, Bpf& b) {
    auto const bytes = static_cast<u32>(read_number(line.take("BYTES"), 1));
    // The first one counts.
    if (!b.headroom) line.out.put(LWT_BPF_XMIT_HEADROOM, bytes);
    b.headroom = true;
}

constexpr Row rows[] = {
    {"in",       "object FILE|pinned FILE", custom<read_program<LWT_BPF_IN, program_for::lwt_in>>,     "For packets that come in."},
    {"out",      "object FILE|pinned FILE", custom<read_program<LWT_BPF_OUT, program_for::lwt_out>>,   "For packets that go out."},
    {"xmit",     "object FILE|pinned FILE", custom<read_program<LWT_BPF_XMIT, program_for::lwt_xmit>>, "For packets just before they are sent."},
    {"headroom", "BYTES",                   custom<read_headroom>,                                 "So much may be added in front of a packet."},
};
constexpr auto table = keywords<Bpf>(rows);

void read(Line& line) {
    Bpf b;
    Reader(table, b).read_some(line);
}

}  // namespace

extern constinit EncapKind const bpf_encap = {{"encap", "bpf", "BPF programs.", {{{"", table}}}}, LWTUNNEL_ENCAP_BPF, read};

}  // namespace nlstream::ip
