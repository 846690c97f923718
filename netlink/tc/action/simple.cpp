// tc ... action simple: logs a text for every packet; for tests.
#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_defact.h>

#include <algorithm>
#include <array>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

constexpr std::size_t data_size = 32;  // net/sched/act_simple.c, SIMP_MAX_DATA

struct Simple {
    Word const* text = nullptr;
};

void read_sdata(Line& line, Simple& s) {
    s.text = &line.take("TEXT");
    if (s.text->text.size() >= data_size) fail_range(*s.text, "at most 31 bytes");
}

constexpr Row rows[] = {
    {"sdata*", "TEXT", custom<read_sdata>, "The text, at most 31 bytes."},
};
constexpr auto table = keywords<Simple>(rows);

/// iproute2 sends as many bytes as the kernel's buffer has, from where the text stands in its line: the line's newline too, with a NUL
/// behind each word and in the place of a comment's #. The kernel stops at the first NUL; what follows is kept so that messages
/// stay the same byte for byte.
std::array<char, data_size> data_of(Line const& line, Word const& text) {
    std::array<char, data_size> data{};
    auto const rest = line.text().substr(static_cast<std::size_t>(text.text.data() - line.text().data()));
    std::copy_n(rest.data(), std::min(rest.size(), data_size), data.begin());
    auto const put = [&](char c, char const* at) {
        auto const offset = at - rest.data();
        if (offset >= 0 && static_cast<std::size_t>(offset) < data_size) data[static_cast<std::size_t>(offset)] = c;
    };
    put('\n', rest.data() + rest.size());
    if (auto const comment = line.text().find('#', line.all().back().span.end); comment != std::string_view::npos) put('\0', line.text().data() + comment);
    for (auto const& word : line.all()) put('\0', word.text.data() + word.text.size());
    return data;
}

void read(Line& line) {
    Simple s;
    Reader reader(table, s);
    do skip_name(line, "simple", "sdata TEXT");
    while (reader.read_one(line));
    tc_defact parms = tc_defact();
    bool const indexed = read_action_end(line, parms, TC_ACT_PIPE);
    if (!s.text && !indexed) fail_missing(line, "sdata TEXT");
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] {
        line.out.put(TCA_DEF_PARMS, parms);
        line.source_keyword("sdata");
        if (s.text) line.out.put(TCA_DEF_DATA, data_of(line, *s.text));
    });
}

}  // namespace

extern constinit ActionKind const simple_action = {{"action", "simple", "Logs a text for every packet; for tests.", {{{"", table}, {"end", action_end_table}}}}, read};

}  // namespace nlstream::tc
