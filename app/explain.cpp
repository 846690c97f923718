#include "app/explain.hpp"

#include "pipeline/replay_stage.hpp"
#include "pipeline/splitter.hpp"

namespace nlstream {

std::string Explainer::text(Ending const& ending) const {
    if (replay_) return title_of(ending.raw);
    return ending.continued ? logical_text(ending.raw) : std::string(ending.raw);
}

std::optional<Explained> Explainer::explain(Ending const& ending) {
    switch (ending.outcome) {
        case Outcome::applied:
        case Outcome::ignored:
        case Outcome::unsent: return {};
        case Outcome::rejected: return Explained{ending.rejection->text, ending.rejection->why, ending.origin};
        case Outcome::failed:
        case Outcome::unknown: break;
    }
    auto said = text(ending);
    if (ending.outcome == Outcome::unknown)
        return Explained{
            std::move(said),
            {"the kernel's answer was lost: whether the line was applied is unknown", {}, {}, {}, code::lost},
            ending.origin};
    if (replay_) return Explained{std::move(said), nlstream::explain(*ending.answer, nullptr), ending.origin};
    if (!second_look_) second_look_ = std::make_unique<SecondLook>(files_, options_);
    auto why = second_look_->explain(said, ending.message, *ending.answer);
    return Explained{std::move(said), std::move(why), ending.origin};
}

}  // namespace nlstream
