// tc ... action pedit: change bytes of packets.
#include "netlink/tc/action/pedit.hpp"

#include <linux/pkt_cls.h>

#include <cstring>

#include "netlink/tc/action_end.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

using pedit::Pedit;

constexpr Row rows[] = {
    {"ex*",    "",    set(keep<&Pedit::extended>),"Name headers rather than offsets from the IP header, and allow add."},
    {"munge*", "...", custom<pedit::read_munge>,   "What to change; may be given again."},
};
constexpr auto table = keywords<Pedit>(rows);

/// tc_pedit_sel and the keys behind it, then what tc_pedit_key has no room for.
void put(Line& line, Pedit const& p, tc_pedit_sel const& head) {
    auto& out = line.out;
    auto const at = out.open(p.extended ? TCA_PEDIT_PARMS_EX : TCA_PEDIT_PARMS);
    out.put_raw(&head, sizeof head);
    std::span const keys(p.keys.data(), p.count);
    for (auto const& key : keys) out.put_raw(&key.parms, sizeof key.parms);
    out.close(at);
    if (!p.extended) return;
    out.nest(TCA_PEDIT_KEYS_EX | NLA_F_NESTED, [&] {
        for (auto const& key : keys)
            out.nest(TCA_PEDIT_KEY_EX | NLA_F_NESTED, [&] {
                out.put(TCA_PEDIT_KEY_EX_HTYPE, static_cast<u16>(key.header));
                out.put(TCA_PEDIT_KEY_EX_CMD, static_cast<u16>(key.command));
            });
    });
}

void read(Line& line) {
    Pedit p;
    Reader reader(table, p);
    skip_name(line, "pedit", "munge");
    if (line.done()) fail_missing(line, "munge");
    if (reader.read_if(line, "ex") && line.done()) fail_missing(line, "munge");
    do skip_name(line, "pedit", "munge");
    while (reader.read_if(line, "munge"));
    tc_pedit_sel head;
    std::memset(&head, 0, sizeof head);  // its padding is sent too
    read_action_end(line, head, TC_ACT_OK);
    head.nkeys = static_cast<unsigned char>(p.count);
    line.out.nest(TCA_ACT_OPTIONS | NLA_F_NESTED, [&] { put(line, p, head); });
}

}  // namespace

extern constinit ActionKind const pedit_action = {
    {"action", "pedit", "Changes bytes of packets; checksums need action csum.",
     {{{"", table}, {"munge", pedit::headers}, {"CHANGE", pedit::changes}, {"ip", pedit::ip_fields}, {"ip6", pedit::ip6_fields},
       {"eth", pedit::eth_fields}, {"tcp", pedit::tcp_fields}, {"udp", pedit::udp_fields}, {"end", action_end_table}}}},
    read};

}  // namespace nlstream::tc
