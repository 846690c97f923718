// BPF programs that requests name by descriptor.
#pragma once
#include <linux/bpf.h>

#include "netlink/line.hpp"

namespace nlstream {

/// What a program is for.
struct ProgramUse {
    bpf_prog_type type;
    std::string_view section;  ///< of an object file, unless the line names another
    bool exports = false;      ///< iproute2 knows `export` for it
};
namespace program_for {
inline constexpr ProgramUse classifier{BPF_PROG_TYPE_SCHED_CLS, "classifier", true};
inline constexpr ProgramUse action{BPF_PROG_TYPE_SCHED_ACT, "action", true};
inline constexpr ProgramUse xdp{BPF_PROG_TYPE_XDP, "prog"};
inline constexpr ProgramUse lwt_in{BPF_PROG_TYPE_LWT_IN, "prog"};
inline constexpr ProgramUse lwt_out{BPF_PROG_TYPE_LWT_OUT, "prog"};
inline constexpr ProgramUse lwt_xmit{BPF_PROG_TYPE_LWT_XMIT, "prog"};
inline constexpr ProgramUse seg6local{BPF_PROG_TYPE_LWT_SEG6LOCAL, "prog"};
}  // namespace program_for

/// A program that a line names: one pinned in a bpffs, or one in an object file.
struct NamedProgram {
    ProgramUse use;
    bool pinned;
    Word file;
    Word section;         ///< its place is the file's if the line names none
    Word function = {};   ///< without text: none
    bool verbose = false;
};

/// Reads "FILE [section NAME] [program NAME] [verbose]". Throws Diagnostic.
NamedProgram read_named_program(Line& line, ProgramUse const& use, bool pinned);
/// Reads that and the word before it: object-file, obj; object-pinned, pinned, fd. `wanted` is what may stand there. Throws Diagnostic.
NamedProgram read_program(Line& line, ProgramUse const& use, std::string_view wanted = "object-file FILE or pinned FILE");

/// Opens it, or loads it for the hardware of the link `device` (an index; 0: for the kernel), and keeps it open until the line's messages
/// are settled. Returns the descriptor. Throws Diagnostic.
int open_program(Line& line, NamedProgram const& program, u32 device = 0);
/// What iproute2 calls it: "FILENAME:[SECTION]", "FILENAME:[*fsobj]".
std::string name_of(NamedProgram const& program);

/// Reads a program, opens it, and puts descriptor and name as these attributes.
void put_program(Line& line, ProgramUse const& use, u16 descriptor, u16 name);

}  // namespace nlstream
