// measure FILE PROGRAM [ARG...]
// Runs a program and writes one JSON line to FILE: wall, user and system seconds, peak memory, exit status. A small
// program of its own because the peak that Linux reports begins with that of whoever started the program.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace {

double seconds(timeval const& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

int fail(char const* what) {
    std::fprintf(stderr, "measure: %s: %s\n", what, std::strerror(errno));
    return 125;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("measure FILE PROGRAM [ARG...]\n", stderr);
        return 125;
    }
    auto const start = std::chrono::steady_clock::now();
    auto const child = ::fork();
    if (child < 0) return fail("fork");
    if (child == 0) {
        ::execvp(argv[2], argv + 2);
        ::_exit(fail(argv[2]));
    }
    int status = 0;
    rusage usage{};
    while (::wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR) return fail("wait4");
    std::chrono::duration<double> const wall = std::chrono::steady_clock::now() - start;
    auto const code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

    auto* const out = std::fopen(argv[1], "we");
    if (out == nullptr) return fail(argv[1]);
    std::fprintf(out,
                 "{\"wall\": %.6f, \"user\": %.6f, \"system\": %.6f, \"max_rss_kib\": %ld, \"minor_faults\": %ld, "
                 "\"context_switches\": %ld, \"exit\": %d}\n",
                 wall.count(), seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss, usage.ru_minflt,
                 usage.ru_nvcsw + usage.ru_nivcsw, code);
    if (std::fclose(out) != 0) return fail(argv[1]);
    return code;
}
