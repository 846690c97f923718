// Bytes -> answers: what the kernel says to a request.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "netlink/diagnostic.hpp"
#include "netlink/message.hpp"

struct nlmsghdr;

namespace nlstream {

/// An NLMSG_ERROR: an acknowledgement (error 0) or a refusal, with the extended ACK if the kernel gave one
/// (linux/netlink.h, enum nlmsgerr_attrs).
struct Answer {
    u32 sequence = 0;       ///< nlmsg_seq of the request
    int error = 0;          ///< errno, positive; 0: applied
    u32 request_length = 0; ///< nlmsg_len of the request
    u16 request_type = 0;   ///< nlmsg_type of the request: RTM_*
    u16 request_flags = 0;  ///< nlmsg_flags of the request
    std::string text;                ///< NLMSGERR_ATTR_MSG
    std::optional<u32> offset;       ///< NLMSGERR_ATTR_OFFS: the attribute at fault, in bytes from the request's nlmsghdr
    std::optional<u16> missing_type; ///< NLMSGERR_ATTR_MISS_TYPE: an attribute that is not there
    std::optional<u32> missing_nest; ///< NLMSGERR_ATTR_MISS_NEST: offset of the nest it belongs in
    std::string policy;              ///< NLMSGERR_ATTR_POLICY in words: "0 to 4095", "at most 16 bytes"; empty if none
};

/// Reads one NLMSG_ERROR message; nothing if `message` is of another type or too short to be one.
std::optional<Answer> read_answer(nlmsghdr const& message);

/// The refusal as a Diagnostic for the line it came from. `trail`: of the line encoded once more, or nullptr when that
/// was not possible; without it no word is blamed. `request`: the message so made, or nothing.
Diagnostic explain(Answer const& answer, Trail const* trail, std::span<std::byte const> request = {});

/// "ENOENT", "EEXIST"; "errno 4711" for what has no name.
std::string errno_name(int error);

}  // namespace nlstream
