#include "netlink/ip/link/vti_family.hpp"

#include <linux/if_tunnel.h>

namespace nlstream::ip {

void read_vti_options(Line& line, Table const& table) {
    Tunnel t;
    PresentOptions const present(line);
    present.read(IFLA_VTI_LOCAL, t.local);
    present.read(IFLA_VTI_REMOTE, t.remote);
    present.read(IFLA_VTI_IKEY, t.in_key);
    present.read(IFLA_VTI_OKEY, t.out_key);
    present.read(IFLA_VTI_LINK, t.link);
    present.read(IFLA_VTI_FWMARK, t.mark);
    Reader(table, t).read_all(line);

    line.source_keyword("ikey");
    line.out.put(IFLA_VTI_IKEY, t.in_key);
    line.source_keyword("okey");
    line.out.put(IFLA_VTI_OKEY, t.out_key);
    put_tunnel_ends(line, t, IFLA_VTI_LOCAL, IFLA_VTI_REMOTE);
    line.source_keyword("fwmark");
    line.out.put(IFLA_VTI_FWMARK, t.mark);
    line.source_keyword("dev");
    if (t.link) line.out.put(IFLA_VTI_LINK, t.link);
}

}  // namespace nlstream::ip
