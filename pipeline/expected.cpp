#include "pipeline/expected.hpp"

#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace nlstream {
namespace {

struct AbsenceInWords {
    u16 type;
    std::string_view text;  ///< without the full stop that some kernels add
};

// What Linux answers with EINVAL where other objects get ENOENT, asked of 6.18 (net/sched/sch_api.c, cls_api.c,
// act_api.c; net/ipv4/fib_semantics.c). An MDB entry that is not there gets no text, and all else that is wrong with
// one gets one (net/bridge/br_mdb.c).
constexpr AbsenceInWords absences[] = {
    {RTM_DELROUTE, "Nexthop id does not exist"},
    {RTM_DELQDISC, "Invalid handle"},
    {RTM_DELTFILTER, "Parent Qdisc doesn't exists"},
    {RTM_DELTFILTER, "Block of given index was not found"},
    {RTM_DELCHAIN, "Parent Qdisc doesn't exists"},
    {RTM_DELCHAIN, "Block of given index was not found"},
    {RTM_DELCHAIN, "Cannot find specified filter chain"},
    {RTM_DELACTION, "Specified TC action kind not found"},
    {RTM_DELMDB, ""},
};

bool says_absent_in_words(u16 type, std::string_view text) {
    while (text.ends_with('.') || text.ends_with('\n')) text.remove_suffix(1);
    return std::ranges::any_of(absences,
                               [&](auto const& absence) { return absence.type == type && absence.text == text; });
}

}  // namespace

bool says_absent(int error) { return error == ENOENT || error == ESRCH || error == ENODEV || error == EADDRNOTAVAIL; }

bool says_later(int error) { return error == EBUSY || error == EAGAIN || error == ENOBUFS || error == ENOMEM; }

bool Expected::add(std::string_view word) {
    if (word == "exists") return exists_ = true;
    if (word == "missing") return missing_ = true;
    int error = 0;
    auto const [rest, failure] = std::from_chars(word.data(), word.data() + word.size(), error);
    if (failure != std::errc() || rest != word.data() + word.size()) {
        error = 1;
        auto const is_called = [&](int number) {
            char const* const name = strerrorname_np(number);
            return name && word == name;
        };
        while (error <= most && !is_called(error)) ++error;
        // The other name of EAGAIN.
        if (word == "EWOULDBLOCK") error = EWOULDBLOCK;
    }
    if (error < 1 || error > most) return false;
    errors_.set(static_cast<std::size_t>(error));
    return true;
}

bool Expected::covers(Answer const& answer, RequestKind const& request) const {
    if (answer.error >= 1 && answer.error <= most && errors_.test(static_cast<std::size_t>(answer.error))) return true;
    if (exists_ && answer.error == EEXIST && request.makes) return true;
    if (!missing_ || !request.removes) return false;
    return says_absent(answer.error) || (answer.error == EINVAL && says_absent_in_words(request.type, answer.text));
}

}  // namespace nlstream
