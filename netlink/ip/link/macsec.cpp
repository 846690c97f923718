// ip link ... type macsec: encrypted Ethernet, IEEE 802.1AE.
#include <linux/if_macsec.h>

#include "netlink/ip/link/common.hpp"
#include "netlink/ip/link/kinds.hpp"

namespace nlstream::ip {
namespace {

/// The secure channel that comes before the options, in network order.
struct Channel {
    u64 sci = 0;
    u16 port = 0;
    std::array<u8, 6> address{};
    bool has_sci = false, has_port = false, has_address = false;
};

std::string_view after_sci(Channel const& c) { return c.has_port ? "sci and port exclude each other" : c.has_address ? "\"port PORT\" has to follow the address" : ""; }

void read_sci(Line& line, Channel& c) {
    c.sci = big64(read_number(line.take("SCI"), 0, no_limit, 16));
    c.has_sci = true;
}
void read_port(Line& line, Channel& c) {
    c.port = big16(static_cast<u16>(read_number(line.take("PORT"), 1, 0xffff)));
    c.has_port = true;
}
void read_channel_address(Line& line, Channel& c) {
    c.address = read_mac(line.take("MAC"));
    c.has_address = true;
}

constexpr Row channel_rows[] = {
    {"sci",     "SCI",  custom<read_sci>,             "The secure channel's number, 64 bits, hexadecimal; first of all options.", unless<after_sci>},
    {"port",    "PORT", custom<read_port>,            "The secure channel's port (default 1); before the options, and after address."},
    {"address", "MAC",  custom<read_channel_address>, "The secure channel's address, instead of the link's own; before port."},
};
constexpr auto channel_table = keywords<Channel>(channel_rows);

void put_channel(Line& line) {
    Channel c;
    Reader reader(channel_table, c);
    while (!c.has_sci && !c.has_port && reader.read_one(line)) {}
    if (!c.has_sci && !c.has_port && !c.has_address) return;
    if (c.has_address && !c.has_port) fail_missing(line, "port PORT, which an address needs,");
    if (c.has_address) {
        std::memcpy(&c.sci, c.address.data(), c.address.size());
        std::memcpy(reinterpret_cast<std::byte*>(&c.sci) + c.address.size(), &c.port, sizeof c.port);
    }
    if (c.sci) line.out.put(IFLA_MACSEC_SCI, c.sci);
    else line.out.put(IFLA_MACSEC_PORT, c.port);
}

struct Macsec {
    u64 cipher = 0;
    u8 icv_length = 0;
    u8 encoding_association = 0xff;
    u32 window = ~0u;
    u8 replay_protection = 0xff;  // 0xff: not said
    bool sends_sci = false, end_station = false, single_copy = false;
};

// linux/if_macsec.h, MACSEC_CIPHER_ID_*
constexpr NamedValue ciphers[] = {{"default", MACSEC_DEFAULT_CIPHER_ID}, {"gcm-aes-128", MACSEC_CIPHER_ID_GCM_AES_128}, {"GCM-AES-128", MACSEC_CIPHER_ID_GCM_AES_128},
    {"gcm-aes-256", MACSEC_CIPHER_ID_GCM_AES_256}, {"GCM-AES-256", MACSEC_CIPHER_ID_GCM_AES_256}, {"gcm-aes-xpn-128", MACSEC_CIPHER_ID_GCM_AES_XPN_128},
    {"GCM-AES-XPN-128", MACSEC_CIPHER_ID_GCM_AES_XPN_128}, {"gcm-aes-xpn-256", MACSEC_CIPHER_ID_GCM_AES_XPN_256}, {"GCM-AES-XPN-256", MACSEC_CIPHER_ID_GCM_AES_XPN_256}};
constexpr NamedValue validations[] = {{"disabled*", MACSEC_VALIDATE_DISABLED}, {"check*", MACSEC_VALIDATE_CHECK}, {"strict*", MACSEC_VALIDATE_STRICT}};
constexpr NamedValue offloads[] = {{"off*", MACSEC_OFFLOAD_OFF}, {"phy*", MACSEC_OFFLOAD_PHY}, {"mac*", MACSEC_OFFLOAD_MAC}};

constexpr Choice kept_and_put(u16 attribute, Store store) { return one_of(off_on, {attribute, 1, false, store}); }

constexpr Row rows[] = {
    {"cipher",      "CIPHER", one_of(ciphers, {kept, 8, false, keep<&Macsec::cipher>}),              "gcm-aes-128 (default), gcm-aes-256, gcm-aes-xpn-128 or gcm-aes-xpn-256.", {}, true},
    {"icvlen",      "BYTES",  U8(keep<&Macsec::icv_length>).in(MACSEC_MIN_ICV_LEN, MACSEC_STD_ICV_LEN).dec(), "Length of the integrity check value, 8 to 16 (default 16).", {}, true},
    {"encrypt",     "on|off", OnOff(IFLA_MACSEC_ENCRYPT),                                            "Encrypt packets, not only protect them."},
    {"send_sci",    "on|off", kept_and_put(IFLA_MACSEC_INC_SCI, keep<&Macsec::sends_sci>),           "Packets carry the secure channel's number (default on)."},
    {"end_station", "on|off", kept_and_put(IFLA_MACSEC_ES, keep<&Macsec::end_station>),              "Packets say that this is an end station."},
    {"scb",         "on|off", kept_and_put(IFLA_MACSEC_SCB, keep<&Macsec::single_copy>),             "Packets say single copy broadcast."},
    {"protect",     "on|off", OnOff(IFLA_MACSEC_PROTECT),                                            "Protect packets (default on)."},
    {"replay",      "on|off", one_of(off_on, {kept, 1, false, keep<&Macsec::replay_protection>}),    "Drop packets that come late; on needs window."},
    {"window",      "COUNT",  U32(keep<&Macsec::window>),                                            "How late packets may come; needs replay on."},
    {"validate",    "MODE",   one_of(validations, {IFLA_MACSEC_VALIDATION, 1}),                      "What becomes of packets that are not valid: disabled, check or strict (default)."},
    {"encodingsa",  "0..3",   U8(keep<&Macsec::encoding_association>).in(0, 3),                      "The secure association that packets are sent with.", {}, true},
    {"offload",     "WHERE",  one_of(offloads, {IFLA_MACSEC_OFFLOAD, 1}),                            "Who encrypts: off (the kernel), phy or mac."},
};
constexpr auto table = keywords<Macsec>(rows);

void read(Line& line) {
    put_channel(line);
    Macsec m;
    Reader(table, m).read_all(line);
    bool const flags_fit = !(m.sends_sci && (m.end_station || m.single_copy)) && !(m.end_station && m.single_copy);
    if (!flags_fit) fail_use(line.last(), "send_sci, end_station and scb exclude each other");
    if (m.window != ~0u && m.replay_protection == 0xff) fail_missing(line, "replay on, which a window needs,");
    if (m.window == ~0u && m.replay_protection == 1) fail_missing(line, "window COUNT, which replay protection needs,");

    line.source_keyword("cipher");
    if (m.cipher) line.out.put(IFLA_MACSEC_CIPHER_SUITE, m.cipher);
    line.source_keyword("icvlen");
    if (m.icv_length) line.out.put(IFLA_MACSEC_ICV_LEN, m.icv_length);
    line.source_keyword("window");
    if (m.replay_protection == 1) line.out.put(IFLA_MACSEC_WINDOW, m.window);
    line.source_keyword("replay");
    if (m.replay_protection != 0xff) line.out.put(IFLA_MACSEC_REPLAY_PROTECT, m.replay_protection);
    line.source_keyword("encodingsa");
    if (m.encoding_association != 0xff) line.out.put(IFLA_MACSEC_ENCODING_SA, m.encoding_association);
}

}  // namespace

extern constinit LinkKind const macsec_link = {{"link", "macsec", "Encrypted Ethernet (IEEE 802.1AE); keys are set with ip macsec.", {{{"channel", channel_table}, {"", table}}}}, read};

}  // namespace nlstream::ip
