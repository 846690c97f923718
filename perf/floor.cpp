// floor FILE [--batch N] [--ack last|each] [--sockets N] [--json]
// The bare replay: sends a file of ready netlink messages (as on the wire, one after the other) with as little work of
// its own as can be, and prints what the kernel took. What a streamer of the same lines cannot go below.

#include <fcntl.h>
#include <linux/netlink.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/program_options.hpp>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace nlstream::perf {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

[[noreturn]] void fail(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

class Descriptor {
 public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }

 private:
    int fd_;
};

/// The file in memory, private, so that it can be patched.
std::span<char> map_file(std::string const& path) {
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) fail(path.c_str());
    struct stat status {};
    if (::fstat(file.get(), &status) < 0) fail(path.c_str());
    auto const size = static_cast<std::size_t>(status.st_size);
    if (size == 0) throw std::runtime_error(path + " is empty");
    auto* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, file.get(), 0);
    if (data == MAP_FAILED) fail(path.c_str());
    return {static_cast<char*>(data), size};
}

struct Batch {
    char* begin;
    u32 bytes;
    u32 last_sequence;
};

/// Numbers the messages from 1 on, asks for ACKs, and cuts the file into sends of `a_send` messages.
std::vector<Batch> prepare(std::span<char> file, u32 a_send, bool ack_each, u64& messages) {
    std::vector<Batch> batches;
    u32 sequence = 0;
    for (std::size_t at = 0; at < file.size();) {
        Batch batch{file.data() + at, 0, 0};
        nlmsghdr* header = nullptr;
        for (u32 n = 0; n < a_send && at < file.size(); ++n) {
            header = reinterpret_cast<nlmsghdr*>(file.data() + at);
            if (file.size() - at < sizeof *header || header->nlmsg_len < sizeof *header ||
                NLMSG_ALIGN(header->nlmsg_len) > file.size() - at)
                throw std::runtime_error("no netlink message at byte " + std::to_string(at) + " of the file");
            header->nlmsg_seq = ++sequence;
            header->nlmsg_pid = 0;
            header->nlmsg_flags &= static_cast<std::uint16_t>(~NLM_F_ACK);
            if (ack_each) header->nlmsg_flags |= NLM_F_ACK;
            at += NLMSG_ALIGN(header->nlmsg_len);
        }
        header->nlmsg_flags |= NLM_F_ACK;
        batch.bytes = static_cast<u32>(file.data() + at - batch.begin);
        batch.last_sequence = sequence;
        batches.push_back(batch);
    }
    messages = sequence;
    return batches;
}

Descriptor open_socket(u32 send_bytes) {
    Descriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    if (socket.get() < 0) fail("socket");
    int const on = 1;
    ::setsockopt(socket.get(), SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on);
    ::setsockopt(socket.get(), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
    int const receive = 32 << 20;  // answers to 10,000 messages a send, were they all refused
    if (::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUFFORCE, &receive, sizeof receive) < 0)
        ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &receive, sizeof receive);
    int const send = static_cast<int>(std::max(send_bytes + 4096, u32{1} << 16));
    if (::setsockopt(socket.get(), SOL_SOCKET, SO_SNDBUFFORCE, &send, sizeof send) < 0)
        ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDBUF, &send, sizeof send);
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) fail("bind");
    return socket;
}

struct Answers {
    u64 acks = 0;
    u64 errors = 0;
    std::map<int, u64> by_error;

    void add(Answers const& other) {
        acks += other.acks;
        errors += other.errors;
        for (auto const& [error, count] : other.by_error) by_error[error] += count;
    }
};

/// Receives up to many answers a system call: each is a datagram of its own.
class Drain {
 public:
    explicit Drain(int fd) : fd_(fd), storage_(slots * slot_bytes) {
        for (std::size_t i = 0; i < slots; ++i) {
            vectors_[i] = {storage_.data() + i * slot_bytes, slot_bytes};
            messages_[i].msg_hdr.msg_iov = &vectors_[i];
            messages_[i].msg_hdr.msg_iovlen = 1;
        }
    }

    /// Returns when the message `last` has been answered.
    void until(u32 last, Answers& answers) {
        for (bool done = false; !done;) {
            auto const count = ::recvmmsg(fd_, messages_.data(), slots, MSG_WAITFORONE, nullptr);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) fail("recvmmsg");
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) done |= note(i, answers) == last;
        }
    }

 private:
    static constexpr std::size_t slots = 64;
    static constexpr std::size_t slot_bytes = 1024;

    u32 note(std::size_t slot, Answers& answers) const {
        auto const* header = reinterpret_cast<nlmsghdr const*>(storage_.data() + slot * slot_bytes);
        if (header->nlmsg_type != NLMSG_ERROR) return 0;
        auto const error = reinterpret_cast<nlmsgerr const*>(header + 1)->error;
        if (error == 0) {
            ++answers.acks;
        } else {
            ++answers.errors;
            ++answers.by_error[-error];
        }
        return header->nlmsg_seq;
    }

    int fd_;
    std::vector<char> storage_;
    std::array<iovec, slots> vectors_{};
    std::array<mmsghdr, slots> messages_{};
};

/// Sends every `stride`-th batch from `first` on, and waits for its answers before the next: they are there by then.
Answers replay(int fd, std::span<Batch const> batches, std::size_t first, std::size_t stride) {
    Answers answers;
    Drain drain(fd);
    for (std::size_t i = first; i < batches.size(); i += stride) {
        iovec vector{batches[i].begin, batches[i].bytes};
        msghdr message{};
        message.msg_iov = &vector;
        message.msg_iovlen = 1;
        while (::sendmsg(fd, &message, 0) < 0)
            if (errno != EINTR) fail("sendmsg");
        drain.until(batches[i].last_sequence, answers);
    }
    return answers;
}

double seconds(timeval const& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

struct Usage {
    double user, system;
};

Usage usage_now() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

int run(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description shown("Replays a file of netlink messages.\nfloor FILE [OPTIONS]");
    std::string file;
    std::string ack;
    u32 a_send = 0;
    u32 sockets = 0;
    // clang-format off
    shown.add_options()
        ("batch", po::value(&a_send)->default_value(64)->value_name("N"), "messages a sendmsg")
        ("ack", po::value(&ack)->default_value("last")->value_name("last|each"), "which messages ask for an ACK")
        ("sockets", po::value(&sockets)->default_value(1)->value_name("N"),
         "sockets, each with a thread, taking turns at the sends")
        ("json", "print JSON")
        ("help", "print this");
    // clang-format on
    po::options_description all;
    all.add(shown).add_options()("file", po::value(&file));
    po::positional_options_description places;
    places.add("file", 1);
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(all).positional(places).run(), given);
    po::notify(given);
    if (given.contains("help")) return std::cout << shown, 0;
    if (file.empty()) throw std::invalid_argument("FILE is missing");
    if (a_send == 0 || sockets == 0) throw std::invalid_argument("--batch and --sockets are at least 1");
    if (ack != "last" && ack != "each") throw std::invalid_argument("--ack takes last or each");

    u64 messages = 0;
    auto const batches = prepare(map_file(file), a_send, ack == "each", messages);
    u32 largest = 0;
    for (auto const& batch : batches) largest = std::max(largest, batch.bytes);
    std::vector<Descriptor> opened;
    for (u32 i = 0; i < sockets; ++i) opened.push_back(open_socket(largest));

    std::vector<Answers> results(sockets);
    std::vector<std::exception_ptr> failures(sockets);
    auto const used_before = usage_now();
    auto const start = std::chrono::steady_clock::now();
    auto const work = [&](u32 i) {
        try {
            results[i] = replay(opened[i].get(), batches, i, sockets);
        } catch (...) {
            failures[i] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (u32 i = 1; i < sockets; ++i) others.emplace_back(work, i);
        work(0);
    }
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
    auto const used = usage_now();
    for (auto const& failure : failures)
        if (failure) std::rethrow_exception(failure);

    Answers sum;
    for (auto const& result : results) sum.add(result);
    auto const user = used.user - used_before.user;
    auto const system = used.system - used_before.system;
    if (given.contains("json")) {
        std::printf(
            "{\"messages\": %ju, \"seconds\": %.6f, \"user\": %.6f, \"system\": %.6f, \"acks\": %ju, \"errors\": "
            "%ju}\n",
            std::uintmax_t{messages}, took.count(), user, system, std::uintmax_t{sum.acks}, std::uintmax_t{sum.errors});
        return 0;
    }
    std::printf("%ju messages in %.3f s (%.3f us each; user %.3f s, system %.3f s), %ju ACKs, %ju errors\n",
                std::uintmax_t{messages}, took.count(), 1e6 * took.count() / static_cast<double>(messages), user,
                system, std::uintmax_t{sum.acks}, std::uintmax_t{sum.errors});
    for (auto const& [error, count] : sum.by_error)
        std::printf("  %ju x %s\n", std::uintmax_t{count}, std::generic_category().message(error).c_str());
    return 0;
}

}  // namespace
}  // namespace nlstream::perf

int main(int argc, char** argv) {
    try {
        return nlstream::perf::run(argc, argv);
    } catch (std::exception const& error) {
        std::cerr << "floor: " << error.what() << '\n';
        return 2;
    }
}
