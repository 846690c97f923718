#include "netlink/names.hpp"

#include <linux/rtnetlink.h>

#include <algorithm>
#include <span>

#include "netlink/quantity.hpp"

namespace nlstream {
namespace {

struct Entry {
    u32 number;
    std::string_view name;
};

// linux/rtnetlink.h (RT_TABLE_*, RTPROT_*, RT_SCOPE_*), RFC 2474 and RFC 2597 for dsfields (shifted by two). Those that
// iproute2 knows itself; its name files may give their numbers other names.
constexpr Entry route_tables[] = {{255, "local"}, {254, "main"}, {253, "default"}};
constexpr Entry route_protocols[] = {{0, "unspec"}, {1, "redirect"}, {2, "kernel"}, {3, "boot"}, {4, "static"}, {8, "gated"}, {9, "ra"}, {10, "mrt"},
    {11, "zebra"}, {12, "bird"}, {13, "dnrouted"}, {14, "xorp"}, {15, "ntk"}, {16, "dhcp"}, {18, "keepalived"}, {42, "babel"},
    {186, "bgp"}, {187, "isis"}, {188, "ospf"}, {189, "rip"}, {192, "eigrp"}};
constexpr Entry address_protocols[] = {{0, "unspec"}, {1, "kernel_lo"}, {2, "kernel_ra"}, {3, "kernel_ll"}};
constexpr Entry scopes[] = {{0, "global"}, {255, "nowhere"}, {254, "host"}, {253, "link"}, {200, "site"}};
constexpr Entry realms[] = {{0, "unknown"}};
constexpr Entry groups[] = {{0, "default"}};
// Those that only its name files have, as it ships them.
constexpr Entry shipped_route_tables[] = {{0, "unspec"}};
constexpr Entry shipped_route_protocols[] = {{84, "ovn"}, {99, "openr"}};
constexpr Entry shipped_realms[] = {{0, "cosmos"}};
constexpr Entry shipped_dsfields[] = {{0x00, "default"}, {0x28, "AF11"}, {0x30, "AF12"}, {0x38, "AF13"}, {0x48, "AF21"}, {0x50, "AF22"}, {0x58, "AF23"},
    {0x68, "AF31"}, {0x70, "AF32"}, {0x78, "AF33"}, {0x88, "AF41"}, {0x90, "AF42"}, {0x98, "AF43"}, {0x20, "CS1"}, {0x40, "CS2"}, {0x60, "CS3"},
    {0x80, "CS4"}, {0xa0, "CS5"}, {0xc0, "CS6"}, {0xe0, "CS7"}, {0xb8, "EF"}};

struct Description {
    std::string_view file;    // "": none
    std::string_view folder;  // "": none
    std::span<Entry const> known;
    std::span<Entry const> shipped;
    u32 max;                  // the greatest number that the place of such a name can hold
    int base;                 // of a number in its place
    bool several_names;       // a number may have more than one; otherwise a later name replaces the one before
    std::string_view what;
    std::string_view argument;
};

constexpr Description descriptions[] = {
    {"rt_tables", "rt_tables.d", route_tables, shipped_route_tables, 0xffffffff, 0, true, "a routing table", "TABLE"},
    {"rt_protos", "rt_protos.d", route_protocols, shipped_route_protocols, 255, 0, false, "a routing protocol", "PROTOCOL"},
    {"rt_addrprotos", "rt_addrprotos.d", address_protocols, {}, 255, 0, false, "an address protocol", "PROTOCOL"},
    {"rt_scopes", "", scopes, {}, 255, 0, false, "a scope", "SCOPE"},
    {"rt_realms", "", realms, shipped_realms, 255, 0, false, "a realm", "REALM"},
    {"rt_dsfield", "", {}, shipped_dsfields, 255, 16, false, "a dsfield", "DSFIELD"},
    {"group", "", groups, {}, 0x7fffffff, 0, true, "a link group", "GROUP"},
    {"", "protodown_reasons.d", {}, {}, 31, 0, false, "a protodown reason", "REASON"},
};

Description const& description(Names::Of what) { return descriptions[static_cast<std::size_t>(what)]; }

}  // namespace

struct Names::NameTable {
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    Description const& of;
    std::unordered_map<std::string, u32, Hash, std::equal_to<>> numbers;
    std::vector<std::pair<u32, std::string>> names;  // in the order of definition

    void define(u32 number, std::string_view name) {
        if (!of.several_names) std::erase_if(names, [&](auto const& known) { return known.first == number; });
        names.emplace_back(number, name);
    }

    /// Reads "NUMBER NAME" lines, whatever follows the name; as in iproute2, a malformed line ends the file, and a number
    /// that is too great for it only its line.
    void parse(std::string_view text) {
        constexpr std::string_view blanks = " \t\r\v\f";
        while (!text.empty()) {
            auto const line_end = text.find('\n');
            auto line = text.substr(0, line_end);
            text.remove_prefix(line_end == text.npos ? text.size() : line_end + 1);
            line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
            if (line.empty() || line[0] == '#') continue;

            bool const hex = line.starts_with("0x");
            auto const end = std::min(line.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789", hex ? 2 : line[0] == '-' || line[0] == '+'), line.size());
            auto const number = parse_number(line.substr(0, end), no_limit, hex ? 16 : 10);
            line.remove_prefix(std::min(line.find_first_not_of(blanks, end), line.size()));
            if (!number || line.empty()) return;
            if (*number <= std::min(of.max, 0x7fffffffu)) define(static_cast<u32>(*number), line.substr(0, line.find_first_of(blanks)));
        }
    }

    /// Of two numbers with one name iproute2 finds the lower one; where a number may have several names, the one whose lowest
    /// 8 bits are less, or else the later one.
    void index() {
        for (auto const& [number, name] : names) {
            auto& known = numbers.try_emplace(name, number).first->second;
            if (of.several_names ? (number & 0xff) <= (known & 0xff) : number < known) known = number;
        }
    }
};

Names::Names(Files& files) : files_(files) {}
Names::~Names() = default;

Names::NameTable const& Names::table(Of what) {
    auto& table = tables_[static_cast<std::size_t>(what)];
    if (table) return *table;
    auto const& d = description(what);
    table = std::make_unique<NameTable>(NameTable{.of = d, .numbers = {}, .names = {}});
    auto const define = [&](std::span<Entry const> entries) { for (auto const& entry : entries) table->define(entry.number, entry.name); };
    define(d.known);

    constexpr std::string_view etc = "/etc/iproute2/", usr = "/usr/share/iproute2/";
    auto const path = [&](std::string_view folder, std::string_view file) { return std::string(folder) + std::string(file); };
    if (d.file.empty()) define(d.shipped);
    else if (auto const text = files_.read(path(etc, d.file))) table->parse(*text);
    else if (auto const shipped = files_.read(path(usr, d.file))) table->parse(*shipped);
    else define(d.shipped);

    if (!d.folder.empty()) {
        auto const here = files_.list(path(etc, d.folder));
        auto const add = [&](std::string_view folder, std::string const& name) {
            if (name.starts_with('.') || !name.ends_with(".conf")) return;
            if (auto const text = files_.read(path(folder, d.folder) + '/' + name)) table->parse(*text);
        };
        // A file in /etc hides the one of the same name in /usr/share.
        for (auto const& name : files_.list(path(usr, d.folder)))
            if (std::ranges::find(here, name) == here.end()) add(usr, name);
        for (auto const& name : here) add(etc, name);
    }
    table->index();
    return *table;
}

std::optional<u32> Names::find(Of what, std::string_view name) {
    auto const& numbers = table(what).numbers;
    auto const found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::string_view Names::nearest(Of what, std::string_view typed) {
    Nearest nearest(typed);
    for (auto const& [number, name] : table(what).names) nearest.offer(name);
    return nearest.best();
}

u32 read_name(Line& line, Word const& word, Names::Of what) {
    auto const& d = description(what);
    if (auto const known = line.names.find(what, word.text)) return *known;
    if (auto const number = parse_number(word.text, d.max, d.base)) return static_cast<u32>(*number);
    if (parse_number(word.text, ~u64{}, d.base)) fail_range(word, "at most " + std::to_string(d.max));
    auto const nearest = line.names.nearest(what, word.text);
    throw Diagnostic{'"' + std::string(word.text) + "\" is not " + std::string(d.what), word.span, "expected a name from " + std::string(d.file.empty() ? d.folder : d.file) + " or a number up to " + std::to_string(d.max),
                     nearest.empty() ? "" : "did you mean \"" + std::string(nearest) + "\"?", code::value};
}

u32 read_realms(Line& line, Word const& word) {
    auto const realm = [&](std::string_view text) -> std::optional<u32> {
        if (auto const known = line.names.find(Names::Of::realm, text)) return known;
        if (auto const number = parse_number(text, 255)) return static_cast<u32>(*number);
        return {};
    };
    auto const slash = word.text.find('/');
    if (slash == word.text.npos) {
        if (auto const to = realm(word.text)) return *to;
        if (auto const raw = parse_number(word.text)) return static_cast<u32>(*raw);
    } else {
        auto const from = realm(word.text.substr(0, slash));
        auto const rest = word.text.substr(slash + 1);
        auto const to = rest.empty() ? std::optional(0u) : realm(rest);
        if (from && to) return *from << 16 | *to;
    }
    fail_value(word, "a realm", "TO or FROM/TO, each a name from rt_realms or a number up to 255");
}

std::string_view describe(Names::Of what) { return description(what).argument; }

}  // namespace nlstream
