#include "netlink/help.hpp"

#include <algorithm>

namespace nlstream {
namespace {

struct Section {
    std::string_view name;
    std::string_view title;
};

constexpr Section sections[] = {
    {"tc", "Objects of tc"},          {"qdisc", "Queueing disciplines (tc qdisc, tc class)"}, {"filter", "Classifiers (tc filter)"}, {"ematch", "Extended matches (tc filter basic)"},
    {"action", "Actions (tc actions, action)"}, {"ip", "Objects of ip"}, {"encap", "Encapsulations (ip route encap)"}, {"link", "Link types (ip link add type)"},
    {"bridge", "Objects of bridge"},
};

/// Every kind, by section, then by name.
std::vector<KindInfo const*> sorted_kinds() {
    auto kinds = all_kinds();
    auto const rank = [](KindInfo const* kind) { return std::ranges::find(sections, kind->section, &Section::name) - std::begin(sections); };
    std::ranges::sort(kinds, [&](auto const* a, auto const* b) { return std::pair(rank(a), a->name) < std::pair(rank(b), b->name); });
    return kinds;
}

std::string_view title_of(std::string_view section) {
    auto const found = std::ranges::find(sections, section, &Section::name);
    return found == std::end(sections) ? section : found->title;
}

/// '|' ends a cell of a Markdown table, '<' starts a tag.
std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '|') out += '\\';
        if (c == '<') out += "&lt;";
        else out += c;
    }
    return out;
}

/// "`burst`, `buffer`"; a full word that may be abbreviated is followed by an ellipsis.
std::string markdown_words(Row const& row) {
    std::string out;
    any_alias(row.words, [&](std::string_view alias, bool abbreviable) {
        if (!out.empty()) out += ", ";
        out += '`' + std::string(alias) + '`' + (abbreviable ? "…" : "");
        return false;
    });
    return out;
}

}  // namespace

std::string help_name(KindInfo const& kind) { return std::string(kind.section) + '.' + std::string(kind.name); }

KindInfo const* find_help(std::string_view name) {
    for (auto const* kind : all_kinds())
        if (help_name(*kind) == name) return kind;
    return nullptr;
}

std::string nearest_help(std::string_view name) {
    // The section may be left out or wrong; the last part is what the user means.
    auto const last = name.substr(name.rfind('.') + 1);
    for (auto const* kind : sorted_kinds())
        if (kind->name == last) return help_name(*kind);
    Nearest nearest(last);
    for (auto const* kind : sorted_kinds()) nearest.offer(kind->name);
    for (auto const* kind : sorted_kinds())
        if (!nearest.best().empty() && kind->name == nearest.best()) return help_name(*kind);
    return {};
}

std::string help_text(KindInfo const& kind) {
    std::string out = help_name(kind) + ": " + std::string(kind.summary) + '\n';
    for (auto const& named : kind.tables) {
        auto const title = named.title();
        auto const table = named.table();
        if (table.rows().empty()) continue;
        out += '\n';
        if (!title.empty()) out += std::string(title) + ":\n";
        out += help(table);
    }
    return out;
}

std::string help_index() {
    std::string out;
    std::string_view section;
    for (auto const* kind : sorted_kinds()) {
        if (kind->section != section) {
            section = kind->section;
            out += (out.empty() ? "" : "\n") + std::string(title_of(section)) + ":\n";
        }
        auto left = "  " + help_name(*kind);
        left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
        out += left + std::string(kind->summary) + '\n';
    }
    return out;
}

std::string reference_page(KindInfo const& kind) {
    std::string out = "# " + help_name(kind) + "\n\n" + escaped(kind.summary) + '\n';
    for (auto const& named : kind.tables) {
        auto const title = named.title();
        auto const table = named.table();
        if (table.rows().empty()) continue;
        out += '\n';
        if (!title.empty()) out += "## " + std::string(title) + "\n\n";
        out += "| keyword | argument | meaning | values |\n|---|---|---|---|\n";
        for (auto const& row : table.rows())
            out += "| " + markdown_words(row) + " | " + escaped(row.argument) + " | " + escaped(row.help) + " | " + escaped(describe(row.value)) + " |\n";
    }
    return out;
}

std::string reference_index() {
    std::string out = "# Reference\n\nEvery keyword that nlstream reads, made from the tables that read it. A word followed by … may be abbreviated.\n";
    std::string_view section;
    for (auto const* kind : sorted_kinds()) {
        if (kind->section != section) {
            section = kind->section;
            out += "\n## " + std::string(title_of(section)) + "\n\n";
        }
        out += "- [" + help_name(*kind) + "](" + help_name(*kind) + ".md): " + escaped(kind->summary) + '\n';
    }
    return out;
}

}  // namespace nlstream
