// With NLSTREAM_SERVE set, a preloaded tc, ip or bridge runs many lines, each in a child of its own that is forked before
// main: no state leaks from line to line, and neither exec nor the dynamic linker is paid for more than once.
//
// The server reads lines from standard input, each ended by a NUL byte (a line may hold newlines: continuations), and writes
// for each, in order, one row: the exit status (128 + N for signal N), a tab, the recorded requests in hex joined by `;`, a tab,
// and the first line that the program wrote to standard error. The program's arguments must make it read commands from
// standard input: `-batch -`.
#include "links_table.hpp"
#include "recorder.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Main = int(int, char**, char**);

// A line that makes the program wait for ever is ended by SIGALRM.
constexpr unsigned seconds_for_a_line = 10;

class MemoryFile {
public:
    explicit MemoryFile(char const* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {
        if (fd_ < 0) std::abort();
    }

    int fd() const { return fd_; }

    void fill(std::string_view text) const {
        clear();
        if (pwrite(fd_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
    }

    std::string text() const {
        std::string result(static_cast<std::size_t>(lseek(fd_, 0, SEEK_END)), '\0');
        if (pread(fd_, result.data(), result.size(), 0) != static_cast<ssize_t>(result.size())) std::abort();
        return result;
    }

    // The offset is shared with the children, which must find it at the start.
    void clear() const {
        if (ftruncate(fd_, 0) != 0 || lseek(fd_, 0, SEEK_SET) != 0) std::abort();
    }

private:
    int fd_;
};

// Reads by read(2): the stdio buffers must be untouched in each child.
class Lines {
public:
    bool next(std::string& line) {
        line.clear();
        while (true) {
            auto const end = buffer_.find('\0', start_);
            if (end != std::string::npos) {
                line.append(buffer_, start_, end - start_);
                start_ = end + 1;
                return true;
            }
            buffer_.erase(0, start_);
            start_ = 0;
            std::array<char, 65536> chunk;
            auto const size = read(input_, chunk.data(), chunk.size());
            if (size <= 0) return false;
            buffer_.append(chunk.data(), static_cast<std::size_t>(size));
        }
    }

private:
    int input_ = dup(STDIN_FILENO);
    std::string buffer_;
    std::size_t start_ = 0;
};

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        auto const written = write(fd, text.data(), text.size());
        if (written < 0) std::exit(EXIT_FAILURE);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string row(int status, std::string requests, std::string const& errors) {
    if (!requests.empty()) requests.pop_back();
    for (auto& c : requests) {
        if (c == '\n') c = ';';
    }
    auto first_error = errors.substr(0, errors.find('\n'));
    for (auto& c : first_error) {
        if (c == '\t' || c == '\0') c = ' ';
    }
    int const code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return std::to_string(code) + '\t' + requests + '\t' + first_error + '\n';
}

int serve(Main* program, int argc, char** argv, char** environment) {
    // Whatever gets past the recorder meets an empty namespace; without the right to make one it has no right to harm either.
    syscall(SYS_unshare, CLONE_NEWNET);
    MemoryFile const input("line");
    MemoryFile const requests("requests");
    MemoryFile const errors("errors");
    oracle::record_to(requests.fd());
    oracle::links();  // Read once, not in every child.
    int const null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int const output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    Lines lines;
    for (std::string line; lines.next(line);) {
        line += '\n';
        input.fill(line);
        requests.clear();
        errors.clear();
        auto const child = fork();
        if (child < 0) std::abort();
        if (child == 0) {
            dup2(input.fd(), STDIN_FILENO);
            dup2(null, STDOUT_FILENO);
            dup2(errors.fd(), STDERR_FILENO);
            alarm(seconds_for_a_line);
            return program(argc, argv, environment);
        }
        int status = 0;
        waitpid(child, &status, 0);
        write_all(output, row(status, requests.text(), errors.text()));
    }
    return EXIT_SUCCESS;
}

// __libc_start_main hands main over by pointer and leaves no room for ours.
Main* program_main = nullptr;

int serve_main(int argc, char** argv, char** environment) { return serve(program_main, argc, argv, environment); }

}  // namespace

extern "C" int __libc_start_main(Main* program, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*loader_fini)(), void* stack_end) {
    auto* const next = oracle::hidden<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main");
    program_main = program;
    return next(std::getenv("NLSTREAM_SERVE") ? serve_main : program, argc, argv, init, fini, loader_fini, stack_end);
}
