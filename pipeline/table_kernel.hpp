// The links of another host, read from a file.
#pragma once
#include <string_view>
#include <vector>

#include "netlink/context.hpp"

namespace nlstream {

/// Answers from rows "ifindex TAB name TAB kind TAB vrf-table"; "-" or nothing is no kind; what follows the name may be
/// left out; lines that start with # and blank lines are passed over. Every link has an address of six bytes.
class TableKernel : public Kernel {
  public:
    /// Throws std::runtime_error that names the row which cannot be read.
    explicit TableKernel(std::string_view table);

    std::optional<Link> link(std::string_view name) override;
    std::optional<Link> link(u32 index) override;
    /// Every link that has a kind has no options set.
    std::optional<std::vector<std::byte>> link_options(u32 index) override;
    /// A table has nothing to list.
    std::unique_ptr<Dump> begin_dump(std::span<std::byte const>) override { return {}; }
    /// It knows no namespaces, and takes every one for one with the same links.
    std::optional<s32> namespace_id(OpenFile const&, OpenFile const*) override { return {}; }
    std::optional<u32> link_in(s32, OpenFile const*, std::string_view name) override;
    /// There are none.
    std::optional<u16> ip_set(std::string_view) override { return {}; }

  private:
    std::vector<Link> links_;
};

}  // namespace nlstream
