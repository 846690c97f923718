// read_bench FILE
// What finding the lines of a file costs, a line, by read(2) into 64 KiB as nlstream does it, and by mmap(2) of the whole
// file. One JSON object, nanoseconds of processor time each; the file should be in the page cache.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <vector>

namespace nlstream {
namespace {

double processor_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    auto const seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

template <class Number>
Number checked(Number result) {
    if (result < 0) throw std::system_error(errno, std::generic_category());
    return result;
}

std::size_t by_read(int file) {
    std::vector<char> buffer(65536);
    std::size_t lines = 0;
    checked(::lseek(file, 0, SEEK_SET));
    while (auto const got = checked(::read(file, buffer.data(), buffer.size())))
        lines += static_cast<std::size_t>(std::count(buffer.data(), buffer.data() + got, '\n'));
    return lines;
}

std::size_t by_mmap(int file) {
    auto const size = static_cast<std::size_t>(checked(::lseek(file, 0, SEEK_END)));
    auto* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start == MAP_FAILED) throw std::system_error(errno, std::generic_category());
    ::madvise(start, size, MADV_SEQUENTIAL);
    std::string_view const text(static_cast<char const*>(start), size);
    auto const lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    ::munmap(start, size);
    return lines;
}

/// The best of some rounds.
double nanoseconds_a_line(int file, std::size_t (*count)(int)) {
    double best = 1e9;
    for (int round = 0; round < 7; ++round) {
        auto const begun = processor_seconds();
        auto const lines = count(file);
        best = std::min(best, (processor_seconds() - begun) * 1e9 / static_cast<double>(std::max<std::size_t>(lines, 1)));
    }
    return best;
}

}  // namespace
}  // namespace nlstream

int main(int argc, char** argv) {
    if (argc != 2) return std::fputs("read_bench FILE\n", stderr), 2;
    try {
        auto const file = nlstream::checked(::open(argv[1], O_RDONLY | O_CLOEXEC));
        std::printf("{\"read\": %.2f, \"mmap\": %.2f}\n", nlstream::nanoseconds_a_line(file, nlstream::by_read),
                    nlstream::nanoseconds_a_line(file, nlstream::by_mmap));
    } catch (std::exception const& error) {
        std::fprintf(stderr, "read_bench: %s: %s\n", argv[1], error.what());
        return 2;
    }
}
