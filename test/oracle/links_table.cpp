#include "links_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace oracle {
namespace {

// By read(2): a C or C++ stream would leave its traces in the program's heap (see own_heap.cpp).
std::string contents(std::string const& path) {
    int const fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw std::runtime_error("cannot read the links table " + path);
    std::string text;
    std::array<char, 65536> chunk;
    for (ssize_t size; (size = read(fd, chunk.data(), chunk.size())) > 0;) {
        text.append(chunk.data(), static_cast<std::size_t>(size));
    }
    close(fd);
    return text;
}

std::vector<std::string> columns_of(std::string const& row) {
    std::vector<std::string> columns;
    std::size_t start = 0;
    while (true) {
        auto const tab = row.find('\t', start);
        columns.push_back(row.substr(start, tab - start));
        if (tab == std::string::npos) break;
        start = tab + 1;
    }
    for (auto& column : columns) {
        if (column == "-") column.clear();
    }
    columns.resize(4);
    return columns;
}

std::uint32_t number(std::string const& text, std::string const& row) {
    std::uint32_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) throw std::runtime_error("bad links row: " + row);
    return value;
}

}  // namespace

std::vector<Link> read_links(std::string const& path) {
    auto const text = contents(path);
    std::vector<Link> result;
    for (std::size_t start = 0; start < text.size();) {
        auto const end = std::min(text.find('\n', start), text.size());
        auto const row = text.substr(start, end - start);
        start = end + 1;
        if (row.empty() || row.front() == '#') continue;
        auto const columns = columns_of(row);
        if (columns[1].empty()) throw std::runtime_error("bad links row: " + row);
        auto const table = columns[3].empty() ? 0 : number(columns[3], row);
        result.push_back({number(columns[0], row), columns[1], columns[2], table});
    }
    return result;
}

std::vector<Link> const& links() {
    static std::vector<Link> const table = [] {
        char const* const path = std::getenv("NLSTREAM_LINKS");
        return path ? read_links(path) : std::vector<Link>{{1, "lo", "", 0}};
    }();
    return table;
}

Link const* find_link(std::string_view name) {
    for (auto const& link : links()) {
        if (link.name == name) return &link;
    }
    return nullptr;
}

Link const* find_link(std::uint32_t index) {
    for (auto const& link : links()) {
        if (link.index == index) return &link;
    }
    return nullptr;
}

}  // namespace oracle
