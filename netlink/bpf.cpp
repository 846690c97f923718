#include "netlink/bpf.hpp"

#include <cerrno>
#include <cstring>

namespace nlstream {

void read_pinned_program(Line& line, u16 descriptor, u16 name) {
    auto const& word = line.take("pinned FILE");
    if (abbreviates(word.text, "object-file") || word.text == "obj")
        throw Diagnostic{"nlstream does not load BPF objects", word.span, {}, "pin the program (bpftool prog load) and write \"pinned FILE\"", code::unsupported};
    if (!abbreviates(word.text, "object-pinned") && !abbreviates(word.text, "pinned") && !abbreviates(word.text, "fd")) fail_value(word, "a program", "pinned FILE");
    auto const& path = line.take("FILE");
    auto program = line.files.open_pinned_program(std::string(path.text));
    if (!program) throw Diagnostic{"there is no BPF program pinned at \"" + std::string(path.text) + '"', path.span, std::strerror(errno), {}, code::value};
    line.out.put(descriptor, static_cast<u32>(line.kept.emplace_back(std::move(program))->descriptor()));
    line.out.put_string(name, std::string(path.text.substr(path.text.rfind('/') + 1)) + ":[*fsobj]");
    if (line.take_if_abbreviates("section")) line.take("SECTION");
    if (line.take_if("program")) line.take("NAME");
    line.take_if_abbreviates("verbose");
}

}  // namespace nlstream
