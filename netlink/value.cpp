#include "netlink/value.hpp"

#include <array>

#include "netlink/address.hpp"

namespace nlstream {
namespace {

std::string in_words(std::span<NamedValue const> words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i) out += i + 1 == words.size() ? " or " : ", ";
        auto word = words[i].word;
        if (word.ends_with('*')) word.remove_suffix(1);
        out += word;
    }
    return out;
}

void offer_words(std::span<NamedValue const> words, Nearest& nearest) {
    for (auto const& candidate : words) nearest.offer(candidate.word.ends_with('*') ? candidate.word.substr(0, candidate.word.size() - 1) : candidate.word);
}

std::string range_of(u64 min, u64 max) {
    if (max == no_limit) return "a 64-bit number";
    return std::to_string(min) + " to " + std::to_string(max);
}

/// Reads one form; the argument's word has been the source of what is put since Line::take.
struct ReadForm {
    std::string_view argument;
    Line& line;
    void* state;

    Word const& take() const { return line.take(argument); }

    void operator()(Number const& n) const { n.to.put(line, state, read_number(take(), n.min, n.max, n.base)); }
    void operator()(Signed const& n) const { n.to.put(line, state, static_cast<u64>(read_signed(take(), n.min, n.max, n.base))); }
    void operator()(Constant const& c) const { c.to.put(line, state, c.value); }
    void operator()(Flag const& f) const { line.out.put_flag(f.attribute); }
    void operator()(Choice const& c) const { c.to.put(line, state, read_choice(take(), c.words, argument, c.number_max, c.base)); }
    void operator()(Name const& n) const { n.to.put(line, state, read_name(line, take(), n.of)); }
    void operator()(Device const& d) const { d.to.put(line, state, line.take_device(argument)); }
    void operator()(ClassId const& c) const { c.to.put(line, state, read_class_id(take())); }
    void operator()(Rate const& r) const {
        auto const& word = take();
        auto const rate = read_rate(word);
        if (rate > r.max) fail_range(word, "at most " + std::to_string(r.max) + " bytes a second");
        r.store(state, rate);
    }
    void operator()(Size const& s) const { s.to.put(line, state, read_size(take(), s.max)); }
    void operator()(Time const& t) const { t.to.put(line, state, read_time_us(take())); }
    void operator()(Text const& t) const {
        auto const& word = take();
        if (word.text.size() > t.max) fail_range(word, "at most " + std::to_string(t.max) + " bytes");
        if (t.nul) line.out.put_string(t.attribute, word.text);
        else line.out.put_text(t.attribute, word.text);
    }
    void operator()(AddressOf const& a) const {
        auto const only = a.ipv4 == kept ? u8{AF_INET6} : a.ipv6 == kept ? u8{AF_INET} : u8{AF_UNSPEC};
        auto const address = read_address(take(), only);
        line.out.put(address.family == AF_INET6 ? a.ipv6 : a.ipv4, address.bytes.data(), address.length);
    }
    void operator()(Mac const& m) const { line.out.put(m.attribute, read_mac(take())); }
    void operator()(MaskedMac const& m) const {
        std::array<u8, 6> mac, mask;
        read_masked_mac(take(), mac, mask);
        line.out.put(m.attribute, mac);
        line.out.put(m.mask, mask);
    }
    void operator()(Masked const& m) const {
        auto const parts = split_mask(take());
        m.to.put(line, state, read_number(parts.value, 0, m.max));
        auto to_mask = m.to;
        to_mask.attribute = m.mask_attribute;
        to_mask.store = {};
        to_mask.put(line, state, parts.mask ? read_number(*parts.mask, 0, m.max) : m.max);
    }
    void operator()(Custom const& c) const { c.read(line, state); }
};

struct DescribeForm {
    std::string operator()(Number const& n) const { return range_of(n.min, n.max) + (n.base == 16 ? ", hexadecimal" : ""); }
    std::string operator()(Signed const& n) const { return std::to_string(n.min) + " to " + std::to_string(n.max); }
    std::string operator()(Choice const& c) const { return in_words(c.words) + (c.number_max ? ", or a number up to " + std::to_string(c.number_max) : ""); }
    std::string operator()(Masked const& m) const { return range_of(0, m.max) + ", with /MASK or without"; }
    std::string operator()(MaskedMac const&) const { return "a MAC address, with /BITS, /MASK or without"; }
    std::string operator()(Text const& t) const { return "at most " + std::to_string(t.max) + " bytes"; }
    std::string operator()(auto const&) const { return {}; }
};

}  // namespace

void Integer::put(Line& line, void* state, u64 value) const {
    store(state, value);
    if (attribute == kept) return;
    switch (width) {
        case 1: return line.out.put(attribute, static_cast<u8>(value));
        case 2: return line.out.put(attribute, big_endian ? big16(static_cast<u16>(value)) : static_cast<u16>(value));
        case 4: return line.out.put(attribute, big_endian ? big32(static_cast<u32>(value)) : static_cast<u32>(value));
        default: return line.out.put(attribute, big_endian ? big64(value) : value);
    }
}

void read_value(Value const& value, std::string_view argument, Line& line, void* state) { std::visit(ReadForm{argument, line, state}, value); }

std::string describe(Value const& value) { return std::visit(DescribeForm{}, value); }

u64 read_choice(Word const& word, std::span<NamedValue const> words, std::string_view what, u64 number_max, int base) {
    for (auto const& candidate : words) {
        auto name = candidate.word;
        bool const abbreviable = name.ends_with('*');
        if (abbreviable) name.remove_suffix(1);
        if (word.text == name || (abbreviable && abbreviates(word.text, name))) return candidate.value;
    }
    if (number_max)
        if (auto const number = parse_number(word.text, number_max, base)) return *number;
    Nearest nearest(word.text);
    offer_words(words, nearest);
    std::string help;
    if (!nearest.best().empty()) help = "did you mean \"" + std::string(nearest.best()) + "\"?";
    auto expected = in_words(words);
    if (number_max) expected += ", or a number up to " + std::to_string(number_max);
    throw Diagnostic{'"' + std::string(word.text) + "\" is not a value of " + std::string(what), word.span, "expected " + expected, std::move(help), code::value};
}

void offer_named_values(void const* first, std::size_t count, Nearest& nearest) { offer_words({static_cast<NamedValue const*>(first), count}, nearest); }

WithMask split_mask(Word const& word) {
    auto const slash = word.text.find('/');
    if (slash == word.text.npos) return {word, {}};
    auto const at = word.span.begin + static_cast<u32>(slash);
    return {{word.text.substr(0, slash), {word.span.begin, at}}, Word{word.text.substr(slash + 1), {at + 1, word.span.end}}};
}

void read_masked_mac(Word const& word, std::array<u8, 6>& mac, std::array<u8, 6>& mask) {
    auto const parts = split_mask(word);
    mac = read_mac(parts.value);
    mask.fill(0xff);
    if (!parts.mask) return;
    auto const bits = parse_number(parts.mask->text, 48, 10);
    if (!bits) {
        mask = read_mac(*parts.mask);
        return;
    }
    mask.fill(0);
    for (std::size_t i = 0; i < *bits; ++i) mask[i / 8] = static_cast<u8>(mask[i / 8] | 0x80 >> i % 8);
}

}  // namespace nlstream
