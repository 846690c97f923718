// BPF programs from ELF object files, by libbpf if it was there when nlstream was built.
#pragma once
#include "netlink/context.hpp"

namespace nlstream {

/// Loads the program and what it needs (maps, which are pinned where the object says so) into the kernel, and returns a descriptor of
/// it, which the caller has to close. Throws NotLoaded.
int load_object(ProgramInFile const& program);

/// Finds the program, and returns a descriptor of the file instead. Throws NotLoaded.
int open_object(ProgramInFile const& program);

}  // namespace nlstream
