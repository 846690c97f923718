#include "app/complaints.hpp"

#include "netlink/render.hpp"

namespace nlstream {
namespace {

/// Of one fault so many are shown at once. After a silence there is time to read another one.
constexpr u64 most_shown = 3;
constexpr std::chrono::seconds silence{1};
/// Faults that are told apart; what comes after them counts as one.
constexpr std::size_t most_faults = 100;

}  // namespace

std::string_view shown_name(std::string_view file) { return file == "-" ? "<stdin>" : file; }

std::string render_failure(Explained const& failure, std::string_view file, u64 number, bool colours) {
    Source const at{shown_name(file), number, failure.text};
    return render(failure.why, at, failure.origin, colours) + '\n';
}

Complaints::Fault& Complaints::fault_of(Explained const& failure) {
    auto const& [text, why, origin] = failure;
    auto what = why.what;
    if (is_placed(why.where) && why.where.begin < text.size()) {
        auto const word = text.substr(why.where.begin, why.where.end - why.where.begin);
        if (what.find(word) == what.npos) what += ", at \"" + word + '"';
    }
    if (auto const known = by_key_.find(what); known != by_key_.end()) return faults_[known->second];
    if (faults_.size() >= most_faults) what = "other faults";
    auto const [at, added] = by_key_.try_emplace(what, faults_.size());
    if (added) faults_.push_back({.what = std::move(what), .last = {}});
    return faults_[at->second];
}

void Complaints::add(Explained const& failure, std::string_view file, u64 number) {
    if (options_.all) return screen_.say(render_failure(failure, file, number, options_.colours));
    auto& fault = fault_of(failure);
    auto const now = options_.now();
    if (fault.shown < most_shown || now - said_at_ >= silence) {
        ++fault.shown;
        said_at_ = now;
        return screen_.say(render_failure(failure, file, number, options_.colours));
    }
    ++fault.hidden;
    hidden_.fetch_add(1, std::memory_order_relaxed);
    fault.last.assign(shown_name(file)).append(1, ':').append(std::to_string(number));
}

void Complaints::end() {
    std::string text;
    for (auto& fault : faults_) {
        if (fault.hidden == 0) continue;
        text += "and " + std::to_string(fault.hidden) + (fault.hidden == 1 ? " more line, " : " more lines, the last one ") + fault.last + ": " + fault.what + '\n';
        fault.hidden = 0;
    }
    hidden_.store(0, std::memory_order_relaxed);
    if (!text.empty()) screen_.say(text + "  --errors all shows each of them\n\n");
}

}  // namespace nlstream
