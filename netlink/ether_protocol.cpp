#include "netlink/ether_protocol.hpp"

#include <linux/if_ether.h>

#include "netlink/quantity.hpp"

namespace nlstream {
namespace {

struct Entry {
    std::string_view name;
    u16 protocol;
};

// linux/if_ether.h; the first name of a protocol is the one to show.
constexpr Entry entries[] = {
    {"ip", ETH_P_IP}, {"ipv4", ETH_P_IP}, {"ipv6", ETH_P_IPV6}, {"all", ETH_P_ALL}, {"arp", ETH_P_ARP}, {"802.1Q", ETH_P_8021Q}, {"802.1ad", ETH_P_8021AD},
    {"mpls_uc", ETH_P_MPLS_UC}, {"mpls_mc", ETH_P_MPLS_MC}, {"loop", ETH_P_LOOP}, {"pup", ETH_P_PUP}, {"pupat", ETH_P_PUPAT}, {"x25", ETH_P_X25},
    {"bpq", ETH_P_BPQ}, {"ieeepup", ETH_P_IEEEPUP}, {"ieeepupat", ETH_P_IEEEPUPAT}, {"dec", ETH_P_DEC}, {"dna_dl", ETH_P_DNA_DL},
    {"dna_rc", ETH_P_DNA_RC}, {"dna_rt", ETH_P_DNA_RT}, {"lat", ETH_P_LAT}, {"diag", ETH_P_DIAG}, {"cust", ETH_P_CUST}, {"sca", ETH_P_SCA},
    {"rarp", ETH_P_RARP}, {"atalk", ETH_P_ATALK}, {"aarp", ETH_P_AARP}, {"ipx", ETH_P_IPX}, {"ppp_disc", ETH_P_PPP_DISC}, {"ppp_ses", ETH_P_PPP_SES},
    {"atmmpoa", ETH_P_ATMMPOA}, {"atmfate", ETH_P_ATMFATE}, {"802_3", ETH_P_802_3}, {"ax25", ETH_P_AX25}, {"802_2", ETH_P_802_2}, {"snap", ETH_P_SNAP},
    {"ddcmp", ETH_P_DDCMP}, {"wan_ppp", ETH_P_WAN_PPP}, {"ppp_mp", ETH_P_PPP_MP}, {"localtalk", ETH_P_LOCALTALK}, {"can", ETH_P_CAN},
    {"ppptalk", ETH_P_PPPTALK}, {"tr_802_2", ETH_P_TR_802_2}, {"mobitex", ETH_P_MOBITEX}, {"control", ETH_P_CONTROL}, {"irda", ETH_P_IRDA},
    {"econet", ETH_P_ECONET}, {"tipc", ETH_P_TIPC}, {"profinet", ETH_P_PROFINET}, {"aoe", ETH_P_AOE}, {"ethercat", ETH_P_ETHERCAT}, {"teb", ETH_P_TEB},
    {"cfm", ETH_P_CFM}, {"LLDP", 0x88cc},
};

}  // namespace

u16 read_ether_protocol(Word const& word) {
    for (auto const& entry : entries)
        if (equal_ignoring_case(entry.name, word.text)) return entry.protocol;
    if (auto const number = parse_number(word.text, 0xffff)) return static_cast<u16>(*number);
    Nearest nearest(word.text);
    for (auto const& entry : entries) nearest.offer(entry.name);
    fail_unknown(word, "protocol", nearest.best());
}

std::string_view ether_protocol_name(u16 protocol) {
    for (auto const& entry : entries)
        if (entry.protocol == protocol) return entry.name;
    return {};
}

}  // namespace nlstream
