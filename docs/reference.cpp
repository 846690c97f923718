// Writes the reference pages into a folder: one a kind, and an index.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "netlink/help.hpp"

namespace {

bool write(std::filesystem::path const& path, std::string const& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) std::cerr << "cannot write " << path << '\n';
    return static_cast<bool>(out);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: reference FOLDER\n";
        return 2;
    }
    std::filesystem::path const folder = argv[1];
    std::filesystem::create_directories(folder);
    for (auto const& old : std::filesystem::directory_iterator(folder))
        if (old.path().extension() == ".md") std::filesystem::remove(old.path());
    bool ok = write(folder / "README.md", nlstream::reference_index());
    for (auto const* kind : nlstream::all_kinds()) ok = write(folder / (nlstream::help_name(*kind) + ".md"), nlstream::reference_page(*kind)) && ok;
    return ok ? 0 : 2;
}
