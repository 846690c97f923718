#include <arpa/inet.h>

#include <cstring>

#include "netlink/address.hpp"
#include "netlink/tc/action/pedit.hpp"

namespace nlstream::tc::pedit {
namespace {

struct Change {
    Field const& field;
    bool extended;
    u32 value = 0;                     // of a number or an IPv4 address
    u32 mask = 0;                      // the bits that stay
    u32 retain = field.retain;         // the bits that may change
    std::array<u8, 16> bytes{};        // of a MAC or an IPv6 address
    pedit_cmd command = TCA_PEDIT_KEY_EX_CMD_SET;
};

u32 host32(u8 const* bytes) {
    u32 value;
    std::memcpy(&value, bytes, sizeof value);
    return ntohl(value);
}

bool is_bytes(Field const& field) { return field.width > 4; }

u32 all_ones(Field const& field) { return field.width >= 4 ? ~0u : (1u << 8 * field.width) - 1; }

void read_invert(Line&, Change& c) {
    c.value = c.mask = all_ones(c.field);
    // iproute2 does not invert these: it sets the address to ff followed by zeros.
    if (is_bytes(c.field)) c.bytes[0] = 0xff;
}

void read_set(Line& line, Change& c) {
    auto const& word = line.take("VALUE");
    switch (c.field.form) {
        case Form::number: c.value = static_cast<u32>(read_number(word, 0, all_ones(c.field))); break;
        // A prefix length may stand behind an address; it means nothing.
        case Form::ipv4: c.value = host32(read_prefix(word, AF_INET).bytes.data()); break;
        case Form::ipv6: std::memcpy(c.bytes.data(), read_prefix(word, AF_INET6).bytes.data(), c.bytes.size()); break;
        case Form::mac: std::memcpy(c.bytes.data(), read_mac(word).data(), 6); break;
    }
}

void need_extended(Line const& line, Change const& c) {
    if (!c.extended) fail_use(line.last(), "it needs \"pedit ex\"");
}

void read_add(Line& line, Change& c) {
    need_extended(line, c);
    c.command = TCA_PEDIT_KEY_EX_CMD_ADD;
    read_set(line, c);
}

void read_decrement(Line& line, Change& c) {
    if (!c.field.may_decrement) fail_use(line.last(), "only ttl and hoplimit can be decremented");
    need_extended(line, c);
    c.command = TCA_PEDIT_KEY_EX_CMD_ADD;
    c.value = c.field.retain;  // all ones: one less, by overflow
}

void read_preserve(Line&, Change& c) { c.retain = 0; }
void read_clear(Line&, Change&) {}

constexpr Row rows[] = {
    {"invert*",    "",      custom<read_invert>,    "Invert every bit."},
    {"set*",       "VALUE", custom<read_set>,       "Set to VALUE."},
    {"add*",       "VALUE", custom<read_add>,       "Add VALUE; with ex."},
    {"decrement*", "",      custom<read_decrement>, "Take one away, from ttl and hoplimit; with ex."},
    {"preserve*",  "",      custom<read_preserve>,  "Change nothing."},
    {"clear*",     "",      custom<read_clear>,     "Set to zero."},
};
constexpr auto table = keywords<Change>(rows);

constexpr Row retain_rows[] = {
    {"retain*", "MASK", U32(keep<&Change::retain>), "Only the bits in MASK may change."},
};
constexpr auto retain_table = keywords<Change>(retain_rows);

/// Appends keys made of numbers of 8, 16 or 32 bits, in host byte order.
struct Appender {
    Line& line;
    Pedit& pedit;
    Change const& change;
    tc_pedit_key const& base;

    /// REQUIRES: the number does not reach over a boundary of 4 bytes.
    void operator()(u32 offset, u32 width, u32 value, u32 mask, u32 retain) const {
        if (pedit.count == max_keys) fail_use(line.last(), "an action holds at most " + std::to_string(max_keys) + " keys of 4 bytes");
        u32 const up = 8 * (4 - width - (offset & 3)) + change.field.shift;
        u32 const others = ~((width == 4 ? ~0u : (1u << 8 * width) - 1) << up);
        auto& key = pedit.keys[pedit.count++];
        key.parms = base;
        key.parms.val = htonl((value & retain) << up);
        key.parms.mask = htonl((mask | ~retain) << up | others);
        key.parms.off = offset & ~3u;
        key.header = pedit.extended ? change.field.header : TCA_PEDIT_KEY_EX_HDR_TYPE_NETWORK;
        key.command = change.command;
    }
};

}  // namespace

Table changes() { return table; }

void read_change(Line& line, Pedit& pedit, Field const& field, tc_pedit_key const& base) {
    Change c{.field = field, .extended = pedit.extended};
    Reader reader(table, c);
    if (line.done()) fail_missing(line, "what to do: set VALUE, add VALUE, decrement, invert, clear or preserve");
    if (!reader.read_one(line)) reader.fail_unknown(line);
    Reader(retain_table, c).read_one(line);
    if (is_bytes(field) && c.retain != ~0u) fail_use(line.last(), "an address can only be changed as a whole");

    Appender const append{line, pedit, c, base};
    auto const append16 = [&](u32 at, std::size_t i) { append(field.offset + at, 2, static_cast<u32>(c.bytes[i] << 8 | c.bytes[i + 1]), 0, ~0u); };
    auto const append32 = [&](u32 at, std::size_t i) { append(field.offset + at, 4, host32(&c.bytes[i]), 0, ~0u); };
    switch (field.form) {
        case Form::number:
        case Form::ipv4:
            append(field.offset, field.width, c.value, c.mask, c.retain);
            break;
        case Form::mac:
            if (field.offset % 4 == 0) {
                append32(0, 0);
                append16(4, 4);
            } else {
                append16(0, 0);
                append32(2, 2);
            }
            break;
        case Form::ipv6:
            for (u32 i = 0; i < 16; i += 4) append32(i, i);
            break;
    }
}

}  // namespace nlstream::tc::pedit
