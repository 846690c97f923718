#include "app/report.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace nlstream {
namespace {

std::string place(Place const& at) { return std::string(shown_name(at.file)) + ':' + std::to_string(at.number); }

/// " (2 EEXIST of route, 1 ENOENT of class)"
std::string ignored_by_kind(std::vector<Ignored> const& ignored) {
    std::string out;
    for (auto const& [error, object, count] : ignored)
        out += (out.empty() ? " (" : ", ") + std::to_string(count) + ' ' + errno_name(error) + " of " +
               std::string(object);
    return out.empty() ? out : out + ')';
}

std::string lines(u64 count) { return std::to_string(count) + (count == 1 ? " line" : " lines"); }

}  // namespace

bool wants_colours(When when, Screen const& screen) {
    if (when != When::automatic) return when == When::always;
    auto const set = [](char const* name) { return std::string_view(std::getenv(name) ? std::getenv(name) : ""); };
    // https://no-color.org
    return screen.is_terminal() && set("NO_COLOR").empty() && set("TERM") != "dumb";
}

Complaints::Options complaints_options(Options const& options, Screen const& screen) {
    bool const grouped = options.errors == ErrorList::automatic ? screen.is_terminal() : options.errors == ErrorList::grouped;
    return {.colours = wants_colours(options.colours, screen), .all = !grouped};
}

std::string stop_report(StreamResult const& result, std::string const& resume) {
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
    out += "  to go on, resume at " + place(result.resume_at) + '\n';
    return out + "    " + resume + (result.resume_at.file == "-" ? "  (with the same standard input)\n" : "\n");
}

std::string summary(StreamResult const& result, double seconds) {
    constexpr std::array<std::pair<Outcome, char const*>, 5> others{{{Outcome::ignored, "ignored"},
                                                                     {Outcome::failed, "failed"},
                                                                     {Outcome::rejected, "rejected"},
                                                                     {Outcome::unsent, "not sent"},
                                                                     {Outcome::unknown, "unknown"}}};
    auto const& tally = result.account.lines;
    std::string out = lines(tally.all()) + ": " + std::to_string(tally[Outcome::applied]) + " applied";
    for (auto const& [outcome, name] : others) {
        if (outcome == Outcome::failed || tally[outcome] > 0) out += ", " + std::to_string(tally[outcome]) + ' ' + name;
        if (outcome == Outcome::ignored) out += ignored_by_kind(result.account.ignored);
    }
    if (auto const retries = result.account.retries; retries > 0)
        out += "; " + std::to_string(retries) + (retries == 1 ? " retry" : " retries");
    std::array<char, 64> timing;
    std::snprintf(timing.data(), timing.size(), "; %.0f lines/s, %.3f s\n",
                  seconds > 0 ? static_cast<double>(tally.all()) / seconds : 0.0, seconds);
    return out + timing.data();
}

std::string left_at_once(StreamProgress const& progress, u64 hidden) {
    auto const load = [](auto const& from) { return from.load(std::memory_order_relaxed); };
    return "nlstream: left at once: " + lines(load(progress.lines)) + " had ended, " +
           std::to_string(load(progress.applied)) + " of them applied; what becomes of the " +
           std::to_string(load(progress.in_flight)) + " requests sent after them is unknown\n" +
           (hidden > 0 ? "nlstream: " + std::to_string(hidden) + (hidden == 1 ? " more error was" : " more errors were") +
                             " not shown; --errors all shows each\n"
                       : "");
}

int exit_status(StreamResult const& result) {
    auto const& tally = result.account.lines;
    if (result.signal != 0) return 128 + result.signal;
    if (!result.input_failure.empty() || !result.kernel_failure.empty() || tally[Outcome::unknown] > 0) return 2;
    return tally[Outcome::applied] + tally[Outcome::ignored] == tally.all() ? 0 : 1;
}

}  // namespace nlstream
