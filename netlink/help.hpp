// What users read of the kinds, made from their tables: --help KIND, the reference pages, shell completion.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "netlink/command.hpp"

namespace nlstream {

/// "filter.flower": how --help names a kind.
std::string help_name(KindInfo const& kind);
/// The kind with this help name; nullptr if there is none.
KindInfo const* find_help(std::string_view name);
/// The known help name nearest to `name`; empty if none is near.
std::string nearest_help(std::string_view name);

/// One kind: summary and keywords in two columns, for a terminal.
std::string help_text(KindInfo const& kind);
/// Every kind's help name and summary, by section.
std::string help_index();

/// One kind as a Markdown page.
std::string reference_page(KindInfo const& kind);
/// The list of all pages, as Markdown.
std::string reference_index();

}  // namespace nlstream
