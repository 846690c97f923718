// ip link ...: network interfaces.
#include "netlink/ip/link.hpp"

#include <linux/if.h>

#include "netlink/ip/kinds.hpp"
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb verbs[] = {
    {"add*", RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL}, {"set*|change*", RTM_NEWLINK, 0}, {"replace*", RTM_NEWLINK, NLM_F_CREATE | NLM_F_REPLACE},
    {"delete*", RTM_DELLINK, 0}, {"show*|lst*|list*"}, {"xstats*"}, {"afstats*"}, {"property*", RTM_NEWLINKPROP, 0}, {"help*"},
};

constexpr Verb property_verbs[] = {{"add*", RTM_NEWLINKPROP, NLM_F_EXCL | NLM_F_CREATE | NLM_F_APPEND}, {"del*", RTM_DELLINKPROP, 0}, {"help*"}};

ifinfomsg& begin(Line& line, Verb const& verb) {
    auto& head = begin_request<ifinfomsg>(line, verb.type, verb.flags);
    head.ifi_family = line.family;
    return head;
}

LinkKind const* known_kind(std::string_view type) {
    for (auto const* kind : link_kinds())
        if (kind->info.name == type) return kind;
    return nullptr;
}

/// Why a type takes no more words.
[[noreturn]] void fail_option(Line const& line, Word const& type, LinkKind const* kind) {
    if (kind) fail_use(line.peek(), "a link of type " + std::string(type.text) + " has no options");
    Nearest nearest(type.text);
    for (auto const* known : link_kinds()) nearest.offer(known->info.name);
    fail_unknown(type, "link type with options", nearest.best());
}

/// Returns the type if it is known here.
LinkKind const* read_type(Line& line, Word const& type) {
    auto const* kind = known_kind(type.text);
    line.out.source(type.span);
    line.out.nest(IFLA_LINKINFO, [&] {
        // A type that is not known here may be known to the kernel.
        line.out.put_string(IFLA_INFO_KIND, type.text);
        if (line.done()) return;
        if (!kind || !kind->read) fail_option(line, type, kind);
        bool const of_port = type.text.substr(std::min(type.text.find('_'), type.text.size())) == "_slave";
        line.out.nest(of_port ? IFLA_INFO_SLAVE_DATA : IFLA_INFO_DATA, [&] { kind->read(line); });
    });
    return kind;
}

struct Property {
    Word const* dev = nullptr;
};

std::string_view second_dev(Property const& p) { return p.dev ? "a device was given before" : ""; }

void read_altname(Line& line, Property&) {
    auto const& word = line.take("NAME");
    if (word.text.empty() || word.text.size() >= ALTIFNAMSIZ) fail_value(word, "an alternative name", "1 to 127 bytes");
    line.out.put_string(IFLA_ALT_IFNAME, word.text);
}
void read_dev(Line& line, Property& p) {
    auto const& word = line.take("DEVICE");
    if (word.text.empty() || word.text.size() >= ALTIFNAMSIZ) fail_value(word, "a link's name", "1 to 127 bytes");
    p.dev = &word;
}

constexpr Row property_rows[] = {
    {"altname*", "NAME",   custom<read_altname>, "Another name for the link, up to 127 bytes; may be given several times."},
    {"dev",      "DEVICE", custom<read_dev>,     "The link; the word itself may be left out.", unless<second_dev>},
};
constexpr auto property_table = keywords<Property>(property_rows);

void read_property(Line& line) {
    auto& head = begin(line, read_verb(line, property_verbs, "ip link property"));
    Property p;
    line.out.nest(IFLA_PROP_LIST | NLA_F_NESTED, [&] {
        Reader reader(property_table, p);
        while (!line.done()) {
            if (reader.read_one(line)) continue;
            if (p.dev) reader.fail_unknown(line);
            if (abbreviates(line.peek().text, "help")) fail_use(line.peek(), "it asks ip for help: write \"dev\" before a name");
            read_dev(line, p);
        }
    });
    if (!p.dev) fail_missing(line, "a device");
    head.ifi_index = static_cast<int>(line.links.index(*p.dev));
    end_request(line);
    line.links.touched_any();
}

}  // namespace

extern constinit KindInfo const link_info = {"ip", "link", "A network interface, of any type.",
    {{{"", link_words_table}, {"vf", virtual_function_table}, {"inet", inet_settings_table}, {"property", property_table}}}};

void read_link(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip link");
    if (verb.type == RTM_NEWLINKPROP) return read_property(line);
    auto const subject = read_link_words(line, begin(line, verb));
    LinkKind const* kind = nullptr;
    if (subject.type) kind = read_type(line, *subject.type);
    else if (creates(line)) fail_missing(line, "type TYPE");
    end_request(line);
    touch_links(line, subject);
    // The next such change starts from what this one leaves: it has to wait for it.
    if (kind && kind->sends_all && changes(line)) line.links.touched(subject.dev->text);
}

}  // namespace nlstream::ip
