// What somebody who knows the kernel would say to its answers.
#pragma once
#include <span>
#include <string>

#include "netlink/answer.hpp"

namespace nlstream {

/// A sentence that may help with a refusal: which line should have come before, which keyword to use instead. Says
/// "may" or "if" where it is a guess. `request`: the message that was refused, to name its kind and parent; empty if
/// it is not at hand. Empty if there is nothing to say.
std::string hint(Answer const& answer, std::span<std::byte const> request);

}  // namespace nlstream
