// ip addrlabel flush: all labels go.
#include <linux/if_addrlabel.h>
#include <linux/rtnetlink.h>

#include "netlink/ip/flush.hpp"
#include "netlink/received.hpp"

namespace nlstream::ip {

void flush_address_labels(Line& line) {
    if (!line.done()) fail_use(line.peek(), "all labels are flushed");
    u8 const family = line.family == AF_UNSPEC ? u8{AF_INET6} : line.family;
    flush(line, {.what = "labels",
                 .entry = RTM_NEWADDRLABEL,
                 .deletion = RTM_DELADDRLABEL,
                 .header = sizeof(ifaddrlblmsg),
                 .ask = [&](MessageBuffer& request, u32) { request.fixed_header<ifaddrlblmsg>().ifal_family = family; },
                 .question = RTM_GETADDRLABEL,
                 .selects = [](nlmsghdr const& entry, u32) { return Attributes<IFAL_MAX>(entry, sizeof(ifaddrlblmsg))[IFAL_ADDRESS] != nullptr; }});
}

}  // namespace nlstream::ip
