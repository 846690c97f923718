#include "pipeline/encode_stage.hpp"

#include <algorithm>
#include <iterator>

#include "netlink/links.hpp"
#include "pipeline/line_marker.hpp"

namespace nlstream {
namespace {

bool holds_command(std::string_view line) {
    auto const begin = line.find_first_not_of(" \t\r\n");
    return begin != line.npos && line[begin] != '#';
}

}  // namespace

void EncodeStage::start_file(u64 from_line) {
    splitter_ = Splitter();
    pending_ = Pending::none;
    from_line_ = from_line;
    marker_number_ = marked_line_ = 0;
    marked_file_.clear();
}

void EncodeStage::end_file() const {
    if (from_line_ > splitter_.number())
        throw NoSuchLine("it has only " + std::to_string(splitter_.number() - 1) +
                         " lines, and was to be started at line " + std::to_string(from_line_));
}

void EncodeStage::begin(Batch& batch) const {
    batch.first_number = pending_ == Pending::none ? splitter_.number() : line_.number;
    batch.given_up = given_up_;
    if (marked_file_.empty()) return;
    batch.made_from = marked_file_;
    batch.made_from_line = marked_line_ + (batch.first_number - marker_number_ - 1);
}

EncodeStage::Step EncodeStage::encode(Batch& batch, std::size_t& position, bool at_end) {
    text_ = batch.text.data();
    begin(batch);
    for (;;) {
        if (pending_ == Pending::none) {
            std::string_view const rest(text_ + position, batch.text_size - position);
            if (!splitter_.next(rest, at_end, line_, consumed_)) {
                position += consumed_;
                return Step::out_of_text;
            }
            if (line_.text.starts_with('#') && line_.defect == Defect::none) note_marker(batch);
            if (line_.number < from_line_ && passes_over()) {
                position += consumed_;
                continue;
            }
        }
        auto step = Step::out_of_text;
        if (!given_up_)
            step = encode_line(batch);
        else if (holds_command(line_.text))
            batch.lines.push_back(entry(batch));
        if (step == Step::barrier) return step;
        pending_ = Pending::none;
        position += consumed_;
        if (step != Step::out_of_text) return step;
    }
}

/// True for a line before the one to start at, when that one begins a line at all.
bool EncodeStage::passes_over() const {
    if (splitter_.number() > from_line_)
        throw NoSuchLine("line " + std::to_string(from_line_) + " continues line " + std::to_string(line_.number) +
                         ": start there, or at line " + std::to_string(splitter_.number()));
    return true;
}

void EncodeStage::note_marker(Batch& batch) {
    auto const marker = read_line_marker(line_.text);
    if (!marker || (marker->file.empty() && marked_file_.empty())) return;
    marker_number_ = line_.number;
    marked_line_ = marker->line;
    if (!marker->file.empty()) marked_file_ = marker->file;
    auto const begin = marker->file.empty() ? 0 : static_cast<u32>(marker->file.data() - text_);
    batch.markers.push_back({.number = static_cast<u32>(line_.number - batch.first_number),
                             .line = marker->line,
                             .name_begin = begin,
                             .name_end = begin + static_cast<u32>(marker->file.size())});
}

/// What all lines have in common. A line that is too long has no text left.
BatchLine EncodeStage::entry(Batch const& batch) const {
    bool const kept = line_.defect != Defect::too_long;
    return {.begin = kept ? static_cast<u32>(line_.raw.data() - text_) : 0,
            .end = kept ? static_cast<u32>(line_.raw.data() + line_.raw.size() - text_) : 0,
            .number = static_cast<u32>(line_.number - batch.first_number),
            .messages_end = batch.message_count,
            .continued = kept && line_.text.data() != line_.raw.data()};
}

EncodeStage::Step EncodeStage::encode_line(Batch& batch) {
    if (line_.defect == Defect::too_long)
        return reject(batch, {"the line is longer than 1 MiB", {}, {}, {}, code::too_long});
    if (line_.defect == Defect::unfinished)
        return reject(batch, {"the last line ends in a continuation, and nothing follows", {}, {}, {}, code::syntax});
    try {
        auto encoded = encoder_.encode(line_.text, batch.messages);
        if (!encoded.command) return Step::out_of_text;
        just_settled_ = false;
        add(batch, encoded);
        if (!encoded.more) return batch.messages.size() < enough ? Step::out_of_text : Step::full;
        pending_ = Pending::next_part;
        return Step::barrier;
    } catch (Diagnostic& why) {
        just_settled_ = false;
        return reject(batch, std::move(why));
    } catch (BarrierNeeded const&) {
        if (just_settled_) throw std::logic_error("a line cannot be encoded although everything before it is settled");
        pending_ = Pending::again;
        return Step::barrier;
    }
}

void EncodeStage::add(Batch& batch, Encoded& encoded) const {
    std::ranges::move(encoded.kept, std::back_inserter(batch.kept));
    batch.message_count += encoded.messages;
    auto line = entry(batch);
    line.goes_on = encoded.more;
    line.absence_is_success = encoded.absence_is_success;
    batch.lines.push_back(line);
}

EncodeStage::Step EncodeStage::reject(Batch& batch, Diagnostic why) const {
    if (add_absent(batch, why)) return Step::out_of_text;
    batch.rejections.push_back({static_cast<u32>(batch.lines.size()), std::string(line_.text), std::move(why)});
    auto line = entry(batch);
    line.rejected = true;
    batch.lines.push_back(line);
    return options_.stop_at_rejection ? Step::rejected : Step::out_of_text;
}

/// True when the line would only have deleted something of the link that it misses, and that is expected.
bool EncodeStage::add_absent(Batch& batch, Diagnostic const& why) const {
    if (!options_.absences || why.code != code::no_device) return false;
    auto const kind = options_.absences->kind(line_.text);
    if (!kind.removes) return false;
    batch.absent_objects.push_back(kind.object);
    auto line = entry(batch);
    line.absent = true;
    batch.lines.push_back(line);
    return true;
}

void EncodeStage::settled(bool last_line_failed) {
    encoder_.settled();
    just_settled_ = true;
    // An empty line holds no command: nothing more comes of a line whose first part failed.
    if (pending_ == Pending::next_part && last_line_failed) line_.text = {};
}

}  // namespace nlstream
