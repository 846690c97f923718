// What the running kernel lists.
#pragma once
#include <memory>

#include "netlink/context.hpp"
#include "pipeline/input.hpp"

namespace nlstream {

/// Lists over a socket of its own: the kernel does one dump a socket at a time, and this one may be left open while others
/// are asked for. Belongs to the network namespace of the thread that made it.
class KernelDump : public Dump {
  public:
    /// Sends the request. Throws std::system_error.
    explicit KernelDump(std::span<std::byte const> request);

    bool next(std::function<void(nlmsghdr const&)> const& each) override;

  private:
    Descriptor socket_;
    std::unique_ptr<std::byte[]> buffer_;
};

}  // namespace nlstream
