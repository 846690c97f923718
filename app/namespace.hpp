#pragma once
#include <string>

namespace nlstream {

/// Moves the calling thread, and threads that it will start, into the network namespace `name`: one of `ip netns`'s
/// (a file in /run/netns), or a path if it holds a slash. Throws std::system_error.
void enter_namespace(std::string const& name);

}  // namespace nlstream
