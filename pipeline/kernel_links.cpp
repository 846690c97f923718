#include "pipeline/kernel_links.hpp"

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/net_namespace.h>
#include <linux/netfilter/ipset/ip_set.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "netlink/message.hpp"
#include "netlink/received.hpp"
#include "pipeline/kernel_dump.hpp"

namespace nlstream {
namespace {

[[noreturn]] void fail(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

Descriptor open_socket(u32 groups) {
    Descriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    if (socket.get() < 0) fail("no netlink socket");
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = groups;
    if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) fail("no netlink socket");
    return socket;
}

Link read_link(nlmsghdr const& message) {
    Link link;
    auto const* info = body_of<ifinfomsg>(message);
    if (!info) return link;
    link.index = static_cast<u32>(info->ifi_index);
    for_each_attribute(attributes_of(message, sizeof *info), [&](nlattr const& attribute) {
        if (type_of(attribute) == IFLA_IFNAME) link.name = text_of(attribute);
        if (type_of(attribute) == IFLA_ADDRESS) link.address_length = static_cast<u8>(payload_of(attribute).size());
        if (type_of(attribute) != IFLA_LINKINFO) return;
        for_each_attribute(attribute, [&](nlattr const& detail) {
            if (type_of(detail) == IFLA_INFO_KIND) link.kind = text_of(detail);
            if (type_of(detail) != IFLA_INFO_DATA || link.kind != "vrf") return;
            for_each_attribute(detail, [&](nlattr const& vrf) {
                if (type_of(vrf) == IFLA_VRF_TABLE) link.vrf_table = value_of<u32>(vrf);
            });
        });
    });
    return link;
}

int error_of(nlmsghdr const& message) {
    auto const* body = body_of<nlmsgerr>(message);
    return body ? -body->error : EBADMSG;
}

/// A question without statistics: they are most of an answer, and the costly part.
MessageBuffer& begin_question(MessageBuffer& out, u32 index) {
    out.begin(RTM_GETLINK, NLM_F_REQUEST);
    out.fixed_header<ifinfomsg>().ifi_index = static_cast<int>(index);
    out.put(IFLA_EXT_MASK, u32{RTEXT_FILTER_SKIP_STATS});
    return out;
}

void put_name(MessageBuffer& question, std::string_view name) {
    // The kernel looks among altnames, too, for a name short enough to be either.
    question.put_string(name.size() < IFNAMSIZ ? IFLA_IFNAME : IFLA_ALT_IFNAME, name);
}

}  // namespace

KernelLinks::KernelLinks(Mode mode) : mode_(mode), questions_(open_socket(0)), buffer_(64 * 1024, boost::container::default_init) {
    if (mode == Mode::stream) changes_ = open_socket(RTMGRP_LINK);
    int const on = 1;
    ::setsockopt(questions_.get(), SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on);
    // Strict: the kernel filters dumps by what the request says instead of listing everything.
    ::setsockopt(questions_.get(), SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on);
}

void KernelLinks::require_settled() const {
    if (mode_ == Mode::stream && links_->dirty()) throw BarrierNeeded{};
}

void KernelLinks::send(Descriptor const& socket, std::span<std::byte const> request) {
    while (::send(socket.get(), request.data(), request.size(), 0) < 0)
        if (errno != EINTR && errno != ENOBUFS && errno != EAGAIN) fail("cannot ask the kernel");
}

std::span<std::byte const> KernelLinks::receive(Descriptor const& socket) {
    for (;;) {
        auto const size = ::recv(socket.get(), buffer_.data(), 0, MSG_PEEK | MSG_TRUNC);
        if (size > static_cast<ssize_t>(buffer_.size())) buffer_.resize(static_cast<std::size_t>(size));
        auto const got = size < 0 ? size : ::recv(socket.get(), buffer_.data(), buffer_.size(), 0);
        if (got >= 0) return {buffer_.data(), static_cast<std::size_t>(got)};
        if (errno != EINTR) fail("no answer from the kernel");
    }
}

/// Ends the question and returns the first answer to it, valid until the next receive(); nullptr if there is no such
/// thing.
nlmsghdr const* KernelLinks::ask(Descriptor const& socket, MessageBuffer& question) {
    question.head().nlmsg_seq = ++sequence_;
    question.end();
    send(socket, question.bytes());
    for (;;) {
        auto const answer = receive(socket);
        auto const& message = *reinterpret_cast<nlmsghdr const*>(answer.data());
        if (answer.size() < sizeof message || message.nlmsg_len > answer.size() || message.nlmsg_seq != sequence_)
            continue;
        if (message.nlmsg_type != NLMSG_ERROR) return &message;
        errno = error_of(message);
        if (errno == 0) return &message;
        // EINVAL, ERANGE: a name that cannot be a link's, a file that is no namespace. EPERM, EEXIST: a number that
        // cannot be given.
        if (errno == ENODEV || errno == EINVAL || errno == ERANGE || errno == EPERM || errno == EEXIST) return nullptr;
        fail("cannot ask the kernel");
    }
}

std::optional<Link> KernelLinks::link(std::string_view name) {
    if (name.empty() || name.size() >= ALTIFNAMSIZ) return {};
    require_settled();
    MessageBuffer question;
    put_name(begin_question(question, 0), name);
    auto const* answer = ask(questions_, question);
    return answer ? std::optional(read_link(*answer)) : std::nullopt;
}

std::optional<Link> KernelLinks::link(u32 index) {
    require_settled();
    MessageBuffer question;
    auto const* answer = ask(questions_, begin_question(question, index));
    return answer ? std::optional(read_link(*answer)) : std::nullopt;
}

std::optional<std::vector<std::byte>> KernelLinks::link_options(u32 index) {
    require_settled();
    MessageBuffer question;
    auto const* answer = ask(questions_, begin_question(question, index));
    std::optional<std::vector<std::byte>> options;
    if (!answer) return options;
    for_each_attribute(attributes_of(*answer, sizeof(ifinfomsg)), [&](nlattr const& attribute) {
        if (type_of(attribute) != IFLA_LINKINFO) return;
        for_each_attribute(attribute, [&](nlattr const& detail) {
            auto const payload = payload_of(detail);
            if (type_of(detail) == IFLA_INFO_DATA) options.emplace(payload.begin(), payload.end());
        });
    });
    return options;
}

/// The socket to ask on. Only a thread that is in a namespace gets a socket there: this one goes and comes back.
Descriptor const& KernelLinks::socket_in(OpenFile const* seen_from, Descriptor& elsewhere) const {
    if (!seen_from) return questions_;
    Descriptor const home(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
    if (home.get() < 0) fail("cannot open this network namespace");
    if (::setns(seen_from->descriptor(), CLONE_NEWNET) < 0) fail("cannot enter the network namespace");
    elsewhere = Descriptor(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    auto const error = errno;
    if (::setns(home.get(), CLONE_NEWNET) < 0) fail("cannot come back from the network namespace");
    errno = error;
    if (elsewhere.get() < 0) fail("no netlink socket");
    return elsewhere;
}

std::optional<s32> KernelLinks::namespace_id(OpenFile const& of, OpenFile const* seen_from) {
    Descriptor elsewhere;
    auto const& socket = socket_in(seen_from, elsewhere);
    for (bool const assigned : {false, true}) {
        MessageBuffer question;
        question.begin(RTM_GETNSID, NLM_F_REQUEST);
        question.fixed_header<rtgenmsg>();
        question.put(NETNSA_FD, of.descriptor());
        s32 id = NETNSA_NSID_NOT_ASSIGNED;
        if (auto const* answer = ask(socket, question))
            for_each_attribute(attributes_of(*answer, sizeof(rtgenmsg)), [&](nlattr const& attribute) {
                if (type_of(attribute) == NETNSA_NSID) id = value_of(attribute, id);
            });
        if (id >= 0) return id;
        if (assigned || mode_ == Mode::check) break;
        MessageBuffer request;
        request.begin(RTM_NEWNSID, NLM_F_REQUEST | NLM_F_ACK);
        request.fixed_header<rtgenmsg>();
        request.put(NETNSA_FD, of.descriptor());
        request.put(NETNSA_NSID, s32{-1});
        ask(socket, request);
    }
    return {};
}

std::optional<u32> KernelLinks::link_in(s32 id, OpenFile const* seen_from, std::string_view name) {
    require_settled();
    Descriptor elsewhere;
    auto const& socket = socket_in(seen_from, elsewhere);
    MessageBuffer question;
    begin_question(question, 0).put(IFLA_TARGET_NETNSID, id);
    put_name(question, name);
    auto const* answer = ask(socket, question);
    return answer ? std::optional(read_link(*answer).index) : std::nullopt;
}

std::optional<u16> KernelLinks::ip_set(std::string_view name) {
    // Sets are asked for by a socket option (net/netfilter/ipset/ip_set_core.c, ip_set_sockfn_get()).
    Descriptor const socket(::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW));
    if (socket.get() < 0) fail("no raw socket to ask for IP sets");
    ip_set_req_version version{.op = IP_SET_OP_VERSION, .version = 0};
    socklen_t length = sizeof version;
    if (::getsockopt(socket.get(), SOL_IP, SO_IP_SET, &version, &length) < 0) return {};
    ip_set_req_get_set question{};
    question.op = IP_SET_OP_GET_BYNAME;
    question.version = version.version;
    name.substr(0, IPSET_MAXNAMELEN - 1).copy(question.set.name, IPSET_MAXNAMELEN - 1);
    length = sizeof question;
    if (::getsockopt(socket.get(), SOL_IP, SO_IP_SET, &question, &length) < 0 || question.set.index == IPSET_INVALID_ID) return {};
    return question.set.index;
}

std::unique_ptr<Dump> KernelLinks::begin_dump(std::span<std::byte const> request) {
    if (mode_ == Mode::check) return {};
    return std::make_unique<KernelDump>(request);
}

void KernelLinks::poll_changes() {
    if (changes_.get() < 0) return;
    for (;;) {
        auto const got = ::recv(changes_.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
        if (got < 0) {
            if (errno == EINTR) continue;
            if (errno == ENOBUFS) {
                links_->forget();
                continue;
            }
            return;
        }
        for_each_message({buffer_.data(), static_cast<std::size_t>(got)}, [&](nlmsghdr const& message) {
            if (message.nlmsg_type != RTM_NEWLINK && message.nlmsg_type != RTM_DELLINK) return;
            if (auto const* info = body_of<ifinfomsg>(message)) links_->changed(static_cast<u32>(info->ifi_index));
        });
    }
}

}  // namespace nlstream
