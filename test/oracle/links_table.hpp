// The interfaces that the recorder pretends exist.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

struct Link {
    std::uint32_t index = 0;
    std::string name;
    std::string kind;             // IFLA_INFO_KIND; empty: the link has none.
    std::uint32_t vrf_table = 0;  // The routing table of a vrf; 0: not a vrf.
};

// Rows are `ifindex TAB name TAB kind TAB vrf-table`; `-` or a missing column means none, a line that starts with `#` is a
// comment. Throws std::runtime_error on a file that cannot be read or a row without a valid index and name.
std::vector<Link> read_links(std::string const& path);

// The table named by NLSTREAM_LINKS, read at the first call; `lo` with index 1 when the variable is not set.
std::vector<Link> const& links();

// nullptr: no such link.
Link const* find_link(std::string_view name);
Link const* find_link(std::uint32_t index);

}  // namespace oracle
