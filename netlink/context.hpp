// What the encoding of a line may ask of the world outside it. Nothing else in netlink/ does input or output.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netlink/integers.hpp"

struct nlmsghdr;

namespace nlstream {

/// A network interface as RTM_GETLINK tells it.
struct Link {
    u32 index = 0;
    std::string name;
    std::string kind;   ///< IFLA_INFO_KIND ("vlan", "vrf"); empty for hardware and lo
    u32 vrf_table = 0;  ///< the routing table of a vrf
    u8 address_length = 0;  ///< bytes of its link-layer address; 0: it has none, or it is not known
};

/// A file that a request names by its descriptor: a namespace, a BPF program. The kernel looks it up when it runs the
/// request, so it has to stay open until that is settled.
class OpenFile {
  public:
    virtual ~OpenFile() = default;
    virtual int descriptor() const = 0;
};

/// Thrown while a line is encoded when its meaning depends on requests that may not have been applied yet. The caller
/// waits until the window is empty and encodes the line again.
struct BarrierNeeded {};

/// The answer to a dump request, as it comes.
class Dump {
  public:
    virtual ~Dump() = default;
    /// Calls `each` for some more messages; false when there are no more. The kernel goes on from where it is, whatever has been
    /// changed meanwhile. Throws Answer when the kernel refuses, std::system_error when it cannot be asked.
    virtual bool next(std::function<void(nlmsghdr const&)> const& each) = 0;
};

/// Questions to the kernel. Each may throw BarrierNeeded.
class Kernel {
  public:
    virtual ~Kernel() = default;
    /// The link called `name` (its name or an altname); nothing if there is none.
    virtual std::optional<Link> link(std::string_view name) = 0;
    /// The link with this index; nothing if there is none.
    virtual std::optional<Link> link(u32 index) = 0;
    /// What the link with this index has for options of its type: the attributes in IFLA_INFO_DATA; nothing if it has none.
    virtual std::optional<std::vector<std::byte>> link_options(u32 index) = 0;
    /// Sends one dump request (whole message, NLM_F_DUMP set); nullptr where there is nothing to list, as in a check. The
    /// answer shows what has been applied so far: see Line::require_settled().
    virtual std::unique_ptr<Dump> begin_dump(std::span<std::byte const> request) = 0;
    /// Calls `each` for every message of the answer. Throws std::system_error, also when the kernel refuses.
    void dump(std::span<std::byte const> request, std::function<void(nlmsghdr const&)> const& each);
    /// The number by which the network namespace `seen_from` (nullptr: this one) knows the namespace `of`, which is given
    /// one if it has none; nothing if it cannot have one.
    virtual std::optional<s32> namespace_id(OpenFile const& of, OpenFile const* seen_from) = 0;
    /// The index of the link called `name` in the namespace that `seen_from` knows by the number `id`; nothing if there is none.
    virtual std::optional<u32> link_in(s32 id, OpenFile const* seen_from, std::string_view name) = 0;
    /// The index of the IP set called `name` (ipset(8)); nothing if there is none, which is also what a kernel without sets says.
    virtual std::optional<u16> ip_set(std::string_view name) = 0;
};

/// A BPF program in an ELF object file.
struct ProgramInFile {
    std::string path;
    std::string section;   ///< the first program in it
    std::string function;  ///< the program's name; if there is one, the section does not count
    u32 type = 0;          ///< BPF_PROG_TYPE_*: what the kernel takes it for
    u32 device = 0;        ///< index of the link whose hardware runs it; 0: the kernel does
    bool verbose = false;  ///< what the loader and the kernel say goes to standard error
};

/// Thrown when there is no such program, or the kernel does not take it.
struct NotLoaded {
    enum class Fault {
        file,   ///< the file, or what is in it
        name,   ///< the file has no program of that section or name
        loader  ///< there is none in this build
    };
    Fault fault;
    std::string why;
};

/// Files that iproute2 reads too: name tables, /proc/net/psched, bytecode, netem distributions.
class Files {
  public:
    virtual ~Files() = default;
    /// The file's content; nothing if it cannot be read.
    virtual std::optional<std::string> read(std::string const& path) = 0;
    /// The names of a folder's entries, sorted; empty if it cannot be read.
    virtual std::vector<std::string> list(std::string const& path) = 0;
    /// Opens a file to be named in a request (Line::kept); nullptr, and errno set, if it cannot be opened.
    virtual std::unique_ptr<OpenFile> open(std::string const& path) = 0;
    /// The same for a BPF program that is pinned at `path` in a bpffs.
    virtual std::unique_ptr<OpenFile> open_pinned_program(std::string const& path) = 0;
    /// The same for a program that is loaded into the kernel for this. Throws NotLoaded.
    virtual std::unique_ptr<OpenFile> load_program(ProgramInFile const& program) = 0;
};

}  // namespace nlstream
