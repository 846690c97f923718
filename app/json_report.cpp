#include "app/json_report.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "app/json.hpp"
#include "app/screen.hpp"
#include "netlink/render.hpp"

namespace nlstream {
namespace {

constexpr std::array<std::pair<Outcome, char const*>, 6> outcomes{{{Outcome::applied, "applied"},
                                                                   {Outcome::ignored, "ignored"},
                                                                   {Outcome::failed, "failed"},
                                                                   {Outcome::rejected, "rejected"},
                                                                   {Outcome::unsent, "unsent"},
                                                                   {Outcome::unknown, "unknown"}}};

double in_seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

void add_text(JsonObject& to, char const* key, std::string_view text) {
    if (text.empty())
        to.add_null(key);
    else
        to.add(key, text);
}

void add_place(JsonObject& to, char const* key, std::optional<Place> const& place) {
    if (place)
        to.add(key, JsonObject().add("file", place->file).add("line", place->number));
    else
        to.add_null(key);
}

JsonObject waits(Waits const& waits) {
    return JsonObject().add("count", waits.count).add("seconds", in_seconds(waits.time));
}

JsonObject stage(Nanoseconds busy, Waits const& stalls) {
    return JsonObject()
        .add("busy_seconds", in_seconds(busy))
        .add("stalls", stalls.count)
        .add("stalled_seconds", in_seconds(stalls.time));
}

JsonObject latency(Durations const& durations) {
    JsonObject out;
    out.add("sends", durations.count());
    for (auto const& [name, share] : {std::pair("p50", 0.5), std::pair("p90", 0.9), std::pair("p99", 0.99)})
        out.add(name, in_seconds(durations.percentile(share)));
    return out.add("max", in_seconds(durations.longest()));
}

JsonObject outcome_counts(Tally const& tally) {
    JsonObject out;
    out.add("total", tally.all());
    for (auto const& [outcome, name] : outcomes) out.add(name, tally[outcome]);
    return out;
}

}  // namespace

void JsonLines::write(std::string line) {
    if (error_ == 0) error_ = write_all(file_, line += '\n');
}

std::string json_failure(Ending const& ending, std::string_view text, Diagnostic const& why) {
    JsonObject out;
    out.add("type", "failure")
        .add("outcome", outcomes[static_cast<std::size_t>(ending.outcome)].second)
        .add("code", why.code)
        .add("what", why.what);
    out.add("file", ending.file).add("line", ending.number);
    if (ending.origin)
        out.add("made_from", JsonObject().add("file", ending.origin->file).add("line", ending.origin->line));
    if (is_placed(why.where))
        out.add(
            "columns",
            JsonObject().add("first", why.where.begin + 1).add("last", std::max(why.where.end, why.where.begin + 1)));
    else
        out.add_null("columns");
    add_text(out, "label", why.label);
    add_text(out, "help", why.help);
    if (ending.error != 0)
        out.add("errno", ending.error).add("errno_name", errno_name(ending.error));
    else
        out.add_null("errno").add_null("errno_name");
    return out.add("text", text).text();
}

void JsonReport::ended(Ending const& ending) {
    if (ending.answer) ++errors_[ending.error];
    if (auto const explained = explainer_.explain(ending))
        lines_.write(json_failure(ending, explained->text, explained->why));
}

std::string json_summary(StreamResult const& result, std::optional<u32> window_asked, std::map<int, u64> const& errors,
                         Spent const& spent, int exit_status) {
    auto const& [account, counters] = std::tie(result.account, result.counters);
    JsonObject by_errno;
    for (auto const& [error, lines] : errors) by_errno.add(errno_name(error), lines);
    JsonObject out;
    out.add("type", "summary").add("version", NLSTREAM_VERSION).add("exit_status", exit_status);
    JsonObject ignored;
    for (auto const& one : account.ignored)
        ignored.add(errno_name(one.error) + " " + std::string(one.object), one.lines);
    out.add("lines", outcome_counts(account.lines)).add("errors", by_errno).add("ignored", ignored);
    out.add("retries", account.retries);
    out.add("messages", account.messages)
        .add("bytes", counters.bytes)
        .add("sends", counters.sends)
        .add("fences", counters.fences);
    out.add("answers", counters.answers).add("acks", counters.acks).add("overruns", counters.overruns);
    JsonObject window;
    if (window_asked)
        window.add("asked", *window_asked);
    else
        window.add("asked", "auto");
    out.add("window", window.add("effective", result.limits.window).add("peak", counters.most_in_flight));
    out.add("coalesce", result.coalesce);
    out.add("buffers", JsonObject()
                           .add("receive", result.limits.receive_buffer)
                           .add("answer_charge", result.limits.answer_charge)
                           .add("longest_send", result.limits.max_send_bytes));
    out.add("stages", JsonObject()
                          .add("read", stage(result.taking.reading, result.taking.input))
                          .add("encode", stage(result.taking.encoding, result.taking.batches))
                          .add("send", stage(result.sending.sending, result.sending.lines))
                          .add("receive", stage(result.sending.receiving, result.sending.answers)));
    out.add("barriers", waits(result.taking.barriers)).add("pauses", waits(result.sending.kernel));
    out.add("latency_seconds", latency(result.sending.latency));
    out.add("seconds", JsonObject().add("wall", spent.wall).add("user", spent.user).add("system", spent.system));
    out.add("lines_per_second", spent.wall > 0 ? static_cast<double>(account.lines.all()) / spent.wall : 0.0);
    out.add("stopped", result.stopped);
    if (result.signal != 0)
        out.add("signal", result.signal);
    else
        out.add_null("signal");
    add_place(out, "first_failure", account.first_failure);
    add_place(out, "last_sent", account.last_sent);
    out.add("applied_after_failure", account.applied_after_failure);
    add_place(out, "resume_at", account.last_sent ? std::optional(result.resume_at) : std::nullopt);
    add_text(out, "input_failure", result.input_failure);
    add_text(out, "kernel_failure", result.kernel_failure);
    return out.text();
}

std::string json_checked(u64 lines, u64 rejected, std::string_view input_failure, double seconds, int exit_status) {
    JsonObject out;
    out.add("type", "checked").add("version", NLSTREAM_VERSION).add("exit_status", exit_status);
    out.add("lines", JsonObject().add("total", lines).add("good", lines - rejected).add("rejected", rejected));
    out.add("seconds", JsonObject().add("wall", seconds))
        .add("lines_per_second", seconds > 0 ? static_cast<double>(lines) / seconds : 0.0);
    add_text(out, "input_failure", input_failure);
    return out.text();
}

}  // namespace nlstream
