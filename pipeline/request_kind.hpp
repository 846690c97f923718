// What a request is about, told from its bytes.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "netlink/integers.hpp"

namespace nlstream {

/// The object of a request as the commands name it ("route", "fdb", "class"), and what becomes of it.
struct RequestKind {
    std::string_view object;
    u16 type = 0;          ///< RTM_*
    bool makes = false;    ///< adds something that must not be there yet, or may be there in part: NLM_F_CREATE without
                           ///< NLM_F_REPLACE
    bool removes = false;  ///< an RTM_DEL*
};

/// REQUIRES: `request` is a whole message of rtnetlink.
RequestKind kind_of(std::span<std::byte const> request);

}  // namespace nlstream
