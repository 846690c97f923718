// ip link ... type erspan: mirrored Ethernet frames over IPv4.
#include "netlink/ip/link/gre_family.hpp"

namespace nlstream::ip {

extern constinit LinkKind const erspan_link = {{"link", "erspan", "Mirrored Ethernet frames in GRE over IPv4 (ERSPAN).", {{{"", erspan_table}}}}, read_erspan, true};

}  // namespace nlstream::ip
