#include "netlink/tc/bpf.hpp"

#include <linux/bpf_common.h>

#include <algorithm>

#include "netlink/parts.hpp"

namespace nlstream::tc {
namespace {

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

void read_bytecode_word(Line& line, BpfProgram& p) { p.instructions = read_bytecode(line.take("BYTECODE")); }

/// The same from a file, whose line ends count as commas; more than one are one.
void read_bytecode_file(Line& line, BpfProgram& p) {
    auto const& path = line.take("FILE");
    auto text = line.files.read(std::string(path.text));
    if (!text) fail_value(path, "a file", "a file that can be read");
    std::ranges::replace(*text, '\n', ',');
    auto const both_commas = [](char a, char b) { return a == ',' && b == ','; };
    text->erase(std::unique(text->begin(), text->end(), both_commas), text->end());
    try {
        p.instructions = read_bytecode({*text, {}});
    } catch (Diagnostic& d) {
        // The place in the file is none of the line.
        d.where = path.span;
        throw;
    }
}

void read_pinned(Line& line, BpfProgram& p) { p.open = open_pinned_program(line); }

constexpr Row rows[] = {
    {"bytecode*|bc",               "'N,CODE JT JF K,...'", custom<read_bytecode_word>, "A classic program of N instructions, in decimal, as tcpdump -ddd prints it."},
    {"bytecode-file*|bcf",         "FILE",                 custom<read_bytecode_file>, "The same from a file, where lines may stand for commas."},
    {"object-pinned*|pinned*|fd*", "FILE [section NAME] [program NAME] [verbose]", custom<read_pinned>, "An eBPF program that is pinned at FILE."},
};
constexpr auto table = keywords<BpfProgram>(rows);

}  // namespace

Table bpf_program_table() { return table; }

BpfProgram read_bpf_program(Line& line) {
    BpfProgram program;
    Reader reader(table, program);
    if (!line.done() && names_object(line.peek().text)) fail_object(line.peek());
    if (line.done()) fail_missing(line, "a program: bytecode BYTECODE, bytecode-file FILE or object-pinned FILE");
    if (!reader.read_one(line)) reader.fail_unknown(line);
    return program;
}

void put_bpf_program(Line& line, BpfProgram const& program, BpfAttributes const& attributes) {
    if (program.open.descriptor < 0) {
        line.out.put(attributes.length, static_cast<u16>(program.instructions.size()));
        line.out.put(attributes.instructions, program.instructions.data(), program.instructions.size() * sizeof(sock_filter));
    } else {
        line.out.put(attributes.descriptor, static_cast<u32>(program.open.descriptor));
        line.out.put_string(attributes.name, program.open.name);
    }
}

}  // namespace nlstream::tc
