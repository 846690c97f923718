// BPF programs from ELF object files, by libbpf if it was there when nlstream was built.
#pragma once
#include "netlink/context.hpp"

namespace nlstream {

/// Loads the program and what it needs (maps, which are pinned where the object says so) into the kernel, and returns a descriptor of
/// it, which the caller has to close. `say` gets whole lines of what the loader and the kernel say, if that is wanted. Throws NotLoaded.
int load_object(ProgramInFile const& program, std::function<void(std::string_view)> const& say);

/// Finds the program, and returns a descriptor of the file instead. Throws NotLoaded.
int open_object(ProgramInFile const& program);

}  // namespace nlstream
