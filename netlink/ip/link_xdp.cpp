// ip link ... xdp: the BPF program that sees a link's packets first.
#include <linux/if_link.h>

#include <cerrno>
#include <cstring>

#include "netlink/ip/link.hpp"

namespace nlstream::ip {
namespace {

void put_program(Line& line, s32 descriptor, u32 flags) {
    line.out.nest(IFLA_XDP, [&] {
        line.out.put(IFLA_XDP_FD, descriptor);
        if (flags) line.out.put(IFLA_XDP_FLAGS, flags);
    });
}

/// What iproute2 takes after a file and does not need for a pinned program.
void skip_names(Line& line) {
    if (line.take_if_abbreviates("section")) line.take("SECTION");
    if (line.take_if("program")) line.take("NAME");
    line.take_if_abbreviates("verbose");
}

}  // namespace

void read_xdp(Line& line, u32 mode) {
    auto const& word = line.take("off or pinned FILE");
    if (word.text == "off" || word.text == "none") {
        if (!line.done()) fail_use(line.peek(), std::string(word.text) + " has to be the line's last word");
        return put_program(line, -1, mode);
    }
    if (abbreviates(word.text, "object-file") || word.text == "obj")
        throw Diagnostic{"nlstream does not load BPF objects", word.span, {}, "pin the program (bpftool prog load) and write \"pinned FILE\"", code::unsupported};
    if (!abbreviates(word.text, "object-pinned") && !abbreviates(word.text, "pinned") && !abbreviates(word.text, "fd")) fail_value(word, "a program", "off or pinned FILE");
    auto const& path = line.take("FILE");
    auto program = line.files.open_pinned_program(std::string(path.text));
    if (!program) throw Diagnostic{"there is no BPF program pinned at \"" + std::string(path.text) + '"', path.span, std::strerror(errno), {}, code::value};
    put_program(line, line.kept.emplace_back(std::move(program))->descriptor(), mode);
    skip_names(line);
}

}  // namespace nlstream::ip
