#include "app/check_run.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "app/emit.hpp"
#include "app/report.hpp"
#include "netlink/links.hpp"
#include "pipeline/check.hpp"
#include "pipeline/kernel_links.hpp"
#include "pipeline/system_files.hpp"
#include "pipeline/table_kernel.hpp"

namespace nlstream {
namespace {

/// 0, or errno.
int write_all(int file, std::string_view text) {
    while (!text.empty()) {
        auto const written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

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
    SystemFiles files;
    auto const kernel = kernel_for(options, files);
    Encoder encoder(*kernel, files, options.encoder);
    encoder.links().assume_created(true);

    u64 lines = 0, rejected = 0;
    std::string out;
    int write_error = 0;
    auto failure = check(options.files, encoder, [&](Batch const& batch) {
        for (auto const& line : batch.lines) lines += !line.goes_on;
        rejected += batch.rejections.size();
        for (auto const& rejection : batch.rejections) {
            auto const number = batch.first_number + batch.lines[rejection.line].number;
            std::fputs(render_rejection(rejection, batch.file, number).c_str(), stderr);
        }
        if (options.emit == Emit::nothing) return true;
        out.clear();
        emit(batch, options.emit, out);
        write_error = write_all(STDOUT_FILENO, out);
        return write_error == 0;
    });
    if (write_error != 0) failure = std::string("standard output: ") + std::strerror(write_error);
    if (!failure.empty()) std::fprintf(stderr, "nlstream: %s\n", failure.c_str());
    if (!options.quiet) {
        std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
        std::fprintf(stderr, "%llu lines checked: %llu good, %llu rejected, in %.3f s\n",
                     static_cast<unsigned long long>(lines), static_cast<unsigned long long>(lines - rejected),
                     static_cast<unsigned long long>(rejected), seconds.count());
    }
    if (!failure.empty()) return 2;
    return rejected > 0 ? 1 : 0;
}

}  // namespace nlstream
