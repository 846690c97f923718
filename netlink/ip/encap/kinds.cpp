#include "netlink/ip/encap/kinds.hpp"

namespace nlstream::ip {

extern EncapKind const bpf_encap, ila_encap, ioam6_encap, ip_encap, ip6_encap, mpls_encap, rpl_encap, seg6_encap, seg6local_encap, xfrm_encap;

std::span<EncapKind const* const> encap_kinds() {
    static constexpr EncapKind const* kinds[] = {&bpf_encap, &ila_encap, &ioam6_encap, &ip_encap, &ip6_encap, &mpls_encap, &rpl_encap, &seg6_encap, &seg6local_encap, &xfrm_encap};
    return kinds;
}

void read_encap(Line& line, u16 encap, u16 encap_type) {
    auto const& word = line.take("TYPE");
    auto const& kind = find_kind(line, word, encap_kinds(), "encapsulation");
    if (line.done()) fail_missing(line, "what to encapsulate with");
    line.out.nest(static_cast<u16>(encap | NLA_F_NESTED), [&] { kind.read(line); });
    line.out.source(word.span);
    line.out.put(encap_type, kind.type);
}

}  // namespace nlstream::ip
