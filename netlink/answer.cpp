#include "netlink/answer.hpp"

#include <cstring>

#include "netlink/hints.hpp"
#include "netlink/received.hpp"

namespace nlstream {
namespace {

/// Integers come in the width that the kernel chose.
u64 number_of(nlattr const& attribute) {
    auto const payload = payload_of(attribute);
    u64 value = 0;
    std::memcpy(&value, payload.data(), std::min(payload.size(), sizeof value));
    return value;
}

/// What a policy (linux/netlink.h, enum netlink_policy_type_attr) allows, in words.
std::string policy_in_words(nlattr const& policy) {
    std::optional<u64> least, most, least_length, most_length, mask;
    std::optional<s64> least_signed, most_signed;
    for_each_attribute(policy, [&](nlattr const& attribute) {
        auto const value = number_of(attribute);
        switch (type_of(attribute)) {
            case NL_POLICY_TYPE_ATTR_MIN_VALUE_U: least = value; break;
            case NL_POLICY_TYPE_ATTR_MAX_VALUE_U: most = value; break;
            case NL_POLICY_TYPE_ATTR_MIN_VALUE_S: least_signed = static_cast<s64>(value); break;
            case NL_POLICY_TYPE_ATTR_MAX_VALUE_S: most_signed = static_cast<s64>(value); break;
            case NL_POLICY_TYPE_ATTR_MIN_LENGTH: least_length = value; break;
            case NL_POLICY_TYPE_ATTR_MAX_LENGTH: most_length = value; break;
            case NL_POLICY_TYPE_ATTR_MASK: mask = value; break;
            default: break;
        }
    });
    auto const range = [](auto const& low, auto const& high) { return std::to_string(low) + " to " + std::to_string(high); };
    if (least_signed && most_signed) return range(*least_signed, *most_signed);
    if (least && most) return range(*least, *most);
    if (least_length && most_length) return *least_length == *most_length ? std::to_string(*most_length) + " bytes" : range(*least_length, *most_length) + " bytes";
    if (most_length) return "at most " + std::to_string(*most_length) + " bytes";
    if (least_length) return "at least " + std::to_string(*least_length) + " bytes";
    if (mask) {
        char text[32];
        std::snprintf(text, sizeof text, "bits of 0x%llx", static_cast<unsigned long long>(*mask));
        return text;
    }
    return {};
}

}  // namespace

std::optional<Answer> read_answer(nlmsghdr const& message) {
    auto const* body = message.nlmsg_type == NLMSG_ERROR ? body_of<nlmsgerr>(message) : nullptr;
    if (!body) return {};
    auto const& error = *body;
    Answer answer{.sequence = error.msg.nlmsg_seq, .error = -error.error, .request_length = error.msg.nlmsg_len, .request_type = error.msg.nlmsg_type, .request_flags = error.msg.nlmsg_flags, .text = {}, .policy = {}};
    if (!(message.nlmsg_flags & NLM_F_ACK_TLVS)) return answer;

    // The attributes follow the request, of which only the header is there when the answer is capped.
    std::size_t offset = sizeof(nlmsgerr);
    if (!(message.nlmsg_flags & NLM_F_CAPPED)) offset += netlink_padded(error.msg.nlmsg_len) - sizeof(nlmsghdr);
    if (error.msg.nlmsg_len < sizeof(nlmsghdr)) return answer;
    for_each_attribute(attributes_of(message, offset), [&](nlattr const& attribute) {
        switch (type_of(attribute)) {
            case NLMSGERR_ATTR_MSG: answer.text = text_of(attribute); break;
            case NLMSGERR_ATTR_OFFS: answer.offset = static_cast<u32>(number_of(attribute)); break;
            case NLMSGERR_ATTR_MISS_TYPE: answer.missing_type = static_cast<u16>(number_of(attribute)); break;
            case NLMSGERR_ATTR_MISS_NEST: answer.missing_nest = static_cast<u32>(number_of(attribute)); break;
            case NLMSGERR_ATTR_POLICY: answer.policy = policy_in_words(attribute); break;
            default: break;
        }
    });
    return answer;
}

Diagnostic explain(Answer const& answer, Trail const* trail, std::span<std::byte const> request) {
    Diagnostic d{.code = code::kernel};
    auto text = answer.text;
    while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
    if (text.empty()) {
        char const* const description = strerrordesc_np(answer.error);
        text = description ? description : "unknown error";
    }
    d.what = "the kernel refused: " + text + " (" + errno_name(answer.error) + ')';
    if (trail && answer.offset) d.where = trail->blame(*answer.offset);
    if (trail && !answer.offset && answer.missing_nest) d.where = trail->blame(*answer.missing_nest);
    if (!answer.policy.empty()) d.label = "expected " + answer.policy;
    d.help = hint(answer, request);
    return d;
}

std::string errno_name(int error) {
    char const* const name = strerrorname_np(error);
    return name ? name : "errno " + std::to_string(error);
}

}  // namespace nlstream
