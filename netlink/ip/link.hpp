// What the words about one link have in common, whichever its type is: of the line's own link, and of a peer.
#pragma once
#include <linux/rtnetlink.h>

#include "netlink/line.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {

/// Which links a line, or the part of it about a peer, is about.
struct LinkSubject {
    Word const* type = nullptr;  ///< behind `type`; what follows it is the type's
    Word const* dev = nullptr;   ///< the link; of a new one its name
    Word const* name = nullptr;  ///< the name that it gets; nullptr: the kernel's choice, or the old one
    bool moves = false;          ///< to another namespace
    bool group = false;          ///< all links of a group
};

/// Reads the words about one link, up to "type TYPE" or the end of the line, puts the attributes they say and sets index and
/// flags in `head`. Throws Diagnostic, BarrierNeeded.
LinkSubject read_link_words(Line& line, ifinfomsg& head);
Table link_words_table();

/// Reads the words about a peer to the end of the line, as a nest of `attribute`: an ifinfomsg, then attributes. Tells line.links.
void read_peer(Line& line, u16 attribute);

/// Tells line.links what becomes of names when the request is applied. After everything that looks links up.
void touch_links(Line& line, LinkSubject const& subject);

// Parts of the words, in files of their own.

/// Reads what follows "vf N" and puts IFLA_VFINFO_LIST. `dev` is the link. Throws Diagnostic, BarrierNeeded.
void read_virtual_function(Line& line, Word const& dev);
Table virtual_function_table();
/// Reads what follows `inet` and puts IFLA_AF_SPEC. Throws Diagnostic.
void read_inet_settings(Line& line);
Table inet_settings_table();
/// Reads what follows xdp, xdpgeneric, xdpdrv or xdpoffload and puts IFLA_XDP. `mode`: XDP_FLAGS_*; `device`: the
/// link whose hardware is to run the program, 0: none. Throws Diagnostic.
void read_xdp(Line& line, u32 mode, u32 device);

}  // namespace nlstream::ip
