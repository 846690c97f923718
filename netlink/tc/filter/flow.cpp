// tc filter ... flow: the class computed from fields of the packet, by arithmetic or by a hash.
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>

#include <bit>
#include <cstring>

#include "netlink/address.hpp"
#include "netlink/parts.hpp"
#include "netlink/tc/action/police.hpp"
#include "netlink/tc/action_list.hpp"
#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Flow {
    u32 mode = FLOW_MODE_MAP;
    u32 keys = 0;  // 1 << FLOW_KEY_*
    u32 key_count = 0;
    Word key_word;
    u32 mask = ~0u;
    u32 toggle = 0;
};

// linux/pkt_cls.h, FLOW_KEY_*
constexpr NamedValue key_names[] = {
    {"src*", FLOW_KEY_SRC}, {"dst*", FLOW_KEY_DST}, {"proto*", FLOW_KEY_PROTO}, {"proto-src*", FLOW_KEY_PROTO_SRC}, {"proto-dst*", FLOW_KEY_PROTO_DST},
    {"iif*", FLOW_KEY_IIF}, {"priority*", FLOW_KEY_PRIORITY}, {"mark*", FLOW_KEY_MARK}, {"nfct*", FLOW_KEY_NFCT}, {"nfct-src*", FLOW_KEY_NFCT_SRC},
    {"nfct-dst*", FLOW_KEY_NFCT_DST}, {"nfct-proto-src*", FLOW_KEY_NFCT_PROTO_SRC}, {"nfct-proto-dst*", FLOW_KEY_NFCT_PROTO_DST},
    {"rt-classid*", FLOW_KEY_RTCLASSID}, {"sk-uid*", FLOW_KEY_SKUID}, {"sk-gid*", FLOW_KEY_SKGID}, {"vlan-tag*", FLOW_KEY_VLAN_TAG}, {"rxhash*", FLOW_KEY_RXHASH},
};
constexpr u32 address_keys = 1u << FLOW_KEY_SRC | 1u << FLOW_KEY_DST | 1u << FLOW_KEY_NFCT_SRC | 1u << FLOW_KEY_NFCT_DST;

void read_keys(Line& line, Flow& f) {
    auto const& word = line.take("KEYS");
    f.key_word = word;
    f.keys = f.key_count = 0;
    for (Parts parts(word, ','); parts.more(); ++f.key_count) f.keys |= 1u << read_choice(parts.next(), key_names, "keys");
    line.out.put(TCA_FLOW_KEYS, f.keys);
}

/// The operations so far, followed by (key & mask) ^ toggle.
void add_operation(Flow& f, u32 mask, u32 toggle) {
    f.toggle = toggle ^ (f.toggle & mask);
    f.mask &= mask;
}
void read_and(Line& line, Flow& f) { add_operation(f, static_cast<u32>(read_number(line.take("N"))), 0); }
void read_or(Line& line, Flow& f) {
    auto const bits = static_cast<u32>(read_number(line.take("N")));
    add_operation(f, ~bits, bits);
}
void read_xor(Line& line, Flow& f) { add_operation(f, ~0u, static_cast<u32>(read_number(line.take("N")))); }

/// A number, or an address if the key is one, with a minus before it to subtract.
void read_addend(Line& line, Flow& f) {
    auto word = line.take("N");
    bool const subtract = word.text.starts_with('-');
    if (subtract) {
        word.text.remove_prefix(1);
        ++word.span.begin;
    }
    auto number = parse_number(word.text);
    if (!number && f.keys & address_keys) {
        auto const address = parse_address(word.text, AF_UNSPEC);
        if (address && address->length >= 4) {
            // The last four bytes: all of an IPv4 address.
            u32 tail;
            std::memcpy(&tail, &address->bytes[address->length - 4u], sizeof tail);
            number = big32(tail);
        }
    }
    if (!number) fail_value(word, "a number", f.keys & address_keys ? "a number or an address" : "a number; an address only behind keys with an address");
    auto const value = static_cast<u32>(*number);
    line.out.put(TCA_FLOW_ADDEND, subtract ? 0 - value : value);
}
void read_base_class(Line& line, Flow&) {
    auto const& word = line.take("CLASSID");
    auto const id = read_class_id(word);
    if (TC_H_MIN(id) == 0) fail_value(word, "a class", "a class whose minor number is not 0");
    line.out.put(TCA_FLOW_BASECLASS, id);
}
void read_policer(Line& line, Flow&) { read_police(line, TCA_FLOW_POLICE); }
void read_actions(Line& line, Flow&) { read_action_list(line, TCA_FLOW_ACT); }
void read_match(Line& line, Flow&) { read_ematch_tree(line, TCA_FLOW_EMATCHES); }

constexpr Row rows[] = {
    {"map*",       "",        set(keep<&Flow::mode>, FLOW_MODE_MAP),  "Compute the class from one key (default)."},
    {"hash*",      "",        set(keep<&Flow::mode>, FLOW_MODE_HASH), "Choose the class by a hash of the keys."},
    {"keys*",      "KEYS",    custom<read_keys>,       "What of the packet, between commas: src, dst, proto, proto-src, proto-dst, iif, priority, mark, nfct, "
                                                       "nfct-src, nfct-dst, nfct-proto-src, nfct-proto-dst, rt-classid, sk-uid, sk-gid, vlan-tag, rxhash."},
    {"and*",       "N",       custom<read_and>,        "Then keep only the bits of N."},
    {"or*",        "N",       custom<read_or>,         "Then set the bits of N."},
    {"xor*",       "N",       custom<read_xor>,        "Then invert the bits of N."},
    {"rshift*",    "BITS",    U32(TCA_FLOW_RSHIFT),    "Then shift right."},
    {"addend*",    "N",       custom<read_addend>,     "Then add N, which may be negative, or an address if the key is one."},
    {"divisor*",   "N",       U32(TCA_FLOW_DIVISOR),   "Take the remainder of a division by N: there are N classes."},
    {"baseclass*", "CLASSID", custom<read_base_class>, "The first of the classes."},
    {"perturb*",   "SECONDS", U32(TCA_FLOW_PERTURB),   "Change the hash so often; 0: never."},
    {"police*",    "...",     custom<read_policer>,    "Limit the rate of the packets, as with action police."},
    {"action*",    "...",     custom<read_actions>,    "What is done with the packets."},
    {"match*",     "EXPR",    custom<read_match>,      "Only packets that EXPR matches, an expression as in basic."},
};
constexpr auto table = keywords<Flow>(rows);

void read(Line& line, FilterHead const& head) {
    if (head.handle) header(line).tcm_handle = static_cast<u32>(read_number(*head.handle));
    line.out.nest(TCA_OPTIONS, [&] {
        Flow f;
        Reader(table, f).read_all(line);
        if (f.key_count > 1 && f.mode != FLOW_MODE_HASH) fail_use(f.key_word, "several keys need hash; map takes one");
        line.out.put(TCA_FLOW_MODE, f.mode);
        if (f.mask == ~0u && f.toggle == 0) return;
        line.out.put(TCA_FLOW_MASK, f.mask);
        line.out.put(TCA_FLOW_XOR, f.toggle);
    });
}

}  // namespace

extern constinit FilterKind const flow_filter = {{"filter", "flow", "Computes the class from fields of the packet, or by a hash of them.", {{{"", table}}}}, read};

}  // namespace nlstream::tc
