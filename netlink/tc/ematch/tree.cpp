#include "netlink/tc/ematch/tree.hpp"

#include <linux/pkt_cls.h>

#include <algorithm>
#include <vector>

#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

constexpr std::size_t max_depth = 32;  // the kernel's CONFIG_NET_EMATCH_STACK

struct Node {
    u16 flags = 0;  // TCF_EM_REL_*, TCF_EM_INVERT
    std::size_t name = 0;  // the position of the kind among the line's words
    std::vector<Node> children;
};

bool is_bracket(char c) { return c == '(' || c == ')'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_relation(Word const& word) { return equal_ignoring_case(word.text, "and") || equal_ignoring_case(word.text, "or"); }

/// Splits words of the line into names, brackets and strings, one word more with each step.
class Splitter {
  public:
    explicit Splitter(Line const& line) : words_(line.all()), first_(line.position()), next_(first_) {}

    /// Splits words as far as the expression goes: to the bracket that closes its last match, or to the end of the line.
    void split_expression() {
        std::size_t depth = 0;
        while (next_ < words_.size()) {
            auto const before = tokens_.size();
            split_word();
            for (auto i = before; i < tokens_.size(); ++i) {
                auto const& token = tokens_[i];
                if (complete_ && !is_relation(token)) {
                    if (i != before) fail_use(token, "expected and, or, or a blank behind the expression");
                    tokens_.resize(before);
                    --next_;
                    return;
                }
                if (token.text == "(") ++depth;
                complete_ = token.text == ")" && (depth <= 1);
                if (token.text == ")" && depth > 0) --depth;
            }
        }
    }

    std::span<Word const> tokens() const { return tokens_; }
    std::size_t words() const { return next_ - first_; }

  private:
    void split_word() {
        auto const& word = words_[next_++];
        // A word of the line that had quotes around it does not have them in its text.
        auto const base = word.span.begin + (word.span.end - word.span.begin > word.text.size() ? 1 : 0);
        char const* const text = word.text.data();
        auto end = word.text.size();
        auto const add = [&](std::size_t from, std::size_t to) {
            tokens_.push_back({std::string_view(text + from, to - from), {base + static_cast<u32>(from), base + static_cast<u32>(to)}});
        };
        for (std::size_t i = 0; i < end;) {
            auto const begin = i;
            if (is_blank(text[i])) {
                ++i;
            } else if (is_bracket(text[i])) {
                add(begin, ++i);
            } else if (text[i] == '"') {
                // A string may go on in the next words.
                for (++i; i < end && text[i] != '"'; ++i) {
                    if (text[i] == '\\') ++i;
                    while (i + 1 >= end && next_ < words_.size()) end = static_cast<std::size_t>(words_[next_].text.data() - text) + words_[next_].text.size(), ++next_;
                }
                if (i >= end) throw Diagnostic{"this string is not closed", {base + static_cast<u32>(begin), base + static_cast<u32>(begin) + 1}, "no second \" in the line", {}, code::syntax};
                add(begin, ++i);
            } else {
                while (i < end && !is_blank(text[i]) && !is_bracket(text[i])) ++i;
                add(begin, i);
            }
        }
    }

    std::vector<Word> const& words_;
    std::size_t const first_;
    std::size_t next_;
    std::vector<Word> tokens_;
    bool complete_ = false;
};

void take_bracket(Line& line, std::string_view bracket, std::string_view why) {
    auto const& word = line.take(bracket);
    if (word.text != bracket) fail_use(word, why);
}

std::vector<Node> read_expression(Line& line, std::size_t depth);

Node read_match(Line& line, std::size_t depth) {
    Node node;
    if (!line.done() && equal_ignoring_case(line.peek().text, "not")) {
        line.take("not");
        node.flags |= TCF_EM_INVERT;
    }
    auto const& word = line.take("a match such as cmp(...)");
    if (word.text == "(") {
        if (depth == max_depth) fail_use(word, "brackets go at most " + std::to_string(max_depth) + " deep");
        node.children = read_expression(line, depth + 1);
        take_bracket(line, ")", "expected and, or, or a closing bracket");
        return node;
    }
    if (word.text == ")" || is_relation(word) || equal_ignoring_case(word.text, "not")) fail_use(word, "a match is missing before it");
    node.name = line.position() - 1;
    take_bracket(line, "(", "expected an opening bracket");
    // What is between the brackets is read when it is put.
    while (line.take(")").text != ")")
        if (line.last().text == "(") fail_use(line.last(), "a match has no brackets inside");
    return node;
}

std::vector<Node> read_expression(Line& line, std::size_t depth) {
    std::vector<Node> nodes;
    while (true) {
        nodes.push_back(read_match(line, depth));
        if (line.done() || !is_relation(line.peek())) return nodes;
        auto const relation = equal_ignoring_case(line.take("and").text, "and") ? TCF_EM_REL_AND : TCF_EM_REL_OR;
        nodes.back().flags = static_cast<u16>(nodes.back().flags | relation);
    }
}

struct Flat {
    Node const* node;
    u32 first_child = 0;
};

/// The kernel's order: the matches of one level in a row, and what is in brackets behind them.
void flatten(std::vector<Node> const& level, std::vector<Flat>& out) {
    auto const base = out.size();
    for (auto const& node : level) out.push_back({&node});
    for (std::size_t i = 0; i < level.size(); ++i) {
        if (level[i].children.empty()) continue;
        out[base + i].first_child = static_cast<u32>(out.size());
        flatten(level[i].children, out);
    }
}

void put_match(Line& line, Flat const& flat) {
    tcf_ematch_hdr head{};
    head.flags = flat.node->flags;
    if (flat.first_child) {
        line.out.put_raw(&head, sizeof head);
        return line.out.put_raw(&flat.first_child, sizeof flat.first_child);
    }
    line.rewind(flat.node->name);
    auto const& word = line.take("a match");
    if (word.text == "ipt") throw Diagnostic{"matches of iptables are not read", word.span, {}, "use cmp, nbyte, u32 or meta, or ipset", code::unsupported};
    auto const& kind = find_kind(line, word, ematch_kinds(), "match");
    head.kind = kind.number;
    line.take("(");
    line.out.put_raw(&head, sizeof head);
    kind.read(line);
    if (auto const& end = line.take(")"); end.text != ")") fail_use(end, std::string(kind.info.name) + " has no such keyword");
}

}  // namespace

void read_ematch_tree(Line& line, u16 attribute) {
    Splitter splitter(line);
    splitter.split_expression();
    line.replace(line.position(), splitter.words(), splitter.tokens());

    auto const nodes = read_expression(line, 0);
    auto const end = line.position();
    std::vector<Flat> flat;
    flatten(nodes, flat);
    line.out.nest(attribute, [&] {
        line.out.put(TCA_EMATCH_TREE_HDR, tcf_ematch_tree_hdr{.nmatches = static_cast<u16>(flat.size()), .progid = TCF_EM_PROG_TC});
        line.out.nest(TCA_EMATCH_TREE_LIST, [&] {
            u16 number = 0;
            for (auto const& match : flat) line.out.nest(++number, [&] { put_match(line, match); });
        });
    });
    line.rewind(end);
}

void read_to_bracket(Line& line, Reader& reader) {
    reader.read_some(line);
    if (!line.done() && line.peek().text != ")") reader.fail_unknown(line);
}

bool is_string(Word const& word) { return word.text.starts_with('"'); }

std::string read_string(Word const& word) {
    constexpr std::string_view letters = "nrtvbfa", meanings = "\n\r\t\v\b\f\a";
    auto const text = word.text.substr(1, word.text.size() - 2);
    std::string out;
    auto const digits = [&](std::size_t at, std::size_t max, int base) {
        std::size_t count = 0;
        while (count < max && at + count < text.size() && parse_number(text.substr(at + count, 1), 15, base)) ++count;
        return text.substr(at, count);
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        ++i;
        auto const hex = text[i] == 'x' ? digits(i + 1, 2, 16) : "";
        auto const number = digits(i, text.size(), 10);
        if (auto const letter = letters.find(text[i]); letter != letters.npos) {
            out += meanings[letter];
        } else if (!hex.empty()) {
            out += static_cast<char>(*parse_number(hex, 255, 16));
            i += hex.size();
        } else if (!number.empty()) {
            auto const byte = number.size() <= 3 ? parse_number(number, 255, 8) : std::nullopt;
            if (!byte) fail_value(word, "a string", "up to three octal digits, at most 377, behind a backslash");
            out += static_cast<char>(*byte);
            i += number.size() - 1;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace nlstream::tc
