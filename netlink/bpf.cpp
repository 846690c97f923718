#include "netlink/bpf.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace nlstream {
namespace {

/// The kernel takes no longer names.
constexpr std::size_t longest_name = 255;

[[noreturn]] void fail_load(NamedProgram const& program, NotLoaded const& fault) {
    std::string const file(program.file.text);
    switch (fault.fault) {
        case NotLoaded::Fault::loader:
            throw Diagnostic{"this nlstream was built without libbpf, and loads no BPF programs", program.file.span, {},
                             "pin the program (bpftool prog load) and write \"pinned FILE\"", code::unsupported};
        case NotLoaded::Fault::name: {
            bool const by_section = program.function.text.empty();
            auto const& name = by_section ? program.section : program.function;
            throw Diagnostic{'"' + file + "\" has no BPF program " + (by_section ? "in a section" : "of the name") + " \"" + std::string(name.text) + '"', name.span,
                             fault.why, {}, code::value};
        }
        case NotLoaded::Fault::file: break;
    }
    throw Diagnostic{"the BPF program cannot be loaded from \"" + file + '"', program.file.span, fault.why, {}, code::value};
}

}  // namespace

NamedProgram read_named_program(Line& line, ProgramUse const& use, bool pinned) {
    auto const& file = line.take("FILE");
    NamedProgram program{use, pinned, file, {use.section, file.span}};
    if (line.take_if_abbreviates("section")) program.section = line.take("SECTION");
    if (line.take_if("program")) program.function = line.take("NAME");
    if (use.exports && !line.done() && abbreviates(line.peek().text, "export"))
        throw Diagnostic{"nlstream hands a program's maps on to nobody", line.peek().span, {}, "let the object pin them, and open them there", code::unsupported};
    program.verbose = line.take_if_abbreviates("verbose");
    return program;
}

NamedProgram read_program(Line& line, ProgramUse const& use, std::string_view wanted) {
    auto const& word = line.take(wanted);
    // In this order: "object" is short for object-file.
    bool const in_object = abbreviates(word.text, "object-file") || word.text == "obj";
    if (!in_object && !abbreviates(word.text, "object-pinned") && !abbreviates(word.text, "pinned") && !abbreviates(word.text, "fd"))
        fail_value(word, "a program", std::string(wanted));
    return read_named_program(line, use, !in_object);
}

int open_program(Line& line, NamedProgram const& program, u32 device) {
    std::string const path(program.file.text);
    line.require_descriptor();
    std::unique_ptr<OpenFile> file;
    if (program.pinned) {
        file = line.files.open_pinned_program(path);
        if (!file) throw Diagnostic{"there is no BPF program pinned at \"" + path + '"', program.file.span, std::strerror(errno), {}, code::value};
    } else {
        try {
            file = line.files.load_program({path, std::string(program.section.text), std::string(program.function.text), program.use.type, device, program.verbose});
        } catch (NotLoaded const& fault) {
            fail_load(program, fault);
        }
    }
    return line.keep(std::move(file)).descriptor();
}

std::string name_of(NamedProgram const& program) {
    std::string name(program.file.text.substr(program.file.text.rfind('/') + 1));
    name.append(":[").append(program.pinned ? "*fsobj" : program.section.text).append("]");
    name.resize(std::min(name.size(), longest_name));
    return name;
}

void put_program(Line& line, ProgramUse const& use, u16 descriptor, u16 name) {
    auto const program = read_program(line, use);
    line.out.put(descriptor, static_cast<u32>(open_program(line, program)));
    line.out.put_string(name, name_of(program));
}

}  // namespace nlstream
