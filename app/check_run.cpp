#include "app/check_run.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "app/emit.hpp"
#include "app/json_report.hpp"
#include "app/report.hpp"
#include "netlink/links.hpp"
#include "pipeline/check.hpp"
#include "pipeline/kernel_links.hpp"
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

}  // namespace

int check_run(Options const& options) {
    auto const start = std::chrono::steady_clock::now();
    Screen screen(STDERR_FILENO);
    bool const colours = wants_colours(options.colours, screen);
    SystemFiles files;
    auto const kernel = kernel_for(options, files);
    Encoder encoder(*kernel, files, options.encoder);
    encoder.links().assume_created(true);

    u64 lines = 0, rejected = 0;
    std::string out;
    int write_error = 0;
    JsonLines json(STDOUT_FILENO);
    auto failure = check(options.files, encoder, [&](Batch const& batch) {
        for (auto const& line : batch.lines) lines += !line.goes_on;
        rejected += batch.rejections.size();
        for (auto const& rejection : batch.rejections) {
            auto const number = batch.first_number + batch.lines[rejection.line].number;
            if (options.json)
                json.write(json_failure(Outcome::rejected, batch.file, number, rejection.text, rejection.why));
            else
                screen.say(render_failure({rejection.text, rejection.why}, batch.file, number, colours));
        }
        write_error = json.error();
        if (options.emit == Emit::nothing) return write_error == 0;
        out.clear();
        emit(batch, options.emit, out);
        write_error = write_all(STDOUT_FILENO, out);
        return write_error == 0;
    });
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    int const status = !failure.empty() ? 2 : rejected > 0 ? 1 : 0;
    if (!failure.empty()) screen.say("nlstream: " + failure + '\n');
    if (options.json) {
        json.write(json_checked(lines, rejected, failure, seconds.count(), status));
        write_error = json.error();
    } else if (!options.quiet) {
        std::array<char, 64> time;
        std::snprintf(time.data(), time.size(), ", in %.3f s\n", seconds.count());
        screen.say(std::to_string(lines) + " lines checked: " + std::to_string(lines - rejected) + " good, " +
                   std::to_string(rejected) + " rejected" + time.data());
    }
    if (write_error != 0) screen.say("nlstream: " + cannot_write(write_error));
    return write_error != 0 ? 2 : status;
}

}  // namespace nlstream
