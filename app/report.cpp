#include "app/report.hpp"

#include <array>
#include <cstdio>

#include "pipeline/splitter.hpp"

namespace nlstream {
namespace {

std::string place(Place const& at) { return std::string(shown_name(at.file)) + ':' + std::to_string(at.number); }

std::string lines(u64 count) { return std::to_string(count) + (count == 1 ? " line" : " lines"); }

}  // namespace

std::string_view shown_name(std::string_view file) { return file == "-" ? "<stdin>" : file; }

std::string render_rejection(Rejection const& rejection, std::string_view file, u64 number) {
    return render(rejection.why, {shown_name(file), number, rejection.text}) + '\n';
}

std::string Report::text(Ending const& ending) {
    switch (ending.outcome) {
        case Outcome::applied:
        case Outcome::ignored:
        case Outcome::unsent: return {};
        case Outcome::rejected: return render_rejection(*ending.rejection, ending.file, ending.number);
        case Outcome::failed:
        case Outcome::unknown: break;
    }
    auto const line = ending.continued ? logical_text(ending.raw) : std::string(ending.raw);
    Diagnostic why{"the kernel's answer was lost: whether the line was applied is unknown", {}, {}, {}, code::lost};
    if (ending.outcome == Outcome::failed) {
        if (!second_look_) second_look_ = std::make_unique<SecondLook>(files_, options_);
        why = second_look_->explain(line, ending.message, *ending.answer);
    }
    return render(why, {shown_name(ending.file), ending.number, line}) + '\n';
}

void Report::ended(Ending const& ending) {
    auto const shown = text(ending);
    if (!shown.empty()) std::fwrite(shown.data(), 1, shown.size(), stderr);
}

std::string stop_report(StreamResult const& result) {
    auto const& account = result.account;
    if (!result.stopped) return {};
    std::string out = "stopped";
    if (account.first_failure) out += " at the failure of " + place(*account.first_failure);
    if (result.signal != 0) out += " by a signal";
    out += '\n';
    if (!account.last_sent) return out + "  nothing was sent\n";
    out += "  the last line sent is " + place(*account.last_sent) + '\n';
    if (account.first_failure)
        out += "  of the lines after the failed one, " + std::to_string(account.applied_after_failure) +
               " had been sent already and were applied\n";
    if (auto const unsent = account.lines[Outcome::unsent]; unsent > 0)
        out += "  " + lines(unsent) + " had been read and were not sent\n";
    return out + "  to go on, resume at " + place({account.last_sent->file, account.resume_at}) + '\n';
}

std::string summary(StreamResult const& result, double seconds) {
    constexpr std::array<std::pair<Outcome, char const*>, 5> others{{{Outcome::ignored, "ignored"},
                                                                     {Outcome::failed, "failed"},
                                                                     {Outcome::rejected, "rejected"},
                                                                     {Outcome::unsent, "not sent"},
                                                                     {Outcome::unknown, "unknown"}}};
    auto const& tally = result.account.lines;
    std::string out = lines(tally.all()) + ": " + std::to_string(tally[Outcome::applied]) + " applied";
    for (auto const& [outcome, name] : others)
        if (outcome == Outcome::failed || tally[outcome] > 0) out += ", " + std::to_string(tally[outcome]) + ' ' + name;
    std::array<char, 64> timing;
    std::snprintf(timing.data(), timing.size(), "; %.0f lines/s, %.3f s\n",
                  seconds > 0 ? static_cast<double>(tally.all()) / seconds : 0.0, seconds);
    return out + timing.data();
}

int exit_status(StreamResult const& result) {
    auto const& tally = result.account.lines;
    if (result.signal != 0) return 128 + result.signal;
    if (!result.input_failure.empty() || !result.kernel_failure.empty() || tally[Outcome::unknown] > 0) return 2;
    return tally[Outcome::applied] + tally[Outcome::ignored] == tally.all() ? 0 : 1;
}

}  // namespace nlstream
