// Names of numbers: routing tables, protocols, scopes, realms, dsfields, groups.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "netlink/context.hpp"
#include "netlink/line.hpp"

namespace nlstream {

/// The name tables of /etc/iproute2 and, where a file is not there, /usr/share/iproute2; the folders rt_tables.d and so on
/// add to them. Each is read once, when first asked for. Where no file exists iproute2's well-known names hold.
class Names {
  public:
    enum class Of : u8 { route_table, route_protocol, address_protocol, scope, realm, dsfield, group, protodown_reason };

    explicit Names(Files& files);
    ~Names();

    std::optional<u32> find(Of what, std::string_view name);
    /// The known name nearest to `typed`, empty if none is near.
    std::string_view nearest(Of what, std::string_view typed);

  private:
    struct NameTable;
    NameTable const& table(Of what);

    Files& files_;
    std::array<std::unique_ptr<NameTable>, 8> tables_;
};

/// A name of this kind, or a number up to what the kind can hold. Throws Diagnostic.
u32 read_name(Line& line, Word const& word, Names::Of what);
/// "TO" or "FROM/TO", names or numbers -> from << 16 | to; a bare number may have 32 bits. Throws Diagnostic.
u32 read_realms(Line& line, Word const& word);
/// What help calls a name of this kind: "TABLE".
std::string_view describe(Names::Of what);

}  // namespace nlstream
