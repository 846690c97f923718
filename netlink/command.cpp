#include "netlink/command.hpp"

namespace nlstream {

std::string_view name_of(Tool tool) {
    switch (tool) {
        case Tool::tc: return "tc";
        case Tool::ip: return "ip";
        case Tool::bridge: return "bridge";
        case Tool::any: break;
    }
    return "any";
}

Verb const& read_verb(Line& line, std::span<Verb const> verbs, std::string_view object) {
    auto const& word = line.take("a command");
    for (auto const& verb : verbs) {
        if (!selects(verb.words, word.text)) continue;
        if (verb.type == 0)
            throw Diagnostic{std::string(object) + ' ' + std::string(word.text) + " only reads, and nlstream streams changes", word.span, {},
                             "run it with " + std::string(object.substr(0, object.find(' '))) + " itself", code::unsupported};
        return verb;
    }
    Nearest nearest(word.text);
    for (auto const& verb : verbs)
        any_alias(verb.words, [&](std::string_view alias, bool) { nearest.offer(alias); return false; });
    fail_unknown(word, std::string(object) + " command", nearest.best());
}

void end_request(Line& line) {
    line.out.end();
    ++line.messages;
    if (line.out.overflowed())
        throw Diagnostic{"the request is too long", {}, "a request holds at most " + std::to_string(MessageBuffer::max_length) + " bytes, an attribute 65535", {}, code::too_long};
}

}  // namespace nlstream
