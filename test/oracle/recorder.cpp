// The netlink half of the preloaded library: what a program sends on a netlink socket ends here. A request that changes
// something is recorded and acknowledged, RTM_GETLINK for one link is answered from the links table, every dump is empty (a
// dump of the links only fills iproute2's cache: it asks for each name that it does not find there).
#include "recorder.hpp"

#include "links_table.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace oracle {
namespace {

using Bytes = std::vector<unsigned char>;

void append(Bytes& to, void const* data, std::size_t size) {
    auto const* const bytes = static_cast<unsigned char const*>(data);
    to.insert(to.end(), bytes, bytes + size);
    to.resize(NLMSG_ALIGN(to.size()));
}

// Both headers keep their length first: a u16 in an attribute, a u32 in a message.
template <typename Length>
void close_at(Bytes& bytes, std::size_t start) {
    auto const length = static_cast<Length>(bytes.size() - start);
    std::memcpy(&bytes[start], &length, sizeof length);
}

std::size_t open_attribute(Bytes& to, std::uint16_t type) {
    auto const start = to.size();
    rtattr const header{.rta_len = 0, .rta_type = type};
    append(to, &header, sizeof header);
    return start;
}

void put(Bytes& to, std::uint16_t type, void const* data, std::size_t size) {
    rtattr const header{.rta_len = static_cast<std::uint16_t>(RTA_LENGTH(size)), .rta_type = type};
    append(to, &header, sizeof header);
    append(to, data, size);
}

void put(Bytes& to, std::uint16_t type, std::string const& text) { put(to, type, text.c_str(), text.size() + 1); }
void put(Bytes& to, std::uint16_t type, std::uint32_t value) { put(to, type, &value, sizeof value); }

struct NetlinkSocket {
    int protocol = NETLINK_ROUTE;
    std::deque<Bytes> answers;  // Datagrams, oldest first.
};

// The kernel answers to the port id that the socket was given, and iproute2 drops what is for another one.
std::uint32_t port_of(int fd) {
    sockaddr_nl address{};
    socklen_t size = sizeof address;
    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    return address.nl_pid;
}

Bytes message(nlmsghdr const& request, std::uint32_t port, std::uint16_t type, std::uint16_t flags) {
    nlmsghdr const header{
        .nlmsg_len = 0, .nlmsg_type = type, .nlmsg_flags = flags, .nlmsg_seq = request.nlmsg_seq, .nlmsg_pid = port};
    Bytes bytes;
    append(bytes, &header, sizeof header);
    return bytes;
}

Bytes error_answer(nlmsghdr const& request, std::uint32_t port, int error) {
    auto bytes = message(request, port, NLMSG_ERROR, NLM_F_CAPPED);
    nlmsgerr const body{.error = -error, .msg = request};
    append(bytes, &body, sizeof body);
    close_at<std::uint32_t>(bytes, 0);
    return bytes;
}

Bytes done_answer(nlmsghdr const& request, std::uint32_t port) {
    auto bytes = message(request, port, NLMSG_DONE, NLM_F_MULTI);
    int const status = 0;
    append(bytes, &status, sizeof status);
    close_at<std::uint32_t>(bytes, 0);
    return bytes;
}

Bytes link_answer(nlmsghdr const& request, std::uint32_t port, Link const& link) {
    auto bytes = message(request, port, RTM_NEWLINK, 0);
    bool const loopback = link.name == "lo";
    ifinfomsg const info{.ifi_family = AF_UNSPEC,
                         .ifi_type = loopback ? std::uint16_t{ARPHRD_LOOPBACK} : std::uint16_t{ARPHRD_ETHER},
                         .ifi_index = static_cast<int>(link.index),
                         .ifi_flags = loopback ? unsigned{IFF_UP | IFF_LOOPBACK} : unsigned{IFF_UP | IFF_BROADCAST},
                         .ifi_change = 0};
    append(bytes, &info, sizeof info);
    put(bytes, IFLA_IFNAME, link.name);
    put(bytes, IFLA_MTU, std::uint32_t{1500});
    // A locally administered address that tells the link's index.
    auto const index = htonl(link.index);
    std::array<unsigned char, 6> mac{0x02, 0x00};
    std::memcpy(&mac[2], &index, sizeof index);
    put(bytes, IFLA_ADDRESS, mac.data(), mac.size());
    if (!link.kind.empty()) {
        auto const linkinfo = open_attribute(bytes, IFLA_LINKINFO);
        put(bytes, IFLA_INFO_KIND, link.kind);
        // Always there: `link set DEV type gre ...` starts from the tunnel's present options and refuses when it finds none.
        auto const data = open_attribute(bytes, IFLA_INFO_DATA);
        if (link.vrf_table != 0) put(bytes, IFLA_VRF_TABLE, link.vrf_table);
        close_at<std::uint16_t>(bytes, data);
        close_at<std::uint16_t>(bytes, linkinfo);
    }
    close_at<std::uint32_t>(bytes, 0);
    return bytes;
}

Link const* requested_link(nlmsghdr const& request) {
    if (request.nlmsg_len < NLMSG_LENGTH(sizeof(ifinfomsg))) return nullptr;
    auto const* const info = reinterpret_cast<ifinfomsg const*>(&request + 1);
    if (info->ifi_index > 0) return find_link(static_cast<std::uint32_t>(info->ifi_index));
    auto const* at = reinterpret_cast<char const*>(info + 1);
    auto const* const end = reinterpret_cast<char const*>(&request) + request.nlmsg_len;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof(rtattr))) {
        auto const* const attribute = reinterpret_cast<rtattr const*>(at);
        if (attribute->rta_len < sizeof *attribute || attribute->rta_len > end - at) break;
        if (attribute->rta_type == IFLA_IFNAME || attribute->rta_type == IFLA_ALT_IFNAME) {
            auto const* const text = reinterpret_cast<char const*>(attribute + 1);
            return find_link(std::string_view(text, strnlen(text, attribute->rta_len - sizeof *attribute)));
        }
        at += RTA_ALIGN(attribute->rta_len);
    }
    return nullptr;
}

// NEW, DEL, GET, SET: the two lowest bits of every rtnetlink type.
bool is_change(nlmsghdr const& request) { return (request.nlmsg_type & 3) != 2; }

// iproute2 before 6.9 asks by an empty RTM_NEWLINK whether the kernel knows that request; no command means it.
bool is_probe(nlmsghdr const& request) {
    if (request.nlmsg_type != RTM_NEWLINK || request.nlmsg_len != NLMSG_LENGTH(sizeof(ifinfomsg))) return false;
    ifinfomsg const empty{};
    return std::memcmp(&request + 1, &empty, sizeof empty) == 0;
}

std::string hex_row(nlmsghdr const& request) {
    auto cleared = request;
    cleared.nlmsg_seq = 0;
    cleared.nlmsg_pid = 0;
    std::string row;
    auto const append_hex = [&row](void const* data, std::size_t size) {
        constexpr char digits[] = "0123456789abcdef";
        auto const* const bytes = static_cast<unsigned char const*>(data);
        for (std::size_t i = 0; i < size; ++i) {
            row += digits[bytes[i] >> 4];
            row += digits[bytes[i] & 15];
        }
    };
    append_hex(&cleared, sizeof cleared);
    append_hex(&request + 1, request.nlmsg_len - sizeof cleared);
    return row += '\n';
}

class Recorder {
public:
    void record_to(int descriptor) { output_ = descriptor; }

    void open(int fd, int protocol) { sockets_[fd] = {protocol, {}}; }

    // Forgets a descriptor that now means something else.
    void forget(int fd) { sockets_.erase(fd); }

    // nullptr: not a netlink socket.
    NetlinkSocket* find(int fd) {
        auto const found = sockets_.find(fd);
        return found == sockets_.end() ? nullptr : &found->second;
    }

    ssize_t take(int fd, NetlinkSocket& socket, Bytes const& datagram) {
        auto left = datagram.size();
        auto const* header = reinterpret_cast<nlmsghdr const*>(datagram.data());
        while (left >= sizeof *header && header->nlmsg_len >= sizeof *header && header->nlmsg_len <= left) {
            answer(fd, socket, *header);
            auto const step = std::min<std::size_t>(NLMSG_ALIGN(header->nlmsg_len), left);
            left -= step;
            header = reinterpret_cast<nlmsghdr const*>(reinterpret_cast<char const*>(header) + step);
        }
        return static_cast<ssize_t>(datagram.size());
    }

private:
    void answer(int fd, NetlinkSocket& socket, nlmsghdr const& request) {
        auto const port = port_of(fd);
        bool const is_dump = (request.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
        if (socket.protocol != NETLINK_ROUTE) {
            socket.answers.push_back(is_dump ? done_answer(request, port) : error_answer(request, port, ENOENT));
        } else if (is_change(request)) {
            if (!is_probe(request)) write_row(hex_row(request));
            socket.answers.push_back(error_answer(request, port, 0));
        } else if (is_dump) {
            socket.answers.push_back(done_answer(request, port));
        } else if (request.nlmsg_type == RTM_GETLINK) {
            auto const* const link = requested_link(request);
            socket.answers.push_back(link ? link_answer(request, port, *link) : error_answer(request, port, ENODEV));
        } else {
            socket.answers.push_back(error_answer(request, port, ENOENT));
        }
    }

    void write_row(std::string const& row) {
        if (output_ < 0) {
            char const* const path = std::getenv("NLSTREAM_RECORD");
            if (!path) return;
            output_ = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        }
        if (::write(output_, row.data(), row.size()) != static_cast<ssize_t>(row.size())) {
            std::perror("oracle: cannot record");
            std::abort();
        }
    }

    int output_ = -1;
    std::map<int, NetlinkSocket> sockets_;
};

// A preloaded library has nowhere else to keep what it learns between two calls. Never destroyed: programs still talk
// netlink in their exit handlers.
Recorder& recorder() {
    static auto& instance = *new Recorder;
    return instance;
}

Bytes gather(msghdr const& header) {
    Bytes datagram;
    for (std::size_t i = 0; i < header.msg_iovlen; ++i) {
        auto const* const base = static_cast<unsigned char const*>(header.msg_iov[i].iov_base);
        datagram.insert(datagram.end(), base, base + header.msg_iov[i].iov_len);
    }
    return datagram;
}

ssize_t receive(NetlinkSocket& socket, msghdr& header, int flags) {
    if (socket.answers.empty()) {
        if (flags & MSG_DONTWAIT) {
            errno = EAGAIN;
            return -1;
        }
        return 0;  // The kernel would block for ever; an end of file lets the program go on.
    }
    auto const datagram = socket.answers.front();
    if (!(flags & MSG_PEEK)) socket.answers.pop_front();

    std::size_t copied = 0;
    for (std::size_t i = 0; i < header.msg_iovlen && copied < datagram.size(); ++i) {
        auto const size = std::min(header.msg_iov[i].iov_len, datagram.size() - copied);
        if (size != 0) std::memcpy(header.msg_iov[i].iov_base, &datagram[copied], size);
        copied += size;
    }
    header.msg_flags = copied < datagram.size() ? MSG_TRUNC : 0;
    header.msg_controllen = 0;
    if (header.msg_name) {
        sockaddr_nl const kernel{.nl_family = AF_NETLINK, .nl_pad = 0, .nl_pid = 0, .nl_groups = 0};
        std::memcpy(header.msg_name, &kernel, std::min<std::size_t>(header.msg_namelen, sizeof kernel));
        header.msg_namelen = sizeof kernel;
    }
    return static_cast<ssize_t>(flags & MSG_TRUNC ? datagram.size() : copied);
}

}  // namespace

void record_to(int descriptor) { recorder().record_to(descriptor); }

void* hidden_symbol(char const* name) {
    void* const symbol = dlsym(RTLD_NEXT, name);
    if (!symbol) {
        std::fprintf(stderr, "oracle: no %s to hide\n", name);
        std::abort();
    }
    return symbol;
}

}  // namespace oracle

// The calls below are the ones that iproute2 and libmnl reach netlink by; their shapes are the C library's.
extern "C" {

int socket(int domain, int type, int protocol) noexcept {
    static auto* const next = oracle::hidden<int(int, int, int)>("socket");
    int const fd = next(domain, type, protocol);
    if (fd >= 0 && domain == AF_NETLINK) oracle::recorder().open(fd, protocol);
    if (fd >= 0 && domain != AF_NETLINK) oracle::recorder().forget(fd);
    return fd;
}

ssize_t sendmsg(int fd, msghdr const* header, int flags) {
    static auto* const next = oracle::hidden<ssize_t(int, msghdr const*, int)>("sendmsg");
    auto* const socket = oracle::recorder().find(fd);
    return socket ? oracle::recorder().take(fd, *socket, oracle::gather(*header)) : next(fd, header, flags);
}

ssize_t sendto(int fd, void const* data, std::size_t size, int flags, sockaddr const* to, socklen_t to_size) {
    static auto* const next =
        oracle::hidden<ssize_t(int, void const*, std::size_t, int, sockaddr const*, socklen_t)>("sendto");
    auto* const socket = oracle::recorder().find(fd);
    if (!socket) return next(fd, data, size, flags, to, to_size);
    auto const* const bytes = static_cast<unsigned char const*>(data);
    return oracle::recorder().take(fd, *socket, oracle::Bytes(bytes, bytes + size));
}

ssize_t send(int fd, void const* data, std::size_t size, int flags) { return sendto(fd, data, size, flags, nullptr, 0); }

ssize_t recvmsg(int fd, msghdr* header, int flags) {
    static auto* const next = oracle::hidden<ssize_t(int, msghdr*, int)>("recvmsg");
    auto* const socket = oracle::recorder().find(fd);
    return socket ? oracle::receive(*socket, *header, flags) : next(fd, header, flags);
}

ssize_t recv(int fd, void* data, std::size_t size, int flags) {
    static auto* const next = oracle::hidden<ssize_t(int, void*, std::size_t, int)>("recv");
    auto* const socket = oracle::recorder().find(fd);
    if (!socket) return next(fd, data, size, flags);
    iovec part{.iov_base = data, .iov_len = size};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    return oracle::receive(*socket, header, flags);
}

unsigned if_nametoindex(char const* name) noexcept {
    auto const* const link = oracle::find_link(name);
    if (!link) errno = ENODEV;
    return link ? link->index : 0;
}

char* if_indextoname(unsigned index, char* name) noexcept {
    auto const* const link = oracle::find_link(index);
    if (!link) {
        errno = ENXIO;
        return nullptr;
    }
    std::snprintf(name, IF_NAMESIZE, "%s", link->name.c_str());
    return name;
}

}  // extern "C"
