// ip link ... type bond: several links as one.
#include "netlink/ip/link/common.hpp"
#include "netlink/ip/link/kinds.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct Bond {};

// linux/if_bonding.h: each word's number is its place, and may be given instead.
constexpr NamedValue modes[] = {{"balance-rr", 0}, {"active-backup", 1}, {"balance-xor", 2}, {"broadcast", 3}, {"802.3ad", 4}, {"balance-tlb", 5}, {"balance-alb", 6}};
constexpr NamedValue arp_checks[] = {{"none", 0}, {"active", 1}, {"backup", 2}, {"all", 3}, {"filter", 4}, {"filter_active", 5}, {"filter_backup", 6}};
constexpr NamedValue any_all[] = {{"any", 0}, {"all", 1}};
constexpr NamedValue reselections[] = {{"always", 0}, {"better", 1}, {"failure", 2}};
constexpr NamedValue mac_policies[] = {{"none", 0}, {"active", 1}, {"follow", 2}};
constexpr NamedValue hash_policies[] = {{"layer2", 0}, {"layer3+4", 1}, {"layer2+3", 2}, {"encap2+3", 3}, {"encap3+4", 4}, {"vlan+srcmac", 5}};
constexpr NamedValue lacp_rates[] = {{"slow", 0}, {"fast", 1}};
constexpr NamedValue selections[] = {{"stable", 0}, {"bandwidth", 1}, {"count", 2}, {"actor_port_prio", 3}};

template <std::size_t N>
constexpr Choice numbered(NamedValue const (&words)[N], u16 attribute, u8 width) { return {{attribute, width}, words, N - 1, 10}; }

/// "ADDRESS[,ADDRESS...]", at most 16, numbered from 0; none at the end of the line: no targets.
template <u16 Attribute, u8 Family>
void read_targets(Line& line, Bond&) {
    line.out.nest(Attribute, [&] {
        if (line.done()) return;
        auto const& word = line.take("ADDRESSES");
        auto at = word.span.begin;
        u16 count = 0;
        for (auto rest = word.text; !rest.empty();) {
            auto const text = rest.substr(0, rest.find(','));
            Word const part{text, {at, at + static_cast<u32>(text.size())}};
            rest.remove_prefix(std::min(text.size() + 1, rest.size()));
            at += static_cast<u32>(text.size()) + 1;
            if (text.empty()) continue;
            if (count == 16) fail_use(part, "a bond has at most 16 targets");
            auto const address = read_address(part, Family);
            line.out.put(count++, address.bytes.data(), address_length(Family));
        }
    });
}

// clang-format off
constexpr Row rows[] = {
    {"mode*",               "MODE",      numbered(modes, IFLA_BOND_MODE, 1),                            "How packets are spread: balance-rr, active-backup, balance-xor, broadcast, 802.3ad, balance-tlb or balance-alb."},
    {"active_slave*",       "DEVICE",    device(IFLA_BOND_ACTIVE_SLAVE),                                "The link in use (active-backup)."},
    {"clear_active_slave*", "",          put_u32(IFLA_BOND_ACTIVE_SLAVE, 0),                            "Let the bond choose the link in use."},
    {"miimon*",             "MS",        U32(IFLA_BOND_MIIMON),                                         "Look at the carriers every MS milliseconds (0: never)."},
    {"updelay*",            "MS",        U32(IFLA_BOND_UPDELAY),                                        "Wait before a link with carrier is used, in milliseconds."},
    {"downdelay*",          "MS",        U32(IFLA_BOND_DOWNDELAY),                                      "Wait before a link without carrier is given up, in milliseconds."},
    {"peer_notify_delay*",  "MS",        U32(IFLA_BOND_PEER_NOTIF_DELAY),                               "Time between announcements after a change, in milliseconds."},
    {"use_carrier*",        "0|1",       U8(IFLA_BOND_USE_CARRIER),                                     "1: the driver tells of carriers; 0: ask by ioctl."},
    {"arp_interval*",       "MS",        U32(IFLA_BOND_ARP_INTERVAL),                                   "Check links by ARP every MS milliseconds (0: do not)."},
    {"arp_ip_target*",      "ADDRESSES", custom<read_targets<IFLA_BOND_ARP_IP_TARGET, AF_INET>>,        "IPv4 addresses to ask by ARP, between commas; nothing: none."},
    {"ns_ip6_target",       "ADDRESSES", custom<read_targets<IFLA_BOND_NS_IP6_TARGET, AF_INET6>>,       "IPv6 addresses to ask by neighbour discovery, between commas; nothing: none."},
    {"arp_validate*",       "POLICY",    numbered(arp_checks, IFLA_BOND_ARP_VALIDATE, 4),               "On which links answers are checked: none, active, backup, all, filter, filter_active or filter_backup."},
    {"arp_all_targets*",    "any|all",   numbered(any_all, IFLA_BOND_ARP_ALL_TARGETS, 4),               "A link is up if any target, or all of them, answer."},
    {"arp_missed_max",      "COUNT",     U8(IFLA_BOND_MISSED_MAX),                                      "Checks that may fail before a link is down."},
    {"primary*",            "DEVICE",    device(IFLA_BOND_PRIMARY),                                     "The link that is preferred."},
    {"primary_reselect*",   "POLICY",    numbered(reselections, IFLA_BOND_PRIMARY_RESELECT, 1),         "When the preferred link is used again: always, better or failure."},
    {"fail_over_mac*",      "POLICY",    numbered(mac_policies, IFLA_BOND_FAIL_OVER_MAC, 1),            "Whose address the bond has: none (its own), active or follow."},
    {"xmit_hash_policy*",   "POLICY",    numbered(hash_policies, IFLA_BOND_XMIT_HASH_POLICY, 1),        "What a packet's link is chosen by: layer2, layer2+3, layer3+4, encap2+3, encap3+4 or vlan+srcmac."},
    {"resend_igmp*",        "COUNT",     U32(IFLA_BOND_RESEND_IGMP),                                    "IGMP reports after a change."},
    {"num_grat_arp*|num_unsol_na*", "COUNT", U8(IFLA_BOND_NUM_PEER_NOTIF),                              "Announcements after a change, by ARP and neighbour discovery."},
    {"all_slaves_active*",  "0|1",       U8(IFLA_BOND_ALL_SLAVES_ACTIVE),                               "Take packets from links that are not in use, too."},
    {"min_links*",          "COUNT",     U32(IFLA_BOND_MIN_LINKS),                                      "Links that have to be up for the bond to be up."},
    {"lp_interval*",        "SECONDS",   U32(IFLA_BOND_LP_INTERVAL),                                    "Time between learning packets (balance-tlb, balance-alb)."},
    {"packets_per_slave*",  "COUNT",     U32(IFLA_BOND_PACKETS_PER_SLAVE),                              "Packets before the next link's turn (balance-rr; 0: at random)."},
    {"lacp_rate*",          "slow|fast", numbered(lacp_rates, IFLA_BOND_AD_LACP_RATE, 1),               "LACP messages every 30 seconds, or every second."},
    {"lacp_active",         "off|on",    numbered(off_on, IFLA_BOND_AD_LACP_ACTIVE, 1),                 "Send LACP messages unasked."},
    {"coupled_control",     "on|off",    OnOff(uapi::IFLA_BOND_COUPLED_CONTROL),                        "LACP: receive and send are enabled together."},
    {"broadcast_neighbor",  "on|off",    OnOff(uapi::IFLA_BOND_BROADCAST_NEIGH),                        "Send ARP and neighbour discovery on all links."},
    {"ad_select*",          "POLICY",    numbered(selections, IFLA_BOND_AD_SELECT, 1),                  "Which aggregate is used: stable, bandwidth, count or actor_port_prio."},
    {"ad_user_port_key*",   "KEY",       U16(IFLA_BOND_AD_USER_PORT_KEY),                               "The upper ten bits of the LACP port key."},
    {"ad_actor_sys_prio*",  "N",         U16(IFLA_BOND_AD_ACTOR_SYS_PRIO),                              "LACP: priority of the system."},
    {"ad_actor_system*",    "LLADDR",    custom<put_link_address<IFLA_BOND_AD_ACTOR_SYSTEM, Bond>>,     "LACP: address of the system."},
    {"tlb_dynamic_lb*",     "0|1",       U8(IFLA_BOND_TLB_DYNAMIC_LB),                                  "balance-tlb: spread by load (1), or by hash (0)."},
};
// clang-format on
constexpr auto table = keywords<Bond>(rows);

void read(Line& line) {
    Bond none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const bond_link = {{"link", "bond", "Several links as one.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
