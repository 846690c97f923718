#include "netlink/tc/bpf.hpp"

#include <linux/bpf_common.h>

#include <algorithm>

#include "netlink/parts.hpp"

namespace nlstream::tc {
namespace {

/// A program and what it is to be used for.
struct Reading : BpfProgram {
    ProgramUse use;
};

constexpr std::string_view blanks = " \t\r\n";

/// Takes the next word of an instruction; without text at its end.
Word take_field(Word& rest) {
    auto const begin = std::min(rest.text.find_first_not_of(blanks), rest.text.size());
    auto const length = std::min(rest.text.find_first_of(blanks, begin), rest.text.size()) - begin;
    auto const place = rest.span.begin + static_cast<u32>(begin);
    Word const field{rest.text.substr(begin, length), {place, place + static_cast<u32>(length)}};
    rest = {rest.text.substr(begin + length), {field.span.end, rest.span.end}};
    return field;
}

/// "CODE JT JF K" in decimal.
sock_filter read_instruction(Word rest) {
    auto const instruction = rest;
    auto const number = [&](u64 max) {
        auto const field = take_field(rest);
        if (field.text.empty()) fail_value(instruction, "an instruction", "CODE JT JF K");
        return read_number(field, 0, max, 10);
    };
    sock_filter read{};
    read.code = static_cast<u16>(number(0xffff));
    read.jt = static_cast<u8>(number(0xff));
    read.jf = static_cast<u8>(number(0xff));
    read.k = static_cast<u32>(number(0xffffffff));
    if (!take_field(rest).text.empty()) fail_value(instruction, "an instruction", "CODE JT JF K");
    return read;
}

/// "N,CODE JT JF K,..." with N instructions, as `tcpdump -ddd` prints it; a comma may end it.
std::vector<sock_filter> read_bytecode(Word const& word) {
    Parts parts(word, ',');
    auto first = parts.next();
    auto const count_word = take_field(first);
    auto const count = read_number(count_word, 1, BPF_MAXINSNS, 10);
    std::vector<sock_filter> instructions;
    while (parts.more()) {
        auto const part = parts.next();
        if (part.text.empty() && !parts.more()) break;
        instructions.push_back(read_instruction(part));
    }
    if (instructions.size() != count) fail_value(count_word, "a program's length", std::to_string(instructions.size()) + ", as many as instructions follow");
    return instructions;
}

void read_bytecode_word(Line& line, Reading& r) { r.instructions = read_bytecode(line.take("BYTECODE")); }

/// The same from a file, whose line ends count as commas; more than one are one.
void read_bytecode_file(Line& line, Reading& r) {
    auto const& path = line.take("FILE");
    auto text = line.files.read(std::string(path.text));
    if (!text) fail_value(path, "a file", "a file that can be read");
    std::ranges::replace(*text, '\n', ',');
    auto const both_commas = [](char a, char b) { return a == ',' && b == ','; };
    text->erase(std::unique(text->begin(), text->end(), both_commas), text->end());
    try {
        r.instructions = read_bytecode({*text, {}});
    } catch (Diagnostic& d) {
        // The place in the file is none of the line.
        d.where = path.span;
        throw;
    }
}

void read_object(Line& line, Reading& r) { r.named = read_named_program(line, r.use, false); }
void read_pinned(Line& line, Reading& r) { r.named = read_named_program(line, r.use, true); }

constexpr Row rows[] = {
    {"bytecode*|bc",               "'N,CODE JT JF K,...'", custom<read_bytecode_word>, "A classic program of N instructions, in decimal, as tcpdump -ddd prints it."},
    {"bytecode-file*|bcf",         "FILE",                 custom<read_bytecode_file>, "The same from a file, where lines may stand for commas."},
    {"object-file*|obj",           "FILE [section NAME] [program NAME] [verbose]", custom<read_object>, "An eBPF program in the ELF object FILE: the first in the section (default: classifier, of an action action), or the one of that name."},
    {"object-pinned*|pinned*|fd*", "FILE [section NAME] [program NAME] [verbose]", custom<read_pinned>, "An eBPF program that is pinned at FILE."},
};
constexpr auto table = keywords<Reading>(rows);

}  // namespace

Table bpf_program_table() { return table; }

BpfProgram read_bpf_program(Line& line, ProgramUse const& use) {
    Reading reading{{}, use};
    Reader reader(table, reading);
    if (line.done()) fail_missing(line, "a program: bytecode BYTECODE, bytecode-file FILE, object-file FILE or object-pinned FILE");
    if (!reader.read_one(line)) reader.fail_unknown(line);
    return reading;
}

void put_bpf_program(Line& line, BpfProgram const& program, BpfAttributes const& attributes, u32 device) {
    if (program.named) {
        line.out.put(attributes.descriptor, static_cast<u32>(open_program(line, *program.named, device)));
        line.out.put_string(attributes.name, name_of(*program.named));
    } else {
        line.out.put(attributes.length, static_cast<u16>(program.instructions.size()));
        line.out.put(attributes.instructions, program.instructions.data(), program.instructions.size() * sizeof(sock_filter));
    }
}

}  // namespace nlstream::tc
