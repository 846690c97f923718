#include "pipeline/encode_stage.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "netlink/links.hpp"

namespace nlstream {

EncodeStage::Step EncodeStage::encode(Batch& batch, std::size_t& position, bool at_end) {
    text_ = batch.text.data();
    batch.first_number = pending_ == Pending::none ? splitter_.number() : line_.number;
    for (;;) {
        if (pending_ == Pending::none) {
            std::string_view const rest(text_ + position, batch.text_size - position);
            if (!splitter_.next(rest, at_end, line_, consumed_)) {
                position += consumed_;
                return Step::out_of_text;
            }
        }
        auto const step = encode_line(batch);
        if (step == Step::barrier) return step;
        pending_ = Pending::none;
        position += consumed_;
        if (step != Step::out_of_text) return step;
    }
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
    batch.lines.push_back({
        .begin = static_cast<u32>(line_.raw.data() - text_),
        .end = static_cast<u32>(line_.raw.data() + line_.raw.size() - text_),
        .number = static_cast<u32>(line_.number - batch.first_number),
        .messages_end = batch.message_count,
        .continued = line_.text.data() != line_.raw.data(),
        .rejected = false,
        .goes_on = encoded.more,
        .absence_is_success = encoded.absence_is_success,
    });
}

EncodeStage::Step EncodeStage::reject(Batch& batch, Diagnostic why) const {
    batch.rejections.push_back({static_cast<u32>(batch.lines.size()), std::string(line_.text), std::move(why)});
    bool const kept = line_.defect != Defect::too_long;
    batch.lines.push_back({
        .begin = kept ? static_cast<u32>(line_.raw.data() - text_) : 0,
        .end = kept ? static_cast<u32>(line_.raw.data() + line_.raw.size() - text_) : 0,
        .number = static_cast<u32>(line_.number - batch.first_number),
        .messages_end = batch.message_count,
        .continued = kept && line_.text.data() != line_.raw.data(),
        .rejected = true,
    });
    return stop_at_rejection_ ? Step::rejected : Step::out_of_text;
}

void EncodeStage::settled(bool last_line_failed) {
    encoder_.links().settled();
    just_settled_ = true;
    // An empty line holds no command: nothing more comes of a line whose first part failed.
    if (pending_ == Pending::next_part && last_line_failed) line_.text = {};
}

}  // namespace nlstream
