#include "netlink/message.hpp"

#include <algorithm>

namespace nlstream {

Span Trail::blame(u32 offset) const {
    // Nests are stepped before what they hold, so the last step at or before the offset is the innermost.
    Span found{};
    for (auto const& step : steps_)
        if (step.offset <= offset) found = step.source;
    return found;
}

void MessageBuffer::put_string(u16 type, std::string_view text) {
    if (trail_) trail_->step(position(), source_);
    if (!room(sizeof(nlattr) + text.size() + 1)) return;
    nlattr const attribute{.nla_len = static_cast<u16>(sizeof(nlattr) + text.size() + 1), .nla_type = type};
    append(&attribute, sizeof attribute);
    auto const at = size_;
    // One byte more than the text, which append() would have to read: reserve zeroed room, then copy.
    auto const padded = static_cast<u32>((text.size() + 1 + 3) & ~std::size_t{3});
    std::memset(data_.get() + at + padded - 4, 0, 4);
    std::memcpy(data_.get() + at, text.data(), text.size());
    size_ += padded;
}

void MessageBuffer::grow() {
    auto const capacity = std::max<u32>(capacity_ * 2, max_length);
    auto grown = std::make_unique_for_overwrite<std::byte[]>(capacity);
    if (size_) std::memcpy(grown.get(), data_.get(), size_);
    data_ = std::move(grown);
    capacity_ = capacity;
}

}  // namespace nlstream
