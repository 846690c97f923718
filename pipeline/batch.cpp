#include "pipeline/batch.hpp"

namespace nlstream {

std::optional<Origin> Batch::origin(BatchLine const& line) const {
    Origin found{made_from, made_from_line + line.number};
    for (auto const& marker : markers) {
        if (marker.number > line.number) break;
        if (marker.name_end > marker.name_begin)
            found.file = {text.data() + marker.name_begin, marker.name_end - marker.name_begin};
        found.line = marker.line + (line.number - marker.number - 1);
    }
    return found.file.empty() ? std::nullopt : std::optional(found);
}

}  // namespace nlstream
