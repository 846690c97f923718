#include "netlink/encoder.hpp"

#include <utility>
#include <vector>

#include "netlink/command.hpp"
#include "netlink/names.hpp"

#ifndef AF_MPLS
#define AF_MPLS 28
#endif

namespace nlstream {
namespace {

Tool tool_called(std::string_view word) {
    if (word == "tc") return Tool::tc;
    if (word == "ip") return Tool::ip;
    if (word == "bridge") return Tool::bridge;
    return Tool::any;
}

constexpr NamedValue families[] = {{"inet", AF_INET}, {"inet6", AF_INET6}, {"link", AF_PACKET}, {"mpls", AF_MPLS}, {"bridge", AF_BRIDGE}};

/// Options between the tool's name and the object: they hold for this line.
void read_line_options(Line& line) {
    while (!line.done() && line.peek().text.starts_with('-')) {
        auto const& word = line.take("an option");
        auto option = word.text.substr(word.text.starts_with("--") ? 2 : 1);
        if (option == "4") line.family = AF_INET;
        else if (option == "6") line.family = AF_INET6;
        else if (option == "0") line.family = AF_PACKET;
        else if (option == "B") line.family = AF_BRIDGE;
        else if (option == "M") line.family = AF_MPLS;
        else if (abbreviates(option, "family")) line.family = static_cast<u8>(read_choice(line.take("a family"), families, "family"));
        else
            throw Diagnostic{"the option " + std::string(word.text) + " cannot be used inside a stream", word.span, "only -4, -6, -0, -B, -M and -family may stand here", {}, code::unsupported};
    }
}

/// The first object of this tool that `typed` selects.
Object const* find_object(Tool tool, std::string_view typed) {
    for (auto const& object : objects())
        if (object.tool == tool && selects(object.words, typed)) return &object;
    return nullptr;
}

[[noreturn]] void fail_object(Word const& word, Tool tool) {
    Nearest nearest(word.text);
    if (tool == Tool::any)
        for (auto const known : {Tool::tc, Tool::ip, Tool::bridge}) nearest.offer(name_of(known));
    for (auto const& object : objects())
        if (tool == Tool::any || object.tool == tool) any_alias(object.words, [&](std::string_view alias, bool) { nearest.offer(alias); return false; });
    fail_unknown(word, tool == Tool::any ? "object" : std::string(name_of(tool)) + " object", nearest.best());
}

bool is_full_name(Object const& object, std::string_view typed) {
    return any_alias(object.words, [&](std::string_view alias, bool) { return alias == typed; });
}

/// The object of a line that does not name its tool.
Object const& guess_object(Word const& word) {
    // A full name means the tool that has it; "link" is both ip's and bridge's, and taken as ip's.
    for (auto tool : {Tool::ip, Tool::tc, Tool::bridge})
        if (auto const* object = find_object(tool, word.text); object && is_full_name(*object, word.text)) return *object;
    std::vector<Object const*> found;
    for (auto tool : {Tool::ip, Tool::tc, Tool::bridge})
        if (auto const* object = find_object(tool, word.text)) found.push_back(object);
    if (found.empty()) fail_object(word, Tool::any);
    if (found.size() == 1) return *found[0];
    std::string candidates;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i) candidates += i + 1 == found.size() ? " or " : ", ";
        any_alias(found[i]->words, [&](std::string_view alias, bool) { candidates += std::string(name_of(found[i]->tool)) + ' ' + std::string(alias); return true; });
    }
    throw Diagnostic{'"' + std::string(word.text) + "\" is ambiguous", word.span, "could be " + candidates,
                     "write the object in full, or the tool before it, or give --syntax", code::unknown_word};
}

/// Lends the caller's buffer to the line while it is encoded.
class Borrow {
  public:
    Borrow(MessageBuffer& mine, MessageBuffer& yours) : mine_(mine), yours_(yours) { std::swap(mine_, yours_); }
    ~Borrow() {
        mine_.trail(nullptr);
        std::swap(mine_, yours_);
    }
    Borrow(Borrow const&) = delete;
    Borrow& operator=(Borrow const&) = delete;

  private:
    MessageBuffer& mine_;
    MessageBuffer& yours_;
};

}  // namespace

struct Encoder::State {
    State(Kernel& asked, Files& system_files, Options given)
        : kernel(asked), files(system_files), options(given), links(asked), names(system_files),
          line(links, names, system_files, asked) {}

    Kernel& kernel;
    Files& files;
    Options options;
    Links links;
    Names names;
    Line line;
    bool goes_on = false;  ///< the line encoded last has another part

    /// The object of the line before, which most streams name again and again.
    struct {
        Tool tool = Tool::any;
        std::string word;
        Object const* object = nullptr;
    } last;

    /// The object that `word` names. Throws Diagnostic.
    Object const& object(Tool tool, Word const& word) {
        if (last.object && last.tool == tool && last.word == word.text) return *last.object;
        auto const* found = tool == Tool::any ? &guess_object(word) : find_object(tool, word.text);
        if (!found) fail_object(word, tool);
        last = {tool, std::string(word.text), found};
        return *found;
    }
};

Encoder::Encoder(Kernel& kernel, Files& files, Options options) : state_(std::make_unique<State>(kernel, files, options)) {}
Encoder::~Encoder() = default;

void Encoder::settled() {
    state_->links.settled();
    state_->line.unsettled = false;
    state_->line.open = 0;
}

Links& Encoder::links() { return state_->links; }

Encoded Encoder::encode(std::string_view text, MessageBuffer& out, Trail* trail) {
    auto& line = state_->line;
    if (!std::exchange(state_->goes_on, false)) line.continuation.reset();
    line.split(text);
    if (line.done()) return {};

    auto const size = out.size();
    Borrow const borrow(line.out, out);
    line.out.trail(trail);
    line.family = state_->options.family;
    line.messages = 0;
    line.device = {};
    line.more = line.absence_is_success = false;
    line.kept.clear();
    try {
        auto tool = state_->options.tool;
        if (auto const named = tool_called(line.peek().text); named != Tool::any) {
            auto const& word = line.take("a tool");
            if (tool != Tool::any && tool != named) fail_use(word, "the stream is " + std::string(name_of(tool)) + "'s (--syntax)");
            tool = named;
            read_line_options(line);
        }
        auto const& word = line.take("an object");
        auto const& object = state_->object(tool, word);
        if (!object.read) throw Diagnostic{std::string(object.refusal), word.span, {}, {}, code::unsupported};
        object.read(line);
        if (!line.done()) fail_use(line.peek(), "the command is complete before it");
    } catch (Diagnostic& d) {
        line.out.truncate(size);
        line.suggest(d);
        throw;
    } catch (...) {
        line.out.truncate(size);
        throw;
    }
    state_->goes_on = line.more;
    line.unsettled |= line.messages > 0;
    return {.messages = line.messages, .command = true, .more = line.more, .absence_is_success = line.absence_is_success, .kept = std::move(line.kept)};
}

}  // namespace nlstream
