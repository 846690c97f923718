#include "test/support/fixed_world.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace nlstream::test {

TableKernel::TableKernel(std::string const& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    for (std::string row; std::getline(in, row);) {
        if (row.empty() || row[0] == '#') continue;
        std::istringstream fields(row);
        std::string index, name, kind, table;
        std::getline(fields, index, '\t');
        std::getline(fields, name, '\t');
        std::getline(fields, kind, '\t');
        std::getline(fields, table, '\t');
        auto const number = [](std::string const& text) { return text.empty() || text == "-" ? 0u : static_cast<u32>(std::stoul(text)); };
        add({.index = number(index), .name = name, .kind = kind == "-" ? "" : kind, .vrf_table = number(table), .address_length = 6});
    }
}

void TableKernel::add(Link link) {
    auto name = link.name;
    links_.insert_or_assign(std::move(name), std::move(link));
}

std::optional<Link> TableKernel::link(std::string_view name) {
    auto const found = links_.find(name);
    return found == links_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Link> TableKernel::link(u32 index) {
    for (auto const& [name, link] : links_)
        if (link.index == index) return link;
    return {};
}

std::optional<std::vector<std::byte>> TableKernel::link_options(u32 index) {
    if (auto const set = options.find(index); set != options.end()) return set->second;
    auto const found = link(index);
    return found && !found->kind.empty() ? std::optional<std::vector<std::byte>>(std::in_place) : std::nullopt;
}

std::optional<s32> TableKernel::namespace_id(OpenFile const& of, OpenFile const* seen_from) {
    return of.descriptor() + (seen_from ? 1100 : 100);
}

std::optional<u32> TableKernel::link_in(s32, OpenFile const*, std::string_view name) {
    auto const found = link(name);
    return found ? std::optional(found->index) : std::nullopt;
}

namespace {

class Numbered : public OpenFile {
  public:
    explicit Numbered(int number) : number_(number) {}
    int descriptor() const override { return number_; }

  private:
    int number_;
};

std::unique_ptr<OpenFile> open_in(std::map<std::string, int> const& files, std::string const& path) {
    if (auto const found = files.find(path); found != files.end()) return std::make_unique<Numbered>(found->second);
    errno = ENOENT;
    return nullptr;
}

}  // namespace

std::unique_ptr<OpenFile> MemoryFiles::open(std::string const& path) { return open_in(descriptors, path); }
std::unique_ptr<OpenFile> MemoryFiles::open_pinned_program(std::string const& path) { return open_in(programs, path); }

std::unique_ptr<OpenFile> MemoryFiles::load_program(ProgramInFile const& program) {
    loaded.push_back(program);
    auto const& name = program.function.empty() ? program.section : program.function;
    if (auto found = open_in(objects, program.path + ' ' + name)) return found;
    bool const has_file = std::ranges::any_of(objects, [&](auto const& object) { return object.first.starts_with(program.path + ' '); });
    throw NotLoaded{has_file ? NotLoaded::Fault::name : NotLoaded::Fault::file, "it is not there"};
}

std::optional<std::string> MemoryFiles::read(std::string const& path) {
    auto const found = contents.find(path);
    return found == contents.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> MemoryFiles::list(std::string const& path) {
    std::vector<std::string> names;
    for (auto const& [name, content] : contents) {
        if (!name.starts_with(path + '/')) continue;
        auto entry = name.substr(path.size() + 1);
        entry.resize(std::min(entry.find('/'), entry.size()));
        // The paths are sorted, so those of one folder are neighbours.
        if (names.empty() || names.back() != entry) names.push_back(std::move(entry));
    }
    return names;
}

std::string to_hex(std::span<std::byte const> bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (auto const byte : bytes) {
        out += digits[std::to_integer<unsigned>(byte) >> 4];
        out += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return out;
}

}  // namespace nlstream::test
