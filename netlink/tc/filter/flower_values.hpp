// Values of flower's keys that are more than a number.
#pragma once
#include <span>

#include "netlink/value.hpp"

namespace nlstream::tc {

/// Bits to match, and which of them count.
struct MaskedFlags {
    u32 value = 0;
    u32 mask = 0;
};

/// "frag/nofirstfrag": each word sets its bit, or clears it after "no"; either way it counts. Throws Diagnostic.
void read_flag_list(Word const& word, std::span<NamedValue const> names, MaskedFlags& flags);
/// "+trk-est": a sign and a name each, put as TCA_FLOWER_KEY_CT_STATE and its mask. Throws Diagnostic.
void put_connection_state(Line& line, Word const& word);
/// "HEX[/HEX]", at most 16 bytes each, put as TCA_FLOWER_KEY_CT_LABELS and its mask. Throws Diagnostic.
void put_connection_label(Line& line, Word const& word);
/// A PPP protocol (linux/ppp_defs.h) by name or number, in host byte order. Throws Diagnostic.
u16 read_ppp_protocol(Word const& word);

/// The options in tunnel headers (linux/pkt_cls.h, TCA_FLOWER_KEY_ENC_OPTS_*). Each reads KEY[/MASK] and puts
/// TCA_FLOWER_KEY_ENC_OPTS and TCA_FLOWER_KEY_ENC_OPTS_MASK. The parts of KEY and MASK are separated by colons; an empty part
/// is not matched. Throws Diagnostic.
void put_geneve_options(Line& line, Word const& word);  ///< CLASS:TYPE:DATA in hexadecimal, several between commas
void put_vxlan_options(Line& line, Word const& word);   ///< GBP
void put_erspan_options(Line& line, Word const& word);  ///< VERSION:INDEX:DIRECTION:HWID
void put_gtp_options(Line& line, Word const& word);     ///< PDU_TYPE:QFI in hexadecimal
void put_pfcp_options(Line& line, Word const& word);    ///< TYPE:SEID in hexadecimal

}  // namespace nlstream::tc
