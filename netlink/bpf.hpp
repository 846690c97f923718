// BPF programs that requests name by descriptor.
#pragma once
#include "netlink/line.hpp"

namespace nlstream {

/// A program that stays open until the line's messages are settled.
struct OpenProgram {
    int descriptor = -1;
    std::string name;  ///< as iproute2 calls it: "FILENAME:[*fsobj]"
};

/// Reads "FILE [section NAME] [program NAME] [verbose]" and opens the program that is pinned there. The names and `verbose` mean
/// nothing for a pinned program. Throws Diagnostic, also when the program cannot be opened.
OpenProgram open_pinned_program(Line& line);

/// Reads "pinned FILE ..." as above (object-pinned and fd are other words for pinned). `wanted` is what may stand there. Throws Diagnostic.
OpenProgram read_pinned_program(Line& line, std::string_view wanted = "pinned FILE");

/// The same, put as attributes.
void put_pinned_program(Line& line, u16 descriptor, u16 name);

/// True when the word asks for a program from an object file, which libbpf would have to load.
bool names_object(std::string_view word);
/// Throws: nlstream does not load BPF objects, and what to do instead. `word` asked for it.
[[noreturn]] void fail_object(Word const& word);

}  // namespace nlstream
