// What several types of links read alike.
#pragma once
#include <array>

#include "netlink/address.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {

/// Reads a link-layer address of up to 32 bytes and puts it.
template <u16 Attribute, class State>
void put_link_address(Line& line, State&) {
    std::array<u8, 32> bytes;
    auto const length = read_link_address(line.take("LLADDR"), bytes);
    line.out.put(Attribute, bytes.data(), length);
}

/// Attributes that different keywords set (proxy, noproxy), each once. For attributes below 64.
class OnceEach {
  public:
    /// Throws a Diagnostic for the keyword taken last if the attribute was set before.
    void mark(Line const& line, u16 attribute) {
        if (has(attribute)) fail_use(line.last(), "it was set before");
        seen_ |= u64{1} << attribute;
    }
    bool has(u16 attribute) const { return (seen_ >> attribute & 1) != 0; }

  private:
    u64 seen_ = 0;
};

/// A bare keyword that puts one byte, at most once for its attribute. REQUIRES: the state has a member `once`.
template <u16 Attribute, u8 Value, class State>
void put_switch(Line& line, State& state) {
    state.once.mark(line, Attribute);
    line.out.put(Attribute, Value);
}

/// "inherit", or a dsfield in hexadecimal or by name; "inherit" is 1. Throws Diagnostic.
u8 read_tos(Line& line);

inline bool is_multicast(Address const& a) { return a.family == AF_INET ? a.bytes[0] >> 4 == 14 : a.family == AF_INET6 && a.bytes[0] == 0xff; }
inline bool is_ip(Address const& a) { return a.family == AF_INET || a.family == AF_INET6; }
inline bool is_unspecified(Address const& a) { return a.bytes == decltype(a.bytes){}; }

/// An address that is not multicast. `family`: AF_UNSPEC for any. Throws Diagnostic.
Address read_host_address(Word const& word, u8 family);

/// A number of 20 bits, in network order. Throws Diagnostic.
inline u32 read_encap_label(Line& line) { return big32(static_cast<u32>(read_number(line.take("LABEL"), 0, 0xfffff))); }

}  // namespace nlstream::ip
