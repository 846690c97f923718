// ip link ... xdp: the BPF program that sees a link's packets first.
#include <linux/if_link.h>

#include "netlink/bpf.hpp"
#include "netlink/ip/link.hpp"

namespace nlstream::ip {
namespace {

void put_xdp(Line& line, s32 descriptor, u32 flags) {
    line.out.nest(IFLA_XDP, [&] {
        line.out.put(IFLA_XDP_FD, descriptor);
        if (flags) line.out.put(IFLA_XDP_FLAGS, flags);
    });
}

}  // namespace

void read_xdp(Line& line, u32 mode, u32 device) {
    if (line.at("off") || line.at("none")) {
        auto const& off = line.take("off");
        if (!line.done()) fail_use(line.peek(), std::string(off.text) + " has to be the line's last word");
        return put_xdp(line, -1, mode);
    }
    auto const program = read_program(line, program_for::xdp, "off, object FILE or pinned FILE");
    put_xdp(line, open_program(line, program, device), mode);
}

}  // namespace nlstream::ip
