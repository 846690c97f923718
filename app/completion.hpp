// Completion of the command line by shells.
#pragma once
#include <string>
#include <vector>

namespace nlstream {

/// An option as completion needs it.
struct CompletedOption {
    std::vector<std::string> names;  ///< "--window", "-w"
    std::string argument;            ///< as help names it: "FILE", "last|each|none"; empty if it takes none
};

/// A script for bash (`source <(nlstream --completion bash)`). An argument of lower-case words between bars is
/// completed to one of them, NAME|PATH to a network namespace or a path, FILE to a file, KIND to one of `topics`.
std::string bash_completion(std::vector<CompletedOption> const& options, std::vector<std::string> const& topics);

}  // namespace nlstream
