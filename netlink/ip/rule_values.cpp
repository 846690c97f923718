#include "netlink/ip/rule_values.hpp"

#include "netlink/parts.hpp"
#include "netlink/quantity.hpp"
#include "netlink/value.hpp"

namespace nlstream::ip {
namespace {

u16 read_port(Word const& word) { return static_cast<u16>(read_number(word, 0, 0xffff)); }

}  // namespace

fib_rule_uid_range read_uid_range(Line& line) {
    auto const& word = line.take("FIRST-LAST");
    Parts parts(word, '-');
    auto const id = [&] { return static_cast<u32>(read_number(parts.next(), 0, 0xffffffff, 10)); };
    auto const first = id();
    if (!parts.more()) fail_value(word, "a range", "FIRST-LAST");
    fib_rule_uid_range const range{.start = first, .end = id()};
    parts.finish("FIRST-LAST");
    return range;
}

Ports read_ports(Line& line) {
    auto const& word = line.take("PORT, FIRST-LAST or PORT/MASK");
    if (word.text.find('-') != word.text.npos) {
        Parts parts(word, '-');
        auto const first = read_port(parts.next());
        Ports const ports{{.start = first, .end = read_port(parts.next())}};
        parts.finish("FIRST-LAST");
        return ports;
    }
    auto const parts = split_mask(word);
    auto const mask = parts.mask ? read_port(*parts.mask) : u16{0xffff};
    auto const port = read_port(parts.value);
    return {{.start = port, .end = port}, mask};
}

Dscp read_dscp(Line& line) {
    auto const parts = split_mask(line.take("DSCP[/MASK]"));
    auto const number = parse_number(parts.value.text);
    // A name is the whole byte's, of which DSCP are the upper six bits.
    auto const dscp = number ? static_cast<u8>(read_number(parts.value, 0, 0xff)) : static_cast<u8>(read_name(line, parts.value, Names::Of::dsfield) >> 2);
    return {dscp, parts.mask ? static_cast<u8>(read_number(*parts.mask, 0, 0xff)) : Dscp::all};
}

FlowLabel read_flow_label(Line& line) {
    auto const parts = split_mask(line.take("LABEL[/MASK]"));
    FlowLabel label{.value = static_cast<u32>(read_number(parts.value))};
    if (parts.mask) label.mask = static_cast<u32>(read_number(*parts.mask));
    return label;
}

}  // namespace nlstream::ip
