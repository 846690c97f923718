#include "netlink/bpf.hpp"

#include <cerrno>
#include <cstring>

namespace nlstream {

bool names_object(std::string_view word) { return abbreviates(word, "object-file") || word == "obj"; }

void fail_object(Word const& word) {
    throw Diagnostic{"nlstream does not load BPF objects", word.span, {}, "pin the program (bpftool prog load) and write \"pinned FILE\"", code::unsupported};
}

OpenProgram open_pinned_program(Line& line) {
    auto const& path = line.take("FILE");
    auto file = line.files.open_pinned_program(std::string(path.text));
    if (!file) throw Diagnostic{"there is no BPF program pinned at \"" + std::string(path.text) + '"', path.span, std::strerror(errno), {}, code::value};
    OpenProgram const program{line.kept.emplace_back(std::move(file))->descriptor(), std::string(path.text.substr(path.text.rfind('/') + 1)) + ":[*fsobj]"};
    if (line.take_if_abbreviates("section")) line.take("SECTION");
    if (line.take_if("program")) line.take("NAME");
    line.take_if_abbreviates("verbose");
    return program;
}

OpenProgram read_pinned_program(Line& line, std::string_view wanted) {
    auto const& word = line.take(wanted);
    if (names_object(word.text)) fail_object(word);
    if (!abbreviates(word.text, "object-pinned") && !abbreviates(word.text, "pinned") && !abbreviates(word.text, "fd")) fail_value(word, "a program", std::string(wanted));
    return open_pinned_program(line);
}

void put_pinned_program(Line& line, u16 descriptor, u16 name) {
    auto const program = read_pinned_program(line);
    line.out.put(descriptor, static_cast<u32>(program.descriptor));
    line.out.put_string(name, program.name);
}

}  // namespace nlstream
