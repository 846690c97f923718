// The other half of the preloaded library: a recorded program may not change this machine by other ways than netlink, and
// what it reads from it is the same everywhere.
#include "recorder.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dirent.h>
#include <sys/types.h>

namespace {

int refuse() {
    errno = EPERM;
    return -1;
}

// Empty: there is no such file for a recorded program. NLSTREAM_TABLES names the folder that stands for iproute2's tables of
// names (protocols, tables, scopes, realms, groups); without it the machine's own ones are read.
std::string redirected(std::string_view path) {
    if (path.starts_with("/sys/class/net/")) return {};
    char const* const tables = std::getenv("NLSTREAM_TABLES");
    if (tables) {
        for (std::string_view const folder : {"/etc/iproute2", "/usr/share/iproute2", "/usr/lib/iproute2"}) {
            if (path.starts_with(folder)) return tables + std::string(path.substr(folder.size()));
        }
    }
    return std::string(path);
}

FILE* open_redirected(char const* name, char const* path, char const* mode) {
    // 64 ns ticks and a clock of 1 GHz, as /proc/net/psched has shown since Linux 2.6.
    static char clock[] = "000003e8 00000040 000f4240 3b9aca00\n";
    if (std::string_view(path) == "/proc/net/psched") return fmemopen(clock, sizeof clock - 1, "r");
    if (std::string_view(path).starts_with("/proc/") && std::string_view(mode) != "r") return refuse(), nullptr;
    auto const target = redirected(path);
    if (target.empty()) {
        errno = ENOENT;
        return nullptr;
    }
    return oracle::hidden<FILE*(char const*, char const*)>(name)(target.c_str(), mode);
}

}  // namespace

extern "C" {

FILE* fopen(char const* path, char const* mode) { return open_redirected("fopen", path, mode); }
FILE* fopen64(char const* path, char const* mode) { return open_redirected("fopen64", path, mode); }

DIR* opendir(char const* path) {
    auto const target = redirected(path);
    if (target.empty()) {
        errno = ENOENT;
        return nullptr;
    }
    return oracle::hidden<DIR*(char const*)>("opendir")(target.c_str());
}

// Tunnels and tun devices are made by ioctl; only the questions about a terminal (0x54xx) go through.
int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list arguments;
    va_start(arguments, request);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    if (request >> 8 != 0x54) return refuse();
    return oracle::hidden<int(int, unsigned long, ...)>("ioctl")(fd, request, argument);
}

int mkdir(char const*, mode_t) noexcept { return refuse(); }
int unlink(char const*) noexcept { return refuse(); }
int mount(char const*, char const*, char const*, unsigned long, void const*) noexcept { return refuse(); }
int umount2(char const*, int) noexcept { return refuse(); }
int unshare(int) noexcept { return refuse(); }
int setns(int, int) noexcept { return refuse(); }
int execvp(char const*, char* const*) noexcept { return refuse(); }
int execvpe(char const*, char* const*, char* const*) noexcept { return refuse(); }
int kill(pid_t, int) noexcept { return refuse(); }

}  // extern "C"
