#include "app/rejects.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/complaints.hpp"

namespace nlstream {
namespace {

constexpr std::size_t enough = 64 * 1024;

bool is_one_of(int file, std::vector<std::string> const& inputs) {
    struct stat ours {};
    if (::fstat(file, &ours) != 0 || !S_ISREG(ours.st_mode)) return false;
    return std::ranges::any_of(inputs, [&](std::string const& input) {
        struct stat theirs {};
        auto const error = input == "-" ? ::fstat(STDIN_FILENO, &theirs) : ::stat(input.c_str(), &theirs);
        return error == 0 && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
    });
}

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::applied: return "applied";
        case Outcome::ignored: return "ignored";
        case Outcome::failed: return "failed";
        case Outcome::rejected: return "rejected";
        case Outcome::unsent: return "not sent";
        case Outcome::unknown: return "unknown";
    }
    return {};
}

/// In one line of printable characters.
std::string reason(Diagnostic const& why) {
    auto text = why.what;
    if (!why.label.empty()) text += " (" + why.label + ')';
    if (!why.help.empty()) text += "; " + why.help;
    std::ranges::replace_if(
        text, [](char c) { return static_cast<u8>(c) < 0x20 || c == 0x7f; }, '?');
    return text;
}

/// Each physical line behind a #.
std::string commented(std::string_view raw) {
    std::string out = "#   ";
    for (char const c : raw) {
        out += c;
        if (c == '\n') out += "#   ";
    }
    return out;
}

/// Whether what follows would be taken for a part of it.
bool swallows_next(std::string_view raw) { return raw.ends_with('\n'); }

}  // namespace

Rejects::Rejects(std::string const& path, std::vector<std::string> const& inputs, Options options, Files& files,
                 Encoder::Options encoder)
    : explainer_(files, encoder),
      path_(path == "-" ? "standard output" : path),
      unsent_too_(options.unsent_too),
      number_(STDOUT_FILENO),
      how_to_(std::move(options.how_to)) {
    if (path == "-") {
        how_to_.clear();
        return;
    }
    // Cut only when it is known to be no input.
    owned_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666));
    if (owned_.get() < 0) throw std::system_error(errno, std::generic_category(), path);
    number_ = owned_.get();
    if (is_one_of(number_, inputs))
        throw std::runtime_error(path + " is an input of this stream: rejects would destroy it");
    struct stat found {};
    bool const regular = ::fstat(number_, &found) == 0 && S_ISREG(found.st_mode);
    if (regular && !options.append && ::ftruncate(number_, 0) != 0)
        throw std::system_error(errno, std::generic_category(), path);
    if (regular && options.append && found.st_size > 0) how_to_.clear();
}

void Rejects::ended(Ending const& ending) {
    if (ending.outcome == Outcome::applied || ending.outcome == Outcome::ignored) return;
    if (ending.outcome == Outcome::unsent && !unsent_too_) return;
    ++lines_waiting_;
    if (!how_to_.empty())
        waiting_ += "# Lines that were not applied. To stream them: " + std::exchange(how_to_, {}) + '\n';
    waiting_ += "# ";
    waiting_ += name_of(ending.outcome);
    waiting_ += ": ";
    waiting_ += shown_name(ending.file);
    waiting_ += ':' + std::to_string(ending.number);
    if (ending.origin)
        waiting_ += ", made from " + std::string(ending.origin->file) + ':' + std::to_string(ending.origin->line);
    if (auto const explained = explainer_.explain(ending)) waiting_ += ": " + reason(explained->why);
    waiting_ += '\n';
    // A line that is too long has no text but in its rejection.
    auto const raw = ending.raw.empty() && ending.rejection ? std::string_view(ending.rejection->text) : ending.raw;
    if (ending.raw.empty() || swallows_next(raw))
        waiting_ += commented(raw);
    else
        waiting_ += raw;
    waiting_ += '\n';
    if (waiting_.size() >= enough) flush();
}

void Rejects::flush() {
    std::string_view rest = waiting_;
    while (!rest.empty() && error_ == 0) {
        auto const written = ::write(number_, rest.data(), rest.size());
        if (written >= 0)
            rest.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            error_ = errno;
    }
    if (error_ != 0) lines_lost_ += lines_waiting_;
    lines_waiting_ = 0;
    waiting_.clear();
}

std::string Rejects::failure() const { return error_ == 0 ? std::string() : path_ + ": " + std::strerror(error_); }

}  // namespace nlstream
