#include "app/namespace.hpp"

#include <fcntl.h>
#include <sched.h>

#include <cerrno>
#include <system_error>

#include "pipeline/input.hpp"

namespace nlstream {

void enter_namespace(std::string const& name) {
    auto const path = name.find('/') == name.npos ? "/run/netns/" + name : name;
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0 || ::setns(file.get(), CLONE_NEWNET) < 0)
        throw std::system_error(errno, std::generic_category(), "network namespace " + name);
}

}  // namespace nlstream
