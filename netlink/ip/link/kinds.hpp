// The types of links: one file each, registered in kinds.cpp.
#pragma once
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <span>

#include "netlink/command.hpp"

namespace nlstream::ip {

struct LinkKind {
    KindInfo info;
    /// Reads the options to the end of the line and puts them; the nest that holds them is open. nullptr: there are none.
    void (*read)(Line& line) = nullptr;
    /// A change sends every option, the ones that the line does not say as they are now.
    bool sends_all = false;
};

std::span<LinkKind const* const> link_kinds();

/// The line makes a link (add, replace).
inline bool creates(Line& line) { return (line.out.head().nlmsg_flags & NLM_F_CREATE) != 0; }
/// The line changes a link that is there (set, change).
inline bool changes(Line& line) { return line.out.head().nlmsg_type == RTM_NEWLINK && !creates(line); }

}  // namespace nlstream::ip
