#include "app/options.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <charconv>
#include <sstream>
#include <utility>

#include "app/completion.hpp"
#include "netlink/help.hpp"

namespace nlstream {
namespace {

namespace po = boost::program_options;

template <class Value, std::size_t count>
Value choose(char const* option, std::string const& typed,
             std::array<std::pair<char const*, Value>, count> const& choices) {
    std::string known;
    for (auto const& [word, value] : choices) {
        if (typed == word) return value;
        known += (known.empty() ? "" : ", ") + std::string(word);
    }
    throw UsageError(std::string(option) + " cannot be \"" + typed + "\": expected one of " + known);
}

constexpr std::array<std::pair<char const*, AckMode>, 3> ack_modes{
    {{"last", AckMode::last}, {"each", AckMode::each}, {"none", AckMode::none}}};
constexpr std::array<std::pair<char const*, Emit>, 3> emits{
    {{"hex", Emit::hex}, {"text", Emit::text}, {"bin", Emit::bin}}};
constexpr std::array<std::pair<char const*, When>, 3> whens{
    {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}}};
constexpr std::array<std::pair<char const*, ErrorList>, 3> error_lists{
    {{"auto", ErrorList::automatic}, {"all", ErrorList::all}, {"grouped", ErrorList::grouped}}};
constexpr std::array<std::pair<char const*, Tool>, 3> tools{
    {{"tc", Tool::tc}, {"ip", Tool::ip}, {"bridge", Tool::bridge}}};
constexpr std::array<std::pair<char const*, u8>, 6> families{{{"inet", AF_INET},
                                                              {"inet6", AF_INET6},
                                                              {"link", AF_PACKET},
                                                              {"bridge", AF_BRIDGE},
                                                              {"mpls", AF_MPLS},
                                                              {"any", AF_UNSPEC}}};

constexpr u32 most_counted = 1'000'000;

std::optional<u32> count(po::variables_map const& given, char const* option) {
    if (!given.count(option)) return {};
    auto const number = given[option].as<s64>();
    if (number < 1 || number > most_counted) throw UsageError("--" + std::string(option) + ": expected 1 to 1000000");
    return static_cast<u32>(number);
}

/// The same, but nothing for "auto".
std::optional<u32> count_or_auto(po::variables_map const& given, char const* option) {
    if (!given.count(option)) return {};
    auto const& typed = given[option].as<std::string>();
    if (typed == "auto") return {};
    u32 number = 0;
    auto const* const end = typed.data() + typed.size();
    auto const read = std::from_chars(typed.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number < 1 || number > most_counted)
        throw UsageError("--" + std::string(option) + " cannot be \"" + typed + "\": expected auto, or 1 to 1000000");
    return number;
}

po::options_description visible_options() {
    po::options_description all("Options");
    auto add = all.add_options();
    add("window,w", po::value<std::string>()->value_name("N|auto"),
        "messages in flight at the most, not yet acknowledged (auto: as many as a send has)");
    add("coalesce", po::value<std::string>()->value_name("N|auto"),
        "messages per sendmsg at the most (auto: as many as the kernel carries out in 2 ms)");
    add("ack", po::value<std::string>()->value_name("last|each|none"),
        "last: ask for one acknowledgement a send; each: for every message; none: only when the window is full and at "
        "the end");
    add("force,f", po::bool_switch(), "go on after a failure");
    add("ignore", po::value<std::vector<std::string>>()->value_name("WHAT[,WHAT...]"),
        "expect these refusals: exists, missing (to what deletes), or errors by name or number; they neither stop the "
        "stream nor fail it");
    add("retry", po::value<s64>()->value_name("N"),
        "try a line again, N times at the most and with growing pauses, that is refused with EBUSY, EAGAIN, ENOBUFS or "
        "ENOMEM");
    add("rejects", po::value<std::string>()->value_name("FILE"),
        "write every line that was not applied to FILE, as it stood, with the reason above it");
    add("from-line", po::value<s64>()->value_name("N"), "start at line N of the first FILE");
    add("journal", po::value<std::string>()->value_name("FILE"), "keep in FILE how far the stream has come");
    add("resume", po::bool_switch(), "go on where the journal says");
    add("netns,n", po::value<std::string>()->value_name("NAME|PATH"), "work in this network namespace");
    add("check", po::bool_switch(), "read and encode everything, report all bad lines, change nothing");
    add("check-first", po::bool_switch(), "do as --check does, and then stream if no line is bad; needs regular files");
    add("emit", po::value<std::string>()->value_name("hex|text|bin"),
        "with --check: print the messages of each line; bin: as they are sent, for --replay");
    add("replay", po::bool_switch(),
        "the input is what --emit bin has printed: send these messages, each counts as a line");
    add("links", po::value<std::string>()->value_name("FILE"),
        "with --check: the links that lines name, in rows of ifindex, name, kind and vrf-table between tabs");
    add("batch,b", po::value<std::vector<std::string>>()->value_name("FILE"), "read this file, as FILE alone does");
    add("syntax", po::value<std::string>()->value_name("tc|ip|bridge"),
        "whose commands the lines are; otherwise each line says");
    add("family", po::value<std::string>()->value_name("inet|inet6|link|bridge|mpls"),
        "of addresses, where a line does not say");
    add("ipv4,4", po::bool_switch(), "--family inet");
    add("ipv6,6", po::bool_switch(), "--family inet6");
    add("packet,0", po::bool_switch(), "--family link");
    add("bridge,B", po::bool_switch(), "--family bridge");
    add("mpls,M", po::bool_switch(), "--family mpls");
    add("quiet,q", po::bool_switch(), "no summary at the end");
    add("progress", po::value<std::string>()->value_name("auto|always|never"),
        "show how far the stream has come (on a terminal)");
    add("errors", po::value<std::string>()->value_name("auto|all|grouped"),
        "all: show each error; grouped: of those that say the same show the first and count the others (on a terminal)");
    add("color", po::value<std::string>()->value_name("auto|always|never"),
        "show errors in colours (on a terminal, unless NO_COLOR is set)");
    add("json", po::bool_switch(), "report failures and the summary as JSON, one object a line, on standard output");
    add("help,h", po::value<std::string>()->implicit_value("")->value_name("KIND"),
        "print this; the keywords of a kind (filter.flower); kinds: all of them");
    add("completion", po::value<std::string>()->value_name("bash"),
        "print a script that lets the shell complete these options");
    add("version,V", po::bool_switch(), "print the version");
    return all;
}

po::options_description all_options() {
    auto all = visible_options();
    all.add_options()("file", po::value<std::vector<std::string>>(), "");
    return all;
}

po::parsed_options parse(std::vector<std::string> const& command_line, po::options_description const& all) {
    po::positional_options_description positional;
    positional.add("file", -1);
    // No guessing: an abbreviation that is unique today would change its meaning with a new option.
    auto const style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    return po::command_line_parser(std::vector<std::string>(command_line.begin() + 1, command_line.end()))
        .options(all)
        .positional(positional)
        .style(style)
        .run();
}

Expected expected_of(std::vector<std::string> const& lists) {
    Expected expected;
    for (std::string_view list : lists) {
        for (;;) {
            auto const comma = list.find(',');
            auto const word = list.substr(0, comma);
            if (!expected.add(word))
                throw UsageError("--ignore cannot be \"" + std::string(word) +
                                 "\": expected exists, missing, or an error such as EBUSY or 16");
            if (comma == list.npos) break;
            list.remove_prefix(comma + 1);
        }
    }
    return expected;
}

std::string quoted(std::string const& word) {
    constexpr std::string_view safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,@%+-";
    if (!word.empty() && word.find_first_not_of(safe) == word.npos) return word;
    std::string out = "'";
    for (char const c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

/// The command line again, without its files and the options `without`, but with `more`.
std::string command_line(Options const& options, std::vector<std::string_view> const& without,
                         std::vector<std::string> const& more) {
    auto const all = all_options();
    std::string out = quoted(options.command_line.front());
    for (auto const& option : parse(options.command_line, all).options) {
        auto const& name = option.string_key;
        if (name == "file" || name == "batch" || std::ranges::count(without, name) > 0) continue;
        out += " --" + name;
        for (auto const& value : option.value) out += ' ' + quoted(value);
    }
    for (auto const& word : more) out += ' ' + quoted(word);
    return out;
}

std::string options_help() {
    std::ostringstream text;
    text << "nlstream [OPTIONS] [FILE...]\n\n"
            "Streams lines of tc, ip and bridge commands to the kernel. Reads standard input without FILE or where it "
            "is -.\n\n"
         << visible_options()
         << "\nExit status: 0 all lines applied, 1 some line refused, 2 could not run or an answer was lost.\n";
    return text.str();
}

/// What --help TOPIC prints. Throws UsageError.
std::string help_on(std::string const& topic) {
    if (topic.empty()) return options_help();
    if (topic == "kinds") return help_index();
    if (auto const* kind = find_help(topic)) return help_text(*kind);
    // "vlan" is an action, a link type and an object of bridge: whoever does not say which gets all.
    std::string out;
    for (auto const* kind : all_kinds())
        if (kind->name == topic) out += (out.empty() ? "" : "\n") + help_text(*kind);
    if (!out.empty()) return out;
    auto const nearest = nearest_help(topic);
    throw UsageError("no help on \"" + topic + '"' +
                     (nearest.empty() ? "; --help kinds lists what there is" : ": did you mean " + nearest + '?'));
}

std::string completion() {
    std::vector<CompletedOption> options;
    auto const all = visible_options();
    for (auto const& option : all.options()) {
        auto const short_name = option->canonical_display_name(po::command_line_style::allow_dash_for_short);
        CompletedOption completed{{"--" + option->long_name()}, {}};
        if (short_name.size() == 2) completed.names.push_back(short_name);
        // A switch has no name for an argument that it does not take.
        if (option->semantic()->max_tokens() > 0) completed.argument = option->semantic()->name();
        options.push_back(std::move(completed));
    }
    std::vector<std::string> topics = {"kinds"};
    for (auto const* kind : all_kinds()) topics.push_back(help_name(*kind));
    return bash_completion(options, topics);
}

u8 family_of(po::variables_map const& given) {
    constexpr std::array<std::pair<char const*, u8>, 5> switches{
        {{"ipv4", AF_INET}, {"ipv6", AF_INET6}, {"packet", AF_PACKET}, {"bridge", AF_BRIDGE}, {"mpls", AF_MPLS}}};
    u8 family = given.count("family") ? choose("--family", given["family"].as<std::string>(), families) : u8{AF_UNSPEC};
    for (auto const& [name, value] : switches) {
        if (!given[name].as<bool>()) continue;
        if (family != AF_UNSPEC && family != value) throw UsageError("more than one family is given");
        family = value;
    }
    return family;
}

}  // namespace

Options read_options(int argc, char const* const* argv) {
    Options options;
    options.command_line.assign(argv, argv + argc);
    auto const all = all_options();
    po::variables_map given;
    try {
        po::store(parse(options.command_line, all), given);
    } catch (po::error const& error) {
        throw UsageError(error.what());
    }

    if (given.count("help")) {
        // The value of an option that can do without has to be attached: what stands apart has been taken for a file.
        auto topic = given["help"].as<std::string>();
        if (topic.empty() && given.count("file")) topic = given["file"].as<std::vector<std::string>>().front();
        options.answer = help_on(topic);
    }
    if (given.count("completion")) {
        choose("--completion", given["completion"].as<std::string>(),
               std::array<std::pair<char const*, bool>, 1>{{{"bash", true}}});
        options.answer = completion();
    }
    if (given["version"].as<bool>()) options.answer = "nlstream " NLSTREAM_VERSION "\n";
    for (auto const* name : {"batch", "file"})
        if (given.count(name))
            for (auto const& file : given[name].as<std::vector<std::string>>()) options.files.push_back(file);
    if (options.files.empty()) options.files.emplace_back("-");
    options.encoder.family = family_of(given);
    if (given.count("syntax")) options.encoder.tool = choose("--syntax", given["syntax"].as<std::string>(), tools);
    options.replay = given["replay"].as<bool>();
    options.window = count_or_auto(given, "window");
    options.coalesce = count_or_auto(given, "coalesce");
    if (given.count("ack")) options.ack = choose("--ack", given["ack"].as<std::string>(), ack_modes);
    options.force = given["force"].as<bool>();
    if (given.count("ignore")) options.expected = expected_of(given["ignore"].as<std::vector<std::string>>());
    options.retries = count(given, "retry").value_or(0);
    if (given.count("rejects")) options.rejects = given["rejects"].as<std::string>();
    if (given.count("from-line")) {
        if (given["from-line"].as<s64>() < 1) throw UsageError("--from-line: lines count from 1");
        options.from_line = static_cast<u64>(given["from-line"].as<s64>());
    }
    if (given.count("journal")) options.journal = given["journal"].as<std::string>();
    options.resume = given["resume"].as<bool>();
    options.check_first = given["check-first"].as<bool>();
    if (given.count("netns")) options.netns = given["netns"].as<std::string>();
    options.check = given["check"].as<bool>();
    if (given.count("emit")) options.emit = choose("--emit", given["emit"].as<std::string>(), emits);
    if (given.count("links")) options.links = given["links"].as<std::string>();
    options.quiet = given["quiet"].as<bool>();
    if (given.count("progress")) options.progress = choose("--progress", given["progress"].as<std::string>(), whens);
    if (given.count("errors")) options.errors = choose("--errors", given["errors"].as<std::string>(), error_lists);
    if (given.count("color")) options.colours = choose("--color", given["color"].as<std::string>(), whens);
    options.json = given["json"].as<bool>();
    if (options.json && options.emit != Emit::nothing)
        throw UsageError("--json and --emit both write to standard output");
    if (options.resume && options.journal.empty()) throw UsageError("--resume needs --journal");
    if (options.resume && options.from_line) throw UsageError("--resume and --from-line both say where to start");
    if (options.check && options.check_first)
        throw UsageError("--check sends nothing, and --check-first does in the end");
    if (options.json && options.rejects == "-") throw UsageError("--json and --rejects both write to standard output");
    for (auto const* name : {"rejects", "journal"})
        if (options.check && given.count(name))
            throw UsageError("--" + std::string(name) + " makes no sense with --check, which sends nothing");
    if (options.replay)
        for (auto const* name : {"syntax", "family", "ipv4", "ipv6", "packet", "bridge", "mpls", "links", "rejects"})
            if (given.count(name) && !given[name].defaulted())
                throw UsageError("--" + std::string(name) + " is about lines, and --replay reads messages");
    if (!options.check && options.emit != Emit::nothing) throw UsageError("--emit needs --check");
    if (!options.check && !options.links.empty()) throw UsageError("--links needs --check");
    return options;
}

std::string resume_command(Options const& options, std::vector<std::string> const& files, u64 line) {
    std::vector<std::string> where{"--from-line", std::to_string(line)};
    where.insert(where.end(), files.begin(), files.end());
    return command_line(options, {"from-line", "resume"}, where);
}

std::string rejects_command(Options const& options) {
    return command_line(options, {"from-line", "resume", "rejects", "journal", "check-first"}, {options.rejects});
}

}  // namespace nlstream
