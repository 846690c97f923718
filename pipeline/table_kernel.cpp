#include "pipeline/table_kernel.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace nlstream {
namespace {

std::string_view cut(std::string_view& rest, char end) {
    auto const at = std::min(rest.find(end), rest.size());
    auto const field = rest.substr(0, at);
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return field;
}

bool read_number(std::string_view text, u32& number) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

TableKernel::TableKernel(std::string_view table) {
    for (u32 row = 1; !table.empty(); ++row) {
        auto rest = cut(table, '\n');
        if (rest.ends_with('\r')) rest.remove_suffix(1);
        if (rest.empty() || rest.starts_with('#')) continue;
        std::array<std::string_view, 4> fields;
        for (auto& field : fields) field = cut(rest, '\t');
        Link link{.index = 0, .name = std::string(fields[1]), .kind = {}, .address_length = 6};
        if (fields[2] != "-") link.kind = fields[2];
        bool const good = read_number(fields[0], link.index) && link.index > 0 && !link.name.empty() &&
                          (fields[3].empty() || fields[3] == "-" || read_number(fields[3], link.vrf_table));
        if (!good)
            throw std::runtime_error("row " + std::to_string(row) +
                                     ": expected ifindex, name, kind and vrf-table between tabs");
        links_.push_back(std::move(link));
    }
}

std::optional<Link> TableKernel::link(std::string_view name) {
    auto const found = std::ranges::find(links_, name, &Link::name);
    return found == links_.end() ? std::nullopt : std::optional(*found);
}

std::optional<Link> TableKernel::link(u32 index) {
    auto const found = std::ranges::find(links_, index, &Link::index);
    return found == links_.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::vector<std::byte>> TableKernel::link_options(u32 index) {
    auto const found = link(index);
    return found && !found->kind.empty() ? std::optional<std::vector<std::byte>>(std::in_place) : std::nullopt;
}

std::optional<u32> TableKernel::link_in(s32, OpenFile const*, std::string_view name) {
    auto const found = link(name);
    return found ? std::optional(found->index) : std::nullopt;
}

}  // namespace nlstream
