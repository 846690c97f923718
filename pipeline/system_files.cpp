#include "pipeline/system_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace nlstream {

std::optional<std::string> SystemFiles::read(std::string const& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return {};
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) return {};
    return text;
}

std::vector<std::string> SystemFiles::list(std::string const& path) {
    std::vector<std::string> names;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator(path, error)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

}  // namespace nlstream
