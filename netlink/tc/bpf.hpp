// The programs of filter bpf and action bpf.
#pragma once
#include <linux/filter.h>

#include <vector>

#include "netlink/bpf.hpp"
#include "netlink/table.hpp"

namespace nlstream::tc {

/// A classic program's instructions, or an eBPF program.
struct BpfProgram {
    std::vector<sock_filter> instructions;
    std::optional<NamedProgram> named;
};

/// The attributes of one kind, of the same meaning.
struct BpfAttributes {
    u16 length;        ///< u16: how many instructions
    u16 instructions;  ///< struct sock_filter[]
    u16 descriptor;    ///< u32
    u16 name;          ///< string
};

/// Reads "bytecode 'N,CODE JT JF K,...'", "bytecode-file FILE", "object-file FILE ..." or "object-pinned FILE ...". Throws Diagnostic.
BpfProgram read_bpf_program(Line& line, ProgramUse const& use);
/// What says a program, for help.
Table bpf_program_table();
/// Puts it; without any, a program of no instructions, which the kernel refuses. An eBPF program is opened for that, see open_program().
void put_bpf_program(Line& line, BpfProgram const& program, BpfAttributes const& attributes, u32 device = 0);

}  // namespace nlstream::tc
