#include "netlink/context.hpp"

#include <system_error>

#include "netlink/answer.hpp"

namespace nlstream {

void Kernel::dump(std::span<std::byte const> request, std::function<void(nlmsghdr const&)> const& each) {
    auto const dump = begin_dump(request);
    try {
        while (dump && dump->next(each)) {}
    } catch (Answer const& refusal) {
        throw std::system_error(refusal.error, std::generic_category(), "the kernel refused to list");
    }
}

}  // namespace nlstream
