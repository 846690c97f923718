#include <fcntl.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "app/check_run.hpp"
#include "app/namespace.hpp"
#include "app/options.hpp"
#include "app/stream_run.hpp"

namespace {

/// Opens standard files that are closed, so that no socket or file gets their number. Reading or writing them fails as before.
void keep_standard_files() {
    for (int file = 0; file <= 2; ++file)
        if (::fcntl(file, F_GETFD) < 0) ::open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace nlstream;
    keep_standard_files();
    // A reader that went away is an error to report, not an end without a word.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        auto const options = read_options(argc, argv);
        if (!options.answer.empty()) {
            std::fputs(options.answer.c_str(), stdout);
            return std::fflush(stdout) == 0 ? 0 : 2;
        }
        if (!options.netns.empty()) enter_namespace(options.netns);
        return options.check ? check_run(options) : stream_run(options);
    } catch (UsageError const& error) {
        std::fprintf(stderr, "nlstream: %s\nTry nlstream --help.\n", error.what());
    } catch (std::exception const& error) {
        std::fprintf(stderr, "nlstream: %s\n", error.what());
    }
    return 2;
}
