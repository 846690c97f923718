#include "app/explain.hpp"

#include "pipeline/splitter.hpp"

namespace nlstream {

std::optional<Explained> Explainer::explain(Ending const& ending) {
    switch (ending.outcome) {
        case Outcome::applied:
        case Outcome::ignored:
        case Outcome::unsent: return {};
        case Outcome::rejected: return Explained{ending.rejection->text, ending.rejection->why, ending.origin};
        case Outcome::failed:
        case Outcome::unknown: break;
    }
    auto text = ending.continued ? logical_text(ending.raw) : std::string(ending.raw);
    if (ending.outcome == Outcome::unknown)
        return Explained{
            std::move(text),
            {"the kernel's answer was lost: whether the line was applied is unknown", {}, {}, {}, code::lost},
            ending.origin};
    if (!second_look_) second_look_ = std::make_unique<SecondLook>(files_, options_);
    auto why = second_look_->explain(text, ending.message, *ending.answer);
    return Explained{std::move(text), std::move(why), ending.origin};
}

}  // namespace nlstream
