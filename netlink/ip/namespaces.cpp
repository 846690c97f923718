#include "netlink/ip/namespaces.hpp"

#include <cerrno>
#include <cstring>

#include "netlink/quantity.hpp"

namespace nlstream::ip {

OpenFile const& open_namespace(Line& line, Word const& word) {
    std::string const name(word.text);
    line.require_descriptor();
    auto file = line.files.open(name.find('/') == name.npos ? "/var/run/netns/" + name : name);
    auto error = errno;
    if (!file && parse_number(name, 0x7fffffff, 10)) {
        file = line.files.open("/proc/" + name + "/ns/net");
        error = errno;
    }
    if (!file) throw Diagnostic{"there is no network namespace \"" + name + '"', word.span, std::strerror(error), {}, code::value};
    return line.keep(std::move(file));
}

}  // namespace nlstream::ip
