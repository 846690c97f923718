// latency [--lines N] [--pause US] [--starts N] [--json] -- PROGRAM [ARG...]
// How long a line written into the pipe that PROGRAM reads takes until the kernel has applied it, as a listener for the
// kernel's notifications sees it: for lone lines to a waiting program, and from the program's start to its first line.

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace nlstream::perf {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

int check(int result, char const* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

/// A namespace of our own whose only device, lo, is up.
void enter_fresh_namespace() {
    check(::unshare(CLONE_NEWNET), "unshare(CLONE_NEWNET), which needs root");
    auto const fd = check(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    check(::ioctl(fd, SIOCSIFFLAGS, &request), "SIOCSIFFLAGS");
    ::close(fd);
}

/// The index-th route: its address in host byte order, and its line.
std::uint32_t address(std::uint32_t index) { return 0x0a000000 + index; }

std::string line(std::uint32_t index) {
    auto const a = address(index);
    return "route add " + std::to_string(a >> 24) + '.' + std::to_string(a >> 16 & 255) + '.' +
           std::to_string(a >> 8 & 255) + '.' + std::to_string(a & 255) + "/32 dev lo\n";
}

/// Hears of each new IPv4 route.
class Watcher {
 public:
    Watcher() : fd_(check(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), "socket")) {
        sockaddr_nl local{};
        local.nl_family = AF_NETLINK;
        local.nl_groups = RTMGRP_IPV4_ROUTE;
        check(::bind(fd_, reinterpret_cast<sockaddr*>(&local), sizeof local), "bind");
    }
    Watcher(Watcher const&) = delete;
    Watcher& operator=(Watcher const&) = delete;
    ~Watcher() { ::close(fd_); }

    /// Returns when the route was heard of. Throws when five seconds pass without.
    Clock::time_point wait_for(std::uint32_t destination) {
        for (;;) {
            pollfd waiting{fd_, POLLIN, 0};
            if (check(::poll(&waiting, 1, 5000), "poll") == 0)
                throw std::runtime_error("a line was not applied within five seconds");
            auto const bytes = check(static_cast<int>(::recv(fd_, buffer_.data(), buffer_.size(), 0)), "recv");
            auto const now = Clock::now();
            if (tells_of(destination, bytes)) return now;
        }
    }

 private:
    bool tells_of(std::uint32_t destination, int bytes) const {
        auto const* const header = reinterpret_cast<nlmsghdr const*>(buffer_.data());
        if (bytes < static_cast<int>(sizeof *header) || header->nlmsg_type != RTM_NEWROUTE) return false;
        auto const wanted = htonl(destination);
        for (std::size_t at = NLMSG_HDRLEN + sizeof(rtmsg); at + sizeof(rtattr) <= header->nlmsg_len;) {
            auto const* const attribute = reinterpret_cast<rtattr const*>(buffer_.data() + at);
            if (attribute->rta_type == RTA_DST) return std::memcmp(attribute + 1, &wanted, sizeof wanted) == 0;
            at += NLMSG_ALIGN(std::max<std::size_t>(attribute->rta_len, sizeof *attribute));
        }
        return false;
    }

    int fd_;
    alignas(8) std::array<char, 8192> buffer_{};
};

/// The program, reading a pipe that we hold the other end of.
class Program {
 public:
    /// What is in `early` is in the pipe before the program starts.
    Program(std::vector<char*> const& argv, std::string const& early) {
        int ends[2];
        check(::pipe2(ends, O_CLOEXEC), "pipe");
        write_ = ends[1];
        write(early);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        started_ = Clock::now();
        auto const error = ::posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[0]);
        if (error != 0) throw std::system_error(error, std::generic_category(), argv[0]);
    }
    Program(Program const&) = delete;
    Program& operator=(Program const&) = delete;
    ~Program() {
        ::close(write_);
        ::waitpid(pid_, nullptr, 0);
    }

    void write(std::string const& text) const {
        if (::write(write_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            throw std::system_error(errno, std::generic_category(), "the program's pipe");
    }
    Clock::time_point started() const { return started_; }

 private:
    int write_;
    pid_t pid_;
    Clock::time_point started_;
};

struct Summary {
    double p50, p99, most;
};

Summary summary_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    auto const at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    return {at(0.5), at(0.99), times.back()};
}

void print(char const* what, std::size_t count, Summary const& summary) {
    std::printf("%-32s %6zu times   p50 %8.1f us   p99 %8.1f us   max %8.1f us\n", what, count, summary.p50,
                summary.p99, summary.most);
}

void print_json(char const* key, std::size_t count, Summary const& summary, char const* end) {
    std::printf("\"%s\": {\"count\": %zu, \"p50_us\": %.1f, \"p99_us\": %.1f, \"max_us\": %.1f}%s", key, count,
                summary.p50, summary.p99, summary.most, end);
}

int run(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description shown(
        "Times lone lines.\nlatency [OPTIONS] -- PROGRAM [ARG...]   (which reads lines of `ip` from standard input)");
    std::uint32_t lines = 0;
    std::uint32_t starts = 0;
    unsigned pause = 0;
    // clang-format off
    shown.add_options()
        ("lines", po::value(&lines)->default_value(2000)->value_name("N"), "lone lines to a waiting program")
        ("pause", po::value(&pause)->default_value(1000)->value_name("US"), "wait before each")
        ("starts", po::value(&starts)->default_value(100)->value_name("N"), "starts with one line waiting in the pipe")
        ("json", "print JSON")
        ("help", "print this");
    // clang-format on
    auto const separator =
        std::find_if(argv, argv + argc, [](char const* word) { return std::strcmp(word, "--") == 0; });
    po::variables_map given;
    po::store(po::parse_command_line(static_cast<int>(separator - argv), argv, shown), given);
    po::notify(given);
    if (given.contains("help")) return std::cout << shown, 0;
    if (separator == argv + argc || separator + 1 == argv + argc) throw std::invalid_argument("-- PROGRAM is missing");
    if (lines == 0 || starts == 0) throw std::invalid_argument("--lines and --starts are at least 1");
    std::vector<char*> program(separator + 1, argv + argc);
    program.push_back(nullptr);

    ::signal(SIGPIPE, SIG_IGN);
    enter_fresh_namespace();
    Watcher watcher;
    std::uint32_t index = 0;
    std::vector<double> from_start;
    for (; index < starts; ++index) {
        Program const started(program, line(index));
        from_start.push_back(Microseconds(watcher.wait_for(address(index)) - started.started()).count());
    }
    std::vector<double> lone;
    {
        Program const waiting(program, line(index));
        watcher.wait_for(address(index++));
        for (std::uint32_t const end = index + lines; index < end; ++index) {
            auto const text = line(index);
            std::this_thread::sleep_for(std::chrono::microseconds(pause));
            auto const written = Clock::now();
            waiting.write(text);
            lone.push_back(Microseconds(watcher.wait_for(address(index)) - written).count());
        }
    }
    if (given.contains("json")) {
        std::printf("{");
        print_json("lone_line", lone.size(), summary_of(lone), ", ");
        print_json("start_to_first_line", from_start.size(), summary_of(from_start), "}\n");
    } else {
        print("a lone line to applied", lone.size(), summary_of(lone));
        print("start to the first line applied", from_start.size(), summary_of(from_start));
    }
    return 0;
}

}  // namespace
}  // namespace nlstream::perf

int main(int argc, char** argv) {
    try {
        return nlstream::perf::run(argc, argv);
    } catch (std::exception const& error) {
        std::cerr << "latency: " << error.what() << '\n';
        return 2;
    }
}
