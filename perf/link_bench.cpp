// link_bench NAME
// What it costs to find the index of the link NAME: in the cache that a stream keeps, by the question to the kernel that
// fills it, and by if_nametoindex(3). One JSON object, nanoseconds each.

#include <net/if.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "netlink/links.hpp"
#include "pipeline/kernel_links.hpp"

namespace nlstream {
namespace {

/// Nanoseconds a call: the best of some rounds.
template <class LookUp>
double best_of(int calls, LookUp&& look_up) {
    double best = 1e9;
    for (int round = 0; round < 7; ++round) {
        auto const start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i)
            if (!look_up()) throw std::runtime_error("there is no such link");
        std::chrono::duration<double, std::nano> const took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count() / calls);
    }
    return best;
}

void run(char const* name) {
    KernelLinks kernel(KernelLinks::Mode::check);
    Links links(kernel);
    kernel.watch(links);
    // In turns with another name: a stream that names one link only does not even come to the table.
    auto const cached = best_of(1'000'000, [&] { return links.find("lo") && links.find(name); }) / 2;
    auto const asked = best_of(20'000, [&] { return kernel.link(name).has_value(); });
    auto const by_libc = best_of(20'000, [&] { return ::if_nametoindex(name) != 0; });
    std::printf("{\"cached\": %.1f, \"asked\": %.1f, \"if_nametoindex\": %.1f}\n", cached, asked, by_libc);
}

}  // namespace
}  // namespace nlstream

int main(int argc, char** argv) {
    if (argc != 2) return std::fputs("link_bench NAME\n", stderr), 2;
    try {
        nlstream::run(argv[1]);
    } catch (std::exception const& error) {
        std::fprintf(stderr, "link_bench: %s\n", error.what());
        return 2;
    }
}
