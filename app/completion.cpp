#include "app/completion.hpp"

#include <algorithm>

namespace nlstream {
namespace {

/// What bash runs to complete an argument; empty if nothing can be offered.
std::string offer(std::string const& argument, std::string const& topics) {
    auto const words = [](std::string const& list) { return "COMPREPLY=($(compgen -W '" + list + "' -- \"$word\"))"; };
    if (argument == "KIND") return words(topics);
    if (argument == "FILE") return "COMPREPLY=($(compgen -f -- \"$word\"))";
    if (argument == "NAME|PATH")
        return "COMPREPLY=($(compgen -W \"$(ls /run/netns 2>/dev/null)\" -- \"$word\") $(compgen -f -- \"$word\"))";
    if (std::ranges::any_of(argument, [](char c) { return c != '|' && (c < 'a' || c > 'z') && (c < '0' || c > '9'); }))
        return {};
    auto list = argument;
    std::ranges::replace(list, '|', ' ');
    return words(list);
}

std::string joined(std::vector<std::string> const& words, char between) {
    std::string out;
    for (auto const& word : words) out += (out.empty() ? "" : std::string(1, between)) + word;
    return out;
}

}  // namespace

std::string bash_completion(std::vector<CompletedOption> const& options, std::vector<std::string> const& topics) {
    std::string out =
        "# Completion of nlstream for bash: source <(nlstream --completion bash)\n"
        "_nlstream() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "    # bash takes --option=value for three words.\n"
        "    [[ $word == = ]] && word=\n"
        "    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "    case $option in\n";
    std::vector<std::string> all;
    for (auto const& option : options) {
        for (auto const& name : option.names)
            if (name.starts_with("--")) all.push_back(name);
        if (option.argument.empty()) continue;
        auto const action = offer(option.argument, joined(topics, ' '));
        out += "    " + joined(option.names, '|') + ") " + (action.empty() ? "" : action + "; ") + "return ;;\n";
    }
    return out +
           "    esac\n"
           "    if [[ $word == -* ]]; then\n"
           "        COMPREPLY=($(compgen -W '" +
           joined(all, ' ') +
           "' -- \"$word\"))\n"
           "    else\n"
           "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _nlstream nlstream\n";
}

}  // namespace nlstream
