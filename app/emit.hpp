// What --emit prints.
#pragma once
#include <string>

#include "app/options.hpp"
#include "pipeline/batch.hpp"

namespace nlstream {

/// Appends the messages of each accepted line: "LINE TAB HEX" with ";" between messages; decoded under a comment that
/// holds the line (`replay`: its number, as the batch is of messages); or just as they are, one behind the other.
void emit(Batch const& batch, Emit form, bool replay, std::string& out);

}  // namespace nlstream
