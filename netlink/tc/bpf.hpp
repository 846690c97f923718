// The programs of filter bpf and action bpf.
#pragma once
#include <linux/filter.h>

#include <vector>

#include "netlink/bpf.hpp"
#include "netlink/table.hpp"

namespace nlstream::tc {

/// A classic program's instructions, or an open eBPF program.
struct BpfProgram {
    std::vector<sock_filter> instructions;
    OpenProgram open;
};

/// The attributes of one kind, of the same meaning.
struct BpfAttributes {
    u16 length;        ///< u16: how many instructions
    u16 instructions;  ///< struct sock_filter[]
    u16 descriptor;    ///< u32
    u16 name;          ///< string
};

/// Reads "bytecode 'N,CODE JT JF K,...'", "bytecode-file FILE" or "object-pinned FILE ...". Throws Diagnostic.
BpfProgram read_bpf_program(Line& line);
/// What says a program, for help.
Table bpf_program_table();
/// Puts it; without any, a program of no instructions, which the kernel refuses.
void put_bpf_program(Line& line, BpfProgram const& program, BpfAttributes const& attributes);

}  // namespace nlstream::tc
