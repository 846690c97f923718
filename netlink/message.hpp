// Netlink requests under construction.
#pragma once
#include <linux/netlink.h>

#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "netlink/diagnostic.hpp"

namespace nlstream {

/// Which word of the line each attribute of one message came from. Kept only when a failed line is encoded once
/// more to find the word behind the kernel's NLMSGERR_ATTR_OFFS.
class Trail {
  public:
    void step(u32 offset, Span source) { steps_.push_back({offset, source}); }
    /// A keyword of a table was read.
    struct Keyword {
        void const* row;  ///< the address of its Row
        Span word;        ///< as typed
    };
    void read(Keyword keyword) { keywords_.push_back(keyword); }
    /// All that were read, in their order.
    std::vector<Keyword> const& keywords() const { return keywords_; }
    void clear() {
        steps_.clear();
        keywords_.clear();
    }
    /// The word behind byte `offset` of the message (counted from nlmsghdr, as the kernel does); an empty span if none.
    Span blame(u32 offset) const;

  private:
    struct Step {
        u32 offset;
        Span source;
    };
    std::vector<Step> steps_;
    std::vector<Keyword> keywords_;
};

/// Whole netlink messages, one after the other, each padded to 4 bytes as `sendmsg` wants them; and the one that is
/// being built at its end.
///
/// A put that does not fit `max_length` is dropped and `overflowed()` turns true; ask once, when the message is done.
/// References and positions are valid until the next begin().
class MessageBuffer {
  public:
    /// The longest message: what iproute2 allows a qdisc with a netem table (64 KiB) and some.
    static constexpr u32 max_length = 72 * 1024;

    MessageBuffer() = default;

    /// Forgets all messages, keeps the memory.
    void clear() { size_ = start_ = 0; overflowed_ = false; }
    std::span<std::byte const> bytes() const { return {data_.get(), size_}; }
    std::span<std::byte> bytes() { return {data_.get(), size_}; }
    u32 size() const { return size_; }
    /// Drops everything from byte `size` on: the messages of a line that turned out to be wrong.
    void truncate(u32 size) { size_ = start_ = size; overflowed_ = false; }

    /// Starts a message of `type` (RTM_*) with `flags` (NLM_F_*) and nlmsg_seq = nlmsg_pid = 0.
    void begin(u16 type, u16 flags) {
        if (capacity_ - size_ < max_length) grow();
        start_ = size_;
        overflowed_ = false;
        nlmsghdr const head{.nlmsg_len = sizeof(nlmsghdr), .nlmsg_type = type, .nlmsg_flags = flags, .nlmsg_seq = 0, .nlmsg_pid = 0};
        append(&head, sizeof head);
    }
    nlmsghdr& head() { return *reinterpret_cast<nlmsghdr*>(data_.get() + start_); }

    /// Appends the family's fixed header (rtmsg, tcmsg, ...), zeroed.
    template <class Header>
    Header& fixed_header() {
        Header const zero{};
        auto const at = size_;
        append(&zero, sizeof zero);
        return *reinterpret_cast<Header*>(data_.get() + at);
    }

    /// An attribute whose payload is `length` bytes. `type` is written as given: iproute2 sets NLA_F_NESTED on some nests only.
    void put(u16 type, void const* payload, std::size_t length) {
        if (trail_) trail_->step(position(), source_);
        if (!room(sizeof(nlattr) + length)) return;
        nlattr const attribute{.nla_len = static_cast<u16>(sizeof(nlattr) + length), .nla_type = type};
        append(&attribute, sizeof attribute);
        append(payload, length);
    }
    /// Any trivially copyable value, as it is in memory.
    template <class T>
        requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_convertible_v<T, std::string_view>)
    void put(u16 type, T const& value) { put(type, &value, sizeof value); }
    /// An attribute without payload.
    void put_flag(u16 type) { put(type, nullptr, 0); }
    /// The text with its ending NUL.
    void put_string(u16 type, std::string_view text);
    /// The text without NUL.
    void put_text(u16 type, std::string_view text) { put(type, text.data(), text.size()); }
    /// `length` bytes between attributes, padded to 4.
    void put_raw(void const* bytes, std::size_t length) { if (room(length)) append(bytes, length); }

    /// Runs `body` between the start and the end of a nest of `type`.
    template <class Body>
    void nest(u16 type, Body&& body) {
        auto const at = open(type);
        std::forward<Body>(body)();
        close(at);
    }
    /// The same in two calls, for nests that several keywords fill: close(open(type)).
    u32 open(u16 type) {
        auto const at = position();
        put(type, nullptr, 0);
        return at;
    }
    void close(u32 at) {
        if (position() - at > 0xffff) overflowed_ = true;
        if (!overflowed_) value_at<nlattr>(at).nla_len = static_cast<u16>(position() - at);
    }

    /// Appends a struct whose own `length` member covers the attributes that `body` puts after it (rtnexthop). `head`
    /// is written last, so `body` may still set it.
    template <class Head, class Length, class Body>
    void record(Head& head, Length Head::*length, Body&& body) {
        auto const at = position();
        if (!room(sizeof head)) return;
        append(&head, sizeof head);
        std::forward<Body>(body)();
        head.*length = static_cast<Length>(position() - at);
        if (!overflowed_) std::memcpy(data_.get() + start_ + at, &head, sizeof head);
    }

    /// Where the next attribute goes, in bytes from the message's start.
    u32 position() const { return size_ - start_; }
    /// Drops what was put since `position`.
    void rewind(u32 position) { size_ = start_ + position; }
    /// What was put at `position`, to be changed.
    template <class T>
    T& value_at(u32 position) { return *reinterpret_cast<T*>(data_.get() + start_ + position); }
    /// The message's bytes so far, from nlmsghdr on.
    std::span<std::byte const> message() const { return {data_.get() + start_, size_ - start_}; }

    /// Ends the message: writes its length.
    void end() { head().nlmsg_len = position(); }
    bool overflowed() const { return overflowed_; }

    /// Attributes put from now on come from `span`.
    void source(Span span) { source_ = span; }
    /// Records sources in `trail` from now on; nullptr: no longer.
    void trail(Trail* trail) { trail_ = trail; }
    Trail* trail() const { return trail_; }

  private:
    bool room(std::size_t more) {
        // An attribute's length has 16 bits; a message has max_length.
        if (more > 0xffff || position() + more + NLA_ALIGNTO > max_length) overflowed_ = true;
        return !overflowed_;
    }
    void append(void const* bytes, std::size_t length) {
        auto const padded = (length + 3) & ~std::size_t{3};
        if (padded != length) std::memset(data_.get() + size_ + padded - 4, 0, 4);
        if (length) std::memcpy(data_.get() + size_, bytes, length);
        size_ += static_cast<u32>(padded);
    }
    void grow();

    std::unique_ptr<std::byte[]> data_;
    u32 capacity_ = 0;
    u32 size_ = 0;
    u32 start_ = 0;
    bool overflowed_ = false;
    Span source_{};
    Trail* trail_ = nullptr;
};

}  // namespace nlstream
