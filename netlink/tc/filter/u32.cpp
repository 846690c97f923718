// tc filter ... u32: packets by masked words at any offset, in trees of hash tables.
#include <bit>

#include "netlink/tc/action/police.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/filter/u32_selector.hpp"
#include "netlink/tc/kinds.hpp"
#include "netlink/tc/put_given.hpp"

namespace nlstream::tc {
namespace {

struct U32Filter {
    Selector selector;
    bool matches = false;
    bool has_handle = false;
    bool sampled = false;
    u32 table = 0;  // hash table and bucket, 0: not given
    u32 order = 0;
    u32 flags = 0;
};

/// "TABLE:[BUCKET][:NODE]" in hexadecimal, or the whole number as 0x...
u32 read_handle(Word const& word) {
    constexpr std::string_view expected = "TABLE:[BUCKET][:NODE] in hexadecimal, up to fff:ff:fff, or 0x...";
    auto const colon = word.text.find(':');
    if (colon == word.text.npos) {
        if (!word.text.starts_with("0x")) fail_value(word, "the handle of a u32 filter", expected);
        return static_cast<u32>(read_number(word, 0, ~0u, 16));
    }
    auto const second = std::min(word.text.find(':', colon + 1), word.text.size());
    auto const part = [&](std::string_view digits, u64 max) {
        auto const number = digits.empty() ? 0 : parse_number(digits, max, 16);
        if (!number) fail_value(word, "the handle of a u32 filter", expected);
        return static_cast<u32>(*number);
    };
    auto const table = part(word.text.substr(0, colon), 0xfff);
    auto const bucket = part(word.text.substr(colon + 1, second - colon - 1), 0xff);
    auto const node = second == word.text.size() ? 0 : part(word.text.substr(second + 1), 0xfff);
    return table << 20 | bucket << 12 | node;
}

void read_match(Line& line, U32Filter& f) {
    read_u32_match(line, f.selector);
    f.matches = true;
}

void read_plus(Line& line, Selector& s) {
    s.off = static_cast<u16>(read_signed(line.take("BYTES"), -0x8000, 0xffff));
    s.flags |= TC_U32_OFFSET;
}
void read_length_place(Line& line, Selector& s) {
    auto const& word = line.take("OFFSET");
    s.offoff = static_cast<short>(read_signed(word, -0x8000, 0x7fff));
    if (s.offoff % 2) fail_value(word, "even", "a multiple of 2");
    s.flags |= TC_U32_VAROFFSET;
}
void read_length_mask(Line& line, Selector& s) {
    s.offmask = big16(static_cast<u16>(read_number(line.take("MASK"), 0, 0xffff, 16)));
    s.flags |= TC_U32_VAROFFSET;
}
void read_shift(Line& line, Selector& s) {
    s.offshift = static_cast<u8>(read_number(line.take("BITS"), 0, 0xff));
    s.flags |= TC_U32_VAROFFSET;
}
void read_eat(Line&, Selector& s) { s.flags |= TC_U32_EAT; }

constexpr Row offset_rows[] = {
    {"plus*",  "BYTES",  custom<read_plus>,         "The next header is BYTES further."},
    {"at*",    "OFFSET", custom<read_length_place>, "Add a length that the packet says at OFFSET, a multiple of 2."},
    {"mask*",  "MASK",   custom<read_length_mask>,  "Of the two bytes there these bits, in hexadecimal."},
    {"shift*", "BITS",   custom<read_shift>,        "Shifted right by BITS."},
    {"eat*",   "",       custom<read_eat>,          "Offsets of the linked filters count from there."},
};
constexpr auto offset_table = keywords<Selector>(offset_rows);

void read_hash_mask(Line& line, Selector& s) { s.hmask = big32(static_cast<u32>(read_number(line.take("MASK"), 0, ~0u, 16))); }
void read_hash_place(Line& line, Selector& s) {
    auto const& word = line.take("OFFSET");
    s.hoff = static_cast<short>(read_signed(word, -0x8000, 0x7fff));
    if (s.hoff % 4) fail_value(word, "the place of a word", "a multiple of 4");
}
constexpr Row hashkey_rows[] = {
    {"mask*", "MASK",   custom<read_hash_mask>,  "These bits of the word choose the bucket of the linked table, in hexadecimal."},
    {"at*",   "OFFSET", custom<read_hash_place>, "Where the word is, a multiple of 4."},
};
constexpr auto hashkey_table = keywords<Selector>(hashkey_rows);

void read_offset(Line& line, U32Filter& f) {
    if (line.done()) line.take("plus, at, mask, shift or eat");
    Reader(offset_table, f.selector).read_some(line);
}
void read_hashkey(Line& line, U32Filter& f) {
    if (line.done()) line.take("mask or at");
    Reader(hashkey_table, f.selector).read_some(line);
}
void read_class(Line& line, U32Filter& f) {
    line.out.put(TCA_U32_CLASSID, read_class_id(line.take("CLASSID")));
    f.selector.flags |= TC_U32_TERMINAL;
}
u32 read_buckets(Line& line) {
    auto const& word = line.take("BUCKETS");
    auto const buckets = static_cast<u32>(read_number(word, 1, 256));
    if (!std::has_single_bit(buckets)) fail_value(word, "a power of two", "1, 2, 4, ... 256");
    return buckets;
}
void read_divisor(Line& line, U32Filter&) { line.out.put(TCA_U32_DIVISOR, read_buckets(line)); }
void read_link(Line& line, U32Filter&) {
    auto const& word = line.take("TABLE");
    auto const handle = read_handle(word);
    if (TC_U32_NODE(handle)) fail_use(word, "it is a filter, and a link leads to a hash table");
    line.out.put(TCA_U32_LINK, handle);
}
void read_table(Line& line, U32Filter& f) {
    auto const& word = line.take("TABLE");
    auto const handle = read_handle(word);
    if (f.has_handle && TC_U32_NODE(handle)) fail_use(word, "it is a filter, and ht names a hash table");
    f.table = f.sampled ? (f.table & 0xff000) | TC_U32_HTID(handle) : handle & 0xfffff000;
}
void read_sample(Line& line, U32Filter& f) {
    auto const& word = line.peek();
    Selector sample;
    read_u32_match(line, sample);
    if (sample.nkeys != 1) fail_use(word, "a sample is one word of the packet");
    auto const buckets = line.take_if("divisor") ? read_buckets(line) : 256;
    // The kernel's way from the key to the bucket (net/sched/cls_u32.c, u32_hash_fold()).
    auto const& key = sample.keys[0];
    auto const mask = big32(key.mask);
    auto const hash = big32(key.val) >> (mask ? std::countr_zero(mask) : 0);
    f.table = hash % buckets << 12 | TC_U32_HTID(f.table);
    f.sampled = true;
}
void read_actions(Line& line, U32Filter& f) {
    read_action_list(line, TCA_U32_ACT);
    f.selector.flags |= TC_U32_TERMINAL;
}
void read_policer(Line& line, U32Filter& f) {
    read_police(line, TCA_U32_POLICE);
    f.selector.flags |= TC_U32_TERMINAL;
}

constexpr Row rows[] = {
    {"match*",   "WHAT ...",      custom<read_match>,     "Match part of the packet; several must all match."},
    {"offset*",  "...",           custom<read_offset>,    "Where the next header is, for the filters in the linked table."},
    {"hashkey*", "mask MASK at OFFSET", custom<read_hashkey>, "What chooses the bucket of the linked table."},
    {"classid*|flowid", "CLASSID", custom<read_class>,    "The class that packets go to."},
    {"divisor*", "BUCKETS",       custom<read_divisor>,   "Make a hash table of so many buckets instead of a filter, a power of two up to 256."},
    {"order*",   "N",             U32(keep<&U32Filter::order>).in(0, 0xfff), "Its place in the bucket, instead of NODE of the handle."},
    {"link",     "TABLE",         custom<read_link>,      "Go on in this hash table."},
    {"ht",       "TABLE",         custom<read_table>,     "The hash table and bucket that the filter is in."},
    {"sample",   "WHAT ... [divisor BUCKETS]", custom<read_sample>, "Be in the bucket that this value hashes to."},
    {"indev",    "DEVICE",        Text{TCA_U32_INDEV, 15},    "The packet came in by DEVICE."},
    {"action*",  "...",           custom<read_actions>,   "What is done with the packets."},
    {"police*",  "...",           custom<read_policer>,   "Limit the rate of the packets, as with action police."},
    {"skip_hw",  "",              set(add_bits<&U32Filter::flags>, TCA_CLS_FLAGS_SKIP_HW), "Do not offload."},
    {"skip_sw",  "",              set(add_bits<&U32Filter::flags>, TCA_CLS_FLAGS_SKIP_SW), "Offload only."},
};
constexpr auto table = keywords<U32Filter>(rows);

void read(Line& line, FilterHead const& head) {
    auto handle = head.handle ? read_handle(*head.handle) : 0;
    header(line).tcm_handle = handle;
    if (line.done()) return;
    line.out.nest(TCA_OPTIONS, [&] {
        U32Filter f;
        f.has_handle = head.handle;
        Reader(table, f).read_all(line);
        if (f.order) {
            if (TC_U32_NODE(handle) && f.order != TC_U32_NODE(handle)) fail_use(*head.handle, "order says another place in the bucket");
            header(line).tcm_handle |= f.order;
        }
        put_given(line, "ht", TCA_U32_HASH, f.table);
        line.source_keyword("match");
        if (f.matches) put_selector(line, f.selector);
        if (f.flags == (TCA_CLS_FLAGS_SKIP_HW | TCA_CLS_FLAGS_SKIP_SW)) fail_use(line.last(), "skip_hw and skip_sw exclude each other");
        put_given(line, "skip_", TCA_U32_FLAGS, f.flags);
    });
}

}  // namespace

extern constinit FilterKind const u32_filter = {
    {"filter", "u32", "Matches masked words at any offset, in trees of hash tables.",
     {{{"", table}, {"match", u32_match_table}, {"match ip", u32_ip_table}, {"match ip6", u32_ip6_table}, {"match tcp, udp", u32_port_table},
       {"match icmp", u32_icmp_table}, {"match ether", u32_ether_table}, {"offset", offset_table}, {"hashkey", hashkey_table}}}},
    read};

}  // namespace nlstream::tc
