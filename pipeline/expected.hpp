// Which refusals the user said to expect, and which pass of themselves.
#pragma once
#include <bitset>
#include <string_view>

#include "netlink/answer.hpp"
#include "pipeline/request_kind.hpp"

namespace nlstream {

/// The errors of --ignore.
class Expected {
  public:
    /// "exists", "missing", or an errno by name (EBUSY) or number. False if `word` is none of these.
    bool add(std::string_view word);

    /// True when `answer`, a refusal of `request`, is one of them:
    ///
    ///     exists    EEXIST to a request that adds
    ///     missing   to a request that deletes: ENOENT, ESRCH, ENODEV, EADDRNOTAVAIL, and EINVAL when the kernel's text
    ///     says that the thing, or
    ///               what it would belong to, is not there
    ///     an errno  to every request
    bool covers(Answer const& answer, RequestKind const& request) const;

    bool missing() const { return missing_; }

  private:
    /// The kernel's MAX_ERRNO (linux/err.h).
    static constexpr int most = 4095;

    bool exists_ = false;
    bool missing_ = false;
    std::bitset<most + 1> errors_;
};

/// True for ENOENT, ESRCH, ENODEV and EADDRNOTAVAIL: there is no such thing.
bool says_absent(int error);

/// True for EBUSY, EAGAIN, ENOBUFS and ENOMEM: the same request may be granted later.
bool says_later(int error);

}  // namespace nlstream
