#include "app/check_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>

#include "app/emit.hpp"
#include "app/journal.hpp"
#include "app/json_report.hpp"
#include "app/lasting.hpp"
#include "app/report.hpp"
#include "netlink/links.hpp"
#include "pipeline/check.hpp"
#include "pipeline/encode_stage.hpp"
#include "pipeline/kernel_links.hpp"
#include "pipeline/replay_stage.hpp"
#include "pipeline/system_files.hpp"
#include "pipeline/table_kernel.hpp"

namespace nlstream {
namespace {

std::unique_ptr<Kernel> kernel_for(Options const& options, Files& files) {
    if (options.links.empty()) return std::make_unique<KernelLinks>(KernelLinks::Mode::check);
    auto const table = files.read(options.links);
    if (!table) throw std::runtime_error(options.links + " cannot be read");
    try {
        return std::make_unique<TableKernel>(*table);
    } catch (std::runtime_error const& error) {
        throw std::runtime_error(options.links + ": " + error.what());
    }
}

struct Checked {
    u64 lines = 0;
    u64 rejected = 0;
    std::string failure;  ///< what kept the files from being read to their end
};

/// Encodes all lines and calls `bad` for every rejection, then `each` for every batch; false from that ends the
/// reading.
Checked check_lines(Options const& options, std::vector<std::string> const& files, u64 from_line,
                    std::function<void(Batch const&, Rejection const&)> const& bad,
                    std::function<bool(Batch const&)> const& each) {
    SystemFiles system_files(SystemFiles::Programs::check);
    auto const kernel = kernel_for(options, system_files);
    LastingKernel lasting_kernel(*kernel);
    LastingFiles lasting_files(system_files);
    bool const lasting = options.emit == Emit::bin;
    Encoder encoder(lasting ? lasting_kernel : *kernel, lasting ? static_cast<Files&>(lasting_files) : system_files,
                    options.encoder);
    lasting_kernel.watch(encoder.links());
    encoder.links().assume_created(!lasting);
    SecondLook second_look(system_files, options.encoder);
    EncodeStage lines(encoder, {.stop_at_rejection = false,
                                .absences = options.expected.missing() ? &second_look : nullptr});
    ReplayStage messages(false);
    Checked done;
    auto const look = [&](Batch const& batch) {
        for (auto const& line : batch.lines) done.lines += !line.goes_on;
        done.rejected += batch.rejections.size();
        for (auto const& rejection : batch.rejections) bad(batch, rejection);
        return each(batch);
    };
    done.failure = check(files, options.replay ? static_cast<Stage&>(messages) : lines, look, from_line);
    return done;
}

void complain(Complaints& complaints, Batch const& batch, Rejection const& rejection) {
    auto const& line = batch.lines[rejection.line];
    complaints.add({rejection.text, rejection.why, batch.origin(line)}, batch.file, batch.first_number + line.number);
}

}  // namespace

int check_run(Options const& options) {
    auto const start = std::chrono::steady_clock::now();
    Screen screen(STDERR_FILENO);
    Complaints complaints(screen, complaints_options(options, screen));
    std::string out;
    int write_error = 0;
    JsonLines json(STDOUT_FILENO);
    auto const bad = [&](Batch const& batch, Rejection const& rejection) {
        auto const& line = batch.lines[rejection.line];
        if (options.json)
            json.write(json_failure({.outcome = Outcome::rejected,
                                     .file = batch.file,
                                     .number = batch.first_number + line.number,
                                     .origin = batch.origin(line)},
                                    rejection.text, rejection.why));
        else
            complain(complaints, batch, rejection);
    };
    auto const done = check_lines(options, options.files, options.from_line.value_or(1), bad, [&](Batch const& batch) {
        write_error = json.error();
        if (options.emit == Emit::nothing) return write_error == 0;
        out.clear();
        emit(batch, options.emit, options.replay, out);
        write_error = write_all(STDOUT_FILENO, out);
        return write_error == 0;
    });
    complaints.end();
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    int const status = !done.failure.empty() ? 2 : done.rejected > 0 ? 1 : 0;
    if (!done.failure.empty()) screen.say("nlstream: " + done.failure + '\n');
    if (options.json) {
        json.write(json_checked(done.lines, done.rejected, done.failure, seconds.count(), status));
        write_error = json.error();
    } else if (!options.quiet) {
        std::array<char, 64> time;
        std::snprintf(time.data(), time.size(), ", in %.3f s\n", seconds.count());
        screen.say(std::to_string(done.lines) + (done.lines == 1 ? " line" : " lines") +
                   " checked: " + std::to_string(done.lines - done.rejected) + " good, " +
                   std::to_string(done.rejected) + " rejected" + time.data());
    }
    if (write_error != 0) screen.say("nlstream: " + cannot_write(write_error));
    return write_error != 0 ? 2 : status;
}

int check_first(Options const& options, std::vector<std::string> const& files, u64 from_line, Screen& screen) {
    std::vector<FileIdentity> before;
    for (auto const& file : files) {
        auto const identity = FileIdentity::of(file);
        if (!identity)
            throw std::runtime_error(std::string(shown_name(file)) +
                                     " is no regular file: --check-first has to read its input twice");
        before.push_back(*identity);
    }
    auto const offset = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
    Complaints complaints(screen, complaints_options(options, screen));
    auto const done = check_lines(
        options, files, from_line,
        [&](Batch const& batch, Rejection const& rejection) { complain(complaints, batch, rejection); },
        [](Batch const&) { return true; });
    complaints.end();
    if (std::ranges::count(files, "-") > 0) ::lseek(STDIN_FILENO, offset, SEEK_SET);
    for (std::size_t i = 0; i < files.size(); ++i)
        if (FileIdentity::of(files[i]) != before[i])
            throw std::runtime_error(std::string(shown_name(files[i])) + " has changed while it was checked");
    if (!done.failure.empty()) screen.say("nlstream: " + done.failure + '\n');
    if (done.rejected > 0)
        screen.say("nothing was sent: " + std::to_string(done.rejected) + " of " + std::to_string(done.lines) +
                   " lines bad\n");
    return !done.failure.empty() ? 2 : done.rejected > 0 ? 1 : 0;
}

}  // namespace nlstream
