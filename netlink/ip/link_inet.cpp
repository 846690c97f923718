// ip link ... inet: a link's IPv4 settings, as in /proc/sys/net/ipv4/conf/LINK.
#include <linux/if_link.h>
#include <linux/ip.h>

#include "netlink/ip/link.hpp"

namespace nlstream::ip {
namespace {

struct Settings {};

constexpr Choice on_off(u16 setting) { return one_of(off_on, {setting, 4}); }

constexpr Row rows[] = {
    {"forwarding",                         "on|off",  on_off(IPV4_DEVCONF_FORWARDING),                          "Forward packets that come in here."},
    {"proxy_arp",                          "on|off",  on_off(IPV4_DEVCONF_PROXY_ARP),                           "Answer ARP requests for addresses that are reached through another link."},
    {"accept_redirects",                   "on|off",  on_off(IPV4_DEVCONF_ACCEPT_REDIRECTS),                    "Follow ICMP redirects."},
    {"secure_redirects",                   "on|off",  on_off(IPV4_DEVCONF_SECURE_REDIRECTS),                    "Follow ICMP redirects to known gateways only."},
    {"send_redirects",                     "on|off",  on_off(IPV4_DEVCONF_SEND_REDIRECTS),                      "Send ICMP redirects."},
    {"shared_media",                       "on|off",  on_off(IPV4_DEVCONF_SHARED_MEDIA),                        "Networks with different prefixes share the medium."},
    {"rp_filter",                          "0|1|2",   S32(IPV4_DEVCONF_RP_FILTER),                              "Check that replies would leave where a packet came in: 0 no, 1 strictly, 2 loosely."},
    {"accept_source_route",                "on|off",  on_off(IPV4_DEVCONF_ACCEPT_SOURCE_ROUTE),                 "Take packets with source routes."},
    {"bootp_relay",                        "on|off",  on_off(IPV4_DEVCONF_BOOTP_RELAY),                         "Take packets from 0.0.0.0/8 for a BOOTP relay."},
    {"log_martians",                       "on|off",  on_off(IPV4_DEVCONF_LOG_MARTIANS),                        "Log packets with impossible addresses."},
    {"tag",                                "TAG",     S32(IPV4_DEVCONF_TAG),                                    "A number that programs may use as they like."},
    {"arp_filter",                         "on|off",  on_off(IPV4_DEVCONF_ARPFILTER),                           "Answer ARP requests only if the reply would leave through this link."},
    {"medium_id",                          "ID",      S32(IPV4_DEVCONF_MEDIUM_ID),                              "Links with the same ID share a medium; 0: this one alone, -1: not known."},
    {"disable_xfrm",                       "on|off",  on_off(IPV4_DEVCONF_NOXFRM),                              "No IPsec on this link."},
    {"disable_policy",                     "on|off",  on_off(IPV4_DEVCONF_NOPOLICY),                            "No IPsec policies on this link."},
    {"force_igmp_version",                 "0..3",    S32(IPV4_DEVCONF_FORCE_IGMP_VERSION),                     "Speak only this version of IGMP; 0: as the router does."},
    {"arp_announce",                       "0|1|2",   S32(IPV4_DEVCONF_ARP_ANNOUNCE),                           "Which source address ARP requests carry."},
    {"arp_ignore",                         "0..8",    S32(IPV4_DEVCONF_ARP_IGNORE),                             "Which ARP requests are not answered."},
    {"promote_secondaries",                "on|off",  on_off(IPV4_DEVCONF_PROMOTE_SECONDARIES),                 "A secondary address takes the place of a primary one that is removed."},
    {"arp_accept",                         "0|1|2",   S32(IPV4_DEVCONF_ARP_ACCEPT),                             "Whether unasked ARP replies make neighbours: 0 no, 1 yes, 2 in the same subnet."},
    {"arp_notify",                         "on|off",  on_off(IPV4_DEVCONF_ARP_NOTIFY),                          "Announce addresses by ARP when the link or its address changes."},
    {"accept_local",                       "on|off",  on_off(IPV4_DEVCONF_ACCEPT_LOCAL),                        "Take packets whose source is an address of this host."},
    {"src_vmark",                          "on|off",  on_off(IPV4_DEVCONF_SRC_VMARK),                           "The check of rp_filter looks at the firewall mark, too."},
    {"proxy_arp_pvlan",                    "on|off",  on_off(IPV4_DEVCONF_PROXY_ARP_PVLAN),                     "Answer ARP requests for addresses on this very link."},
    {"route_localnet",                     "on|off",  on_off(IPV4_DEVCONF_ROUTE_LOCALNET),                      "Route 127.0.0.0/8 like other networks."},
    {"bc_forwarding",                      "on|off",  on_off(IPV4_DEVCONF_BC_FORWARDING),                       "Forward packets to a network's broadcast address."},
    {"igmpv2_unsolicited_report_interval", "MS",      S32(IPV4_DEVCONF_IGMPV2_UNSOLICITED_REPORT_INTERVAL),     "Time between unasked IGMPv2 reports, in milliseconds."},
    {"igmpv3_unsolicited_report_interval", "MS",      S32(IPV4_DEVCONF_IGMPV3_UNSOLICITED_REPORT_INTERVAL),     "Time between unasked IGMPv3 reports, in milliseconds."},
    {"ignore_routes_with_linkdown",        "on|off",  on_off(IPV4_DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN),         "Routes through this link do not count while it has no carrier."},
    {"drop_unicast_in_l2_multicast",       "on|off",  on_off(IPV4_DEVCONF_DROP_UNICAST_IN_L2_MULTICAST),        "Drop unicast packets in link-layer multicast frames."},
    {"drop_gratuitous_arp",                "on|off",  on_off(IPV4_DEVCONF_DROP_GRATUITOUS_ARP),                 "Drop ARP announcements."},
    {"arp_evict_nocarrier",                "on|off",  on_off(IPV4_DEVCONF_ARP_EVICT_NOCARRIER),                 "Forget neighbours when the link loses its carrier."},
};
constexpr auto table = keywords<Settings>(rows);

}  // namespace

Table inet_settings_table() { return table; }

void read_inet_settings(Line& line) {
    line.out.nest(IFLA_AF_SPEC, [&] {
        line.out.nest(AF_INET, [&] {
            line.out.nest(IFLA_INET_CONF | NLA_F_NESTED, [&] {
                Settings none;
                Reader reader(table, none);
                if (line.done()) fail_missing(line, "an IPv4 setting");
                if (!reader.read_one(line)) reader.fail_unknown(line);
                reader.read_some(line);
            });
        });
    });
}

}  // namespace nlstream::ip
