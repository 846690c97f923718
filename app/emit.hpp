// What --emit prints.
#pragma once
#include <string>

#include "app/options.hpp"
#include "pipeline/batch.hpp"

namespace nlstream {

/// Appends the messages of each accepted line: "LINE TAB HEX" with ";" between messages, or decoded under a comment
/// that holds the line.
void emit(Batch const& batch, Emit form, std::string& out);

}  // namespace nlstream
