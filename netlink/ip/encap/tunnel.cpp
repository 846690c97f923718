#include "netlink/ip/encap/tunnel.hpp"

#include "netlink/address.hpp"
#include "netlink/parts.hpp"

namespace nlstream::ip {
namespace {

u8 byte_of(Word const& word) { return static_cast<u8>(read_number(word, 0, 0xff)); }

/// Puts the parts of one option, each by its place, from 1 on; an empty part is left out.
template <class Put>
void put_parts(Line& line, Word const& word, u16 attribute, u16 most, std::string_view form, Put&& put) {
    line.out.nest(static_cast<u16>(attribute | NLA_F_NESTED), [&] {
        u16 place = 0;
        for (Parts parts(word, ':'); parts.more();) {
            auto const part = parts.next();
            if (++place > most) fail_value(word, "an option", form);
            if (!part.text.empty()) put(place, part);
        }
    });
}

template <class Body>
void put_options(Line& line, Tunnel& t, Body&& body) {
    t.options = true;
    line.out.nest(LWTUNNEL_IP_OPTS | NLA_F_NESTED, body);
}

}  // namespace

std::string_view second_options(Tunnel const& t) { return t.options ? "a tunnel has options of one kind" : ""; }

void read_geneve_options(Line& line, Tunnel& t) {
    auto const& word = line.take("CLASS:TYPE:DATA");
    put_options(line, t, [&] {
        for (Parts options(word, ','); options.more();)
            put_parts(line, options.next(), LWTUNNEL_IP_OPTS_GENEVE, 3, "CLASS:TYPE:DATA", [&](u16 place, Word const& part) {
                if (place == LWTUNNEL_IP_OPT_GENEVE_CLASS) return line.out.put(place, big16(static_cast<u16>(read_number(part, 0, 0xffff))));
                if (place == LWTUNNEL_IP_OPT_GENEVE_TYPE) return line.out.put(place, byte_of(part));
                std::array<u8, 128> data;
                auto const length = read_hex(part, data);
                line.out.put(place, data.data(), length);
            });
    });
}

void read_vxlan_options(Line& line, Tunnel& t) {
    auto const gbp = static_cast<u32>(read_number(line.take("GBP")));
    put_options(line, t, [&] { line.out.nest(LWTUNNEL_IP_OPTS_VXLAN | NLA_F_NESTED, [&] { line.out.put(LWTUNNEL_IP_OPT_VXLAN_GBP, gbp); }); });
}

void read_erspan_options(Line& line, Tunnel& t) {
    auto const& word = line.take("VERSION:INDEX:DIRECTION:HWID");
    put_options(line, t, [&] {
        put_parts(line, word, LWTUNNEL_IP_OPTS_ERSPAN, 4, "VERSION:INDEX:DIRECTION:HWID", [&](u16 place, Word const& part) {
            if (place == LWTUNNEL_IP_OPT_ERSPAN_INDEX) line.out.put(place, big32(static_cast<u32>(read_number(part))));
            else line.out.put(place, byte_of(part));
        });
    });
}

}  // namespace nlstream::ip
