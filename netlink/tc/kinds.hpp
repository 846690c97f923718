// The kinds of tc: one file each, registered in kinds.cpp.
#pragma once
#include <linux/rtnetlink.h>

#include <span>

#include "netlink/command.hpp"

namespace nlstream::tc {

/// A qdisc, and the options of its classes.
struct QdiscKind {
    KindInfo info;
    /// Reads the options to the end of the line and puts TCA_OPTIONS; nullptr: it has none.
    void (*read_qdisc)(Line& line) = nullptr;
    /// The same for a class; nullptr: the qdisc has no classes to configure.
    void (*read_class)(Line& line) = nullptr;
};

/// What the words before the filter's kind say. The request holds the same; `tcm_handle` is the kind's to set.
struct FilterHead {
    Word const* handle = nullptr;  ///< nullptr: not given
    u16 protocol = 0;              ///< ETH_P_*, host byte order
    u16 priority = 0;
    u32 parent = 0;
};

struct FilterKind {
    KindInfo info;
    /// Reads the options to the end of the line, sets tcm_handle and puts TCA_OPTIONS.
    void (*read)(Line& line, FilterHead const& head);
};

struct ActionKind {
    KindInfo info;
    /// Reads the options, as far as they are the action's, and puts TCA_ACT_OPTIONS. The word that names the kind was
    /// taken, except for a bare control word ("drop"), which gact reads.
    void (*read)(Line& line);
};

/// An extended match, a leaf of the expressions of basic, cgroup and flow.
struct EmatchKind {
    KindInfo info;
    u16 number;  ///< TCF_EM_*
    /// Reads the words between the brackets and puts them, raw, behind tcf_ematch_hdr.
    void (*read)(Line& line);
};

std::span<QdiscKind const* const> qdisc_kinds();
std::span<FilterKind const* const> filter_kinds();
std::span<ActionKind const* const> action_kinds();
std::span<EmatchKind const* const> ematch_kinds();

void read_qdisc(Line& line);   ///< tc qdisc ...
void read_class(Line& line);   ///< tc class ...
void read_filter(Line& line);  ///< tc filter ...
void read_chain(Line& line);   ///< tc chain ...
void read_actions(Line& line); ///< tc actions ...

extern KindInfo const qdisc_info, class_info, filter_info, chain_info, actions_info;

/// The request's fixed header.
inline tcmsg& header(Line& line) { return line.out.value_at<tcmsg>(sizeof(nlmsghdr)); }

}  // namespace nlstream::tc
