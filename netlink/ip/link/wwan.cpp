// ip link ... type wwan: a channel of a mobile modem.
#include <linux/wwan.h>

#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

struct Channel {};

constexpr Row rows[] = {
    {"linkid*", "ID", U32(IFLA_WWAN_LINK_ID), "The channel's number."},
};
constexpr auto table = keywords<Channel>(rows);

void read(Line& line) {
    Channel none;
    Reader(table, none).read_all(line);
}

}  // namespace

extern constinit LinkKind const wwan_link = {{"link", "wwan", "A channel of a mobile modem.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
