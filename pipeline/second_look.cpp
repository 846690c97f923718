#include "pipeline/second_look.hpp"

namespace nlstream {

SecondLook::SecondLook(Files& files, Encoder::Options options)
    : encoder_(kernel_, files, options), missing_([this](std::string_view line, Trail& trail) { return try_line(line, trail); }) {}

void SecondLook::begin() {
    messages_.clear();
    // Nothing is sent that could change what a line means, and what it opens is closed again.
    encoder_.settled();
}

Diagnostic SecondLook::explain(std::string_view text, u32 message, Answer const& answer) {
    Trail trail;
    begin();
    try {
        auto const encoded = encoder_.encode(text, messages_, &trail);
        // The trail is of the last message. Another length means that the line reads differently now, without the links
        // it named.
        if (message + 1 == encoded.messages && messages_.message().size() == answer.request_length) {
            auto why = nlstream::explain(answer, &trail, messages_.message());
            if (auto missing = missing_.find(answer, text); !missing.empty()) why.help = std::move(missing);
            return why;
        }
    } catch (Diagnostic const&) {
    } catch (BarrierNeeded const&) {
    }
    return nlstream::explain(answer, nullptr);
}

TriedLine SecondLook::try_line(std::string_view text, Trail& trail) {
    begin();
    try {
        if (encoder_.encode(text, messages_, &trail).messages > 0) return {messages_.message()};
    } catch (Diagnostic const& d) {
        return {{}, d.where};
    } catch (BarrierNeeded const&) {
    }
    return {};
}

RequestKind SecondLook::kind(std::string_view text) {
    begin();
    try {
        if (encoder_.encode(text, messages_).messages > 0) return kind_of(messages_.bytes());
    } catch (Diagnostic const&) {
    } catch (BarrierNeeded const&) {
    }
    return {};
}

}  // namespace nlstream
