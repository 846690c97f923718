// A world outside the encoder that is the same on every machine: links from a table, no name files.
#pragma once
#include <map>

#include "netlink/context.hpp"

namespace nlstream::test {

/// Knows the links of a table (rows `ifindex TAB name TAB kind TAB vrf-table`), Ethernet all of them; answers dumps with nothing. The
/// namespace with descriptor N has the number N + 100, seen from another 1000 more; every
/// namespace has the same links.
class TableKernel : public Kernel {
  public:
    TableKernel() = default;
    /// Reads the table. Throws std::runtime_error if the file cannot be read.
    explicit TableKernel(std::string const& path);
    void add(Link link);

    std::optional<Link> link(std::string_view name) override;
    std::optional<Link> link(u32 index) override;
    /// `options`, or none set for a link that has a kind.
    std::optional<std::vector<std::byte>> link_options(u32 index) override;
    std::map<u32, std::vector<std::byte>> options;
    std::unique_ptr<Dump> begin_dump(std::span<std::byte const>) override { return {}; }
    std::optional<s32> namespace_id(OpenFile const& of, OpenFile const* seen_from) override;
    std::optional<u32> link_in(s32, OpenFile const*, std::string_view name) override;
    std::optional<u16> ip_set(std::string_view name) override { return name == "bulk" ? std::optional<u16>(7) : std::nullopt; }

  private:
    std::map<std::string, Link, std::less<>> links_;
};

/// Files held in memory.
class MemoryFiles : public Files {
  public:
    std::map<std::string, std::string> contents = {{"/proc/net/psched", "000003e8 00000040 000f4240 3b9aca00\n"}};
    std::optional<std::string> read(std::string const& path) override;
    std::vector<std::string> list(std::string const& path) override;
    /// Descriptors of the files that can be opened; those of pinned programs.
    std::map<std::string, int> descriptors;
    std::map<std::string, int> programs;
    /// Descriptors of the programs in object files, "FILE SECTION" or "FILE FUNCTION"; and what was loaded.
    std::map<std::string, int> objects;
    std::vector<ProgramInFile> loaded;
    std::unique_ptr<OpenFile> open(std::string const& path) override;
    std::unique_ptr<OpenFile> open_pinned_program(std::string const& path) override;
    std::unique_ptr<OpenFile> load_program(ProgramInFile const& program) override;
};

/// Bytes in lower-case hexadecimal.
std::string to_hex(std::span<std::byte const> bytes);

}  // namespace nlstream::test
