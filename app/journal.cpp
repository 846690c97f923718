#include "app/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "app/report.hpp"
#include "app/screen.hpp"
#include "pipeline/input.hpp"

namespace nlstream {
namespace {

constexpr std::string_view heading = "nlstream journal 1\n";

/// Takes the rest of a line that starts with `word`, off the beginning of `text`.
std::string_view take_line(std::string_view& text, std::string_view word) {
    auto const end = text.find('\n');
    if (end == text.npos || !text.starts_with(word))
        throw std::runtime_error("it is no journal of nlstream, or is cut short");
    auto const rest = text.substr(word.size(), end - word.size());
    text.remove_prefix(end + 1);
    return rest;
}

template <class Number>
Number take_number(std::string_view& text) {
    Number number{};
    auto const [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) throw std::runtime_error("it is no journal of nlstream, or is cut short");
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (text.starts_with(' ')) text.remove_prefix(1);
    return number;
}

std::string_view or_empty(std::string_view value, std::string_view no) {
    return value == no ? std::string_view() : value;
}

/// 0, or errno.
int write_new(std::string const& path, std::string_view text) {
    Descriptor const file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    return file.get() < 0 ? errno : write_all(file.get(), text);
}

/// 0, or errno. Replaces the file at once.
int replace(std::string const& path, std::string_view text) {
    auto const fresh = path + ".new";
    auto error = write_new(fresh, text);
    if (error == 0 && ::rename(fresh.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) ::unlink(fresh.c_str());
    return error;
}

/// Throws unless what is at `path` is a journal, or nothing: a new one would take its place, be it a device or the user's rules.
void check_place(std::string const& path) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0) return;
    if (!S_ISREG(found.st_mode)) throw std::runtime_error(path + " is no regular file: a journal would take its place");
    if (found.st_size == 0) return;
    std::string start(heading.size(), ' ');
    std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
    if (start != heading) throw std::runtime_error(path + " is no journal of nlstream, and is not overwritten");
}

}  // namespace

std::optional<FileIdentity> FileIdentity::of(std::string const& path) {
    struct stat found {};
    auto const error = path == "-" ? ::fstat(STDIN_FILENO, &found) : ::stat(path.c_str(), &found);
    if (error != 0 || !S_ISREG(found.st_mode)) return {};
    return FileIdentity{.device = found.st_dev,
                        .inode = found.st_ino,
                        .size = static_cast<u64>(found.st_size),
                        .modified_s = found.st_mtim.tv_sec,
                        .modified_ns = found.st_mtim.tv_nsec};
}

std::string JournalRecord::text() const {
    auto out = std::string(heading) + "file " + std::to_string(file) + ' ' + name + "\nidentity";
    if (identity)
        for (auto const& number :
             {std::to_string(identity->device), std::to_string(identity->inode), std::to_string(identity->size),
              std::to_string(identity->modified_s), std::to_string(identity->modified_ns)})
            out += ' ' + number;
    else
        out += " none";
    return out + "\nline " + std::to_string(line) + "\nstate " + (ended ? "ended" : "running") + "\nend\n";
}

JournalRecord JournalRecord::parse(std::string_view text) {
    JournalRecord record;
    take_line(text, heading.substr(0, heading.size() - 1));
    auto file = take_line(text, "file ");
    record.file = take_number<u64>(file);
    record.name = file;
    if (auto identity = or_empty(take_line(text, "identity "), "none"); !identity.empty()) {
        auto& of = record.identity.emplace();
        for (auto* number : {&of.device, &of.inode, &of.size}) *number = take_number<u64>(identity);
        for (auto* number : {&of.modified_s, &of.modified_ns}) *number = take_number<s64>(identity);
    }
    auto line = take_line(text, "line ");
    record.line = take_number<u64>(line);
    record.ended = take_line(text, "state ") == "ended";
    take_line(text, "end");
    return record;
}

Journal::Journal(std::string path, std::vector<std::string> const& files, u64 first_file)
    : path_(std::move(path)), files_(files), first_file_(first_file) {
    for (auto const& file : files_) identities_.push_back(FileIdentity::of(file));
}

void Journal::begin(u64 line) {
    check_place(path_);
    write({files_.front(), line}, false);
    if (!failure_.empty()) throw std::runtime_error(failure_);
}

void Journal::write(Place const& place, bool ended) {
    if (!failure_.empty()) return;
    // Before anything has ended there is no place.
    auto next = last_;
    next.ended = ended;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        // The same name may be given twice; the place is a view of the one that is meant.
        if (place.file.data() != files_[i].data()) continue;
        next = {.file = first_file_ + i,
                .name = files_[i],
                .identity = identities_[i],
                .line = place.number,
                .ended = ended};
    }
    if (next.file == last_.file && next.line == last_.line && next.ended == last_.ended && !last_.name.empty()) return;
    last_ = std::move(next);
    if (auto const error = replace(path_, last_.text())) failure_ = path_ + ": " + std::strerror(error);
}

Resumption resume(std::string const& path, std::vector<std::string> const& files) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        if (errno == ENOENT) return {.said = path + ": there is no journal yet: starting at the first line\n"};
        throw std::runtime_error(path + ": " + std::strerror(errno));
    }
    std::string const text{std::istreambuf_iterator<char>(stream), {}};
    auto const record = [&] {
        try {
            return JournalRecord::parse(text);
        } catch (std::runtime_error const& error) {
            throw std::runtime_error(path + ": " + error.what());
        }
    }();
    auto const place = std::string(shown_name(record.name)) + ':' + std::to_string(record.line);
    auto const instead = "; to start at a line of your choice use --from-line";
    if (record.file < 1 || record.file > files.size() || files[record.file - 1] != record.name)
        throw std::runtime_error(path + " is about other input: it stands at " + place + instead);
    auto const identity = FileIdentity::of(record.name);
    if (record.identity && identity != record.identity)
        throw std::runtime_error(path + " stands at " + place + ", and that file has changed since" + instead);
    Resumption resumption{.file = record.file, .line = record.line, .said = "resuming at " + place + '\n'};
    if (!record.ended)
        resumption.said +=
            "the stream before this one was cut off: lines from there on may have been applied already\n";
    if (!record.identity) resumption.said += "whether this is the same input cannot be told: it is no regular file\n";
    return resumption;
}

}  // namespace nlstream
