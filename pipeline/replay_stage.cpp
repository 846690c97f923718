#include "pipeline/replay_stage.hpp"

#include <linux/rtnetlink.h>

#include <algorithm>
#include <cstring>

#include "netlink/decode.hpp"
#include "netlink/received.hpp"

namespace nlstream {
namespace {

/// What MessageBuffer holds.
constexpr u32 longest = MessageBuffer::max_length - NLMSG_ALIGNTO;

nlmsghdr head_of(std::span<std::byte const> message) {
    nlmsghdr head;
    std::memcpy(&head, message.data(), sizeof head);
    return head;
}

/// rtnetlink types come in fours: new, delete, get, set (net/core/rtnetlink.c, rtnl_msgtype_kind()). What is no request
/// the kernel acknowledges without a look.
bool changes_something(nlmsghdr const& head) {
    constexpr unsigned get = 2;
    return head.nlmsg_type >= RTM_BASE && (head.nlmsg_type - RTM_BASE) % 4 != get && (head.nlmsg_flags & NLM_F_REQUEST);
}

void append(std::span<std::byte const> message, MessageBuffer& out) {
    auto const head = head_of(message);
    // Nobody would read an echo, and it would take the room of answers.
    out.begin(head.nlmsg_type, static_cast<u16>(head.nlmsg_flags & ~NLM_F_ECHO));
    constexpr std::size_t piece = 32 * 1024;
    for (auto rest = message.subspan(sizeof head); !rest.empty(); rest = rest.subspan(std::min(piece, rest.size())))
        out.put_raw(rest.data(), std::min(piece, rest.size()));
    out.head().nlmsg_len = head.nlmsg_len;
}

}  // namespace

void ReplayStage::start_file(u64 from_line) {
    from_line_ = from_line;
    number_ = 1;
}

void ReplayStage::end_file() const {
    if (from_line_ > number_)
        throw NoSuchLine("it has only " + std::to_string(number_ - 1) + " messages, and was to be started at number " +
                         std::to_string(from_line_));
}

std::size_t ReplayStage::length_of_next(std::span<char const> rest, bool at_end) const {
    nlmsghdr head{};
    bool const whole_head = rest.size() >= sizeof head;
    if (whole_head) {
        std::memcpy(&head, rest.data(), sizeof head);
        if (head.nlmsg_len < sizeof head || head.nlmsg_len > longest)
            throw BadFile("message " + std::to_string(number_) + " would be " + std::to_string(head.nlmsg_len) +
                          " bytes long: this is no file of netlink messages, or it is damaged");
        if (rest.size() >= NLMSG_ALIGN(head.nlmsg_len)) return head.nlmsg_len;
    }
    if (at_end && !rest.empty()) throw BadFile("message " + std::to_string(number_) + " is cut off");
    return 0;
}

Stage::Step ReplayStage::encode(Batch& batch, std::size_t& position, bool at_end) {
    batch.first_number = number_;
    batch.given_up = given_up_;
    for (;;) {
        auto const rest = std::span(batch.text.data(), batch.text_size).subspan(position);
        auto const length = length_of_next(rest, at_end);
        if (length == 0) return Step::out_of_text;
        auto step = Step::out_of_text;
        if (number_ >= from_line_) step = take(std::as_bytes(rest.first(length)), batch, position);
        ++number_;
        position += netlink_padded(static_cast<u32>(length));
        if (step != Step::out_of_text) return step;
    }
}

Stage::Step ReplayStage::take(std::span<std::byte const> message, Batch& batch, std::size_t position) const {
    BatchLine line{.begin = static_cast<u32>(position),
                   .end = static_cast<u32>(position + message.size()),
                   .number = static_cast<u32>(number_ - batch.first_number)};
    if (!given_up_ && changes_something(head_of(message))) {
        append(message, batch.messages);
        ++batch.message_count;
    } else if (!given_up_) {
        batch.rejections.push_back({static_cast<u32>(batch.lines.size()), title_of(batch.raw(line)),
                                    {"the message is no request to change something", {}, {}, {}, code::unsupported}});
        line.rejected = true;
    }
    line.messages_end = batch.message_count;
    batch.lines.push_back(line);
    if (line.rejected && stop_at_rejection_) return Step::rejected;
    return batch.messages.size() < enough ? Step::out_of_text : Step::full;
}

std::string title_of(std::string_view message) {
    auto const text = decode(std::as_bytes(std::span(message)));
    return text.substr(0, text.find('\n'));
}

}  // namespace nlstream
