// Questions to the running kernel.
#pragma once
#include <array>
#include <boost/container/vector.hpp>
#include <vector>

#include "netlink/context.hpp"
#include "netlink/links.hpp"
#include "netlink/message.hpp"
#include "pipeline/input.hpp"

namespace nlstream {

/// Asks the kernel over a socket of its own, and hears of links that others change over a second one. Belongs to the
/// network namespace of the thread that made it. Used by one thread.
class KernelLinks : public Kernel {
  public:
    enum class Mode : u8 {
        stream,  ///< what the stream changes has to be waited for, and what others change is heard of
        check,   ///< only links are asked for, dumps are empty
    };

    /// Throws std::system_error when a socket cannot be had.
    explicit KernelLinks(Mode mode);

    /// The cache to consult before a question (Links::dirty()) and to tell of changes. Before the first question.
    void watch(Links& links) { links_ = &links; }

    /// Tells the cache of what has changed meanwhile. Does not wait.
    void poll_changes();

    // Each throws std::system_error when the kernel cannot be asked, BarrierNeeded when the stream has touched links
    // since it was settled last.
    std::optional<Link> link(std::string_view name) override;
    std::optional<Link> link(u32 index) override;
    std::optional<std::vector<std::byte>> link_options(u32 index) override;
    std::unique_ptr<Dump> begin_dump(std::span<std::byte const> request) override;
    std::optional<s32> namespace_id(OpenFile const& of, OpenFile const* seen_from) override;
    std::optional<u32> link_in(s32 id, OpenFile const* seen_from, std::string_view name) override;
    std::optional<u16> ip_set(std::string_view name) override;

  private:
    void require_settled() const;
    void send(Descriptor const& socket, std::span<std::byte const> request);
    std::span<std::byte const> receive(Descriptor const& socket);
    nlmsghdr const* ask(Descriptor const& socket, MessageBuffer& question);
    Descriptor const& socket_in(OpenFile const* seen_from, Descriptor& elsewhere) const;

    Mode mode_;
    Descriptor questions_;
    Descriptor changes_;
    Links* links_ = nullptr;
    u32 sequence_ = 0;
    boost::container::vector<std::byte> buffer_;
};

}  // namespace nlstream
