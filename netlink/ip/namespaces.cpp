#include "netlink/ip/namespaces.hpp"

#include <cerrno>
#include <cstring>

#include "netlink/quantity.hpp"

namespace nlstream::ip {
namespace {

std::unique_ptr<OpenFile> open_named(Line& line, Word const& word) {
    std::string const name(word.text);
    line.require_descriptor();
    return line.files.open(name.find('/') == name.npos ? "/var/run/netns/" + name : name);
}

/// `file` is what was opened last.
OpenFile const& keep(Line& line, Word const& word, std::unique_ptr<OpenFile> file) {
    if (!file) throw Diagnostic{"there is no network namespace \"" + std::string(word.text) + '"', word.span, std::strerror(errno), {}, code::value};
    return line.keep(std::move(file));
}

}  // namespace

OpenFile const& open_namespace(Line& line, Word const& word) { return keep(line, word, open_named(line, word)); }

OpenFile const& open_namespace_or_of_process(Line& line, Word const& word) {
    auto file = open_named(line, word);
    if (auto const process = parse_number(word.text, 0x7fffffff); !file && process) file = line.files.open("/proc/" + std::to_string(*process) + "/ns/net");
    return keep(line, word, std::move(file));
}

}  // namespace nlstream::ip
