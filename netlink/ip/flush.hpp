// ip ... flush: lists what there is, selects as the line says, and deletes it.
#pragma once
#include <functional>
#include <span>

#include "netlink/address.hpp"
#include "netlink/line.hpp"
#include "netlink/table.hpp"

struct nlattr;

namespace nlstream::ip {

// Each reads what follows "flush" to the end of the line, which is one or several parts (Line::more). Throws Diagnostic, BarrierNeeded.
void flush_routes(Line& line);
void flush_addresses(Line& line);
void flush_neighbours(Line& line);
void flush_nexthops(Line& line);
void flush_rules(Line& line, u8 family);  ///< AF_UNSPEC: AF_INET
void flush_address_labels(Line& line);

Table flush_routes_table();
Table flush_addresses_table();
Table flush_neighbours_table();
Table flush_nexthops_table();
Table flush_rules_table();

/// How one kind of thing is flushed. A round lists everything and deletes what is selected; rounds follow one another until one
/// finds nothing, since a deletion may bring other entries forth (a secondary address that is promoted) and a list that
/// changes while it is read may leave some out.
struct Flush {
    std::string_view what;  ///< in the plural
    u16 entry;              ///< RTM_NEW* of a listed entry
    u16 deletion;           ///< RTM_DEL*
    std::size_t header;     ///< bytes of the family's fixed header
    /// Puts the fixed header and the attributes of a round's dump request into `request`, which has been begun.
    std::function<void(MessageBuffer& request, u32 round)> ask;
    u16 question;           ///< RTM_GET*
    /// Whether an entry, which is whole, is to be deleted.
    std::function<bool(nlmsghdr const& entry, u32 round)> selects;
    /// Puts what identifies an entry behind the nlmsghdr of its deletion; nothing: the entry as it was listed.
    std::function<void(MessageBuffer& out, nlmsghdr const& entry)> identify = {};
    /// Deletions of one part of the line, about: bounds the memory that they take, and how much is sent in vain after a refusal.
    /// The kernel goes on with most lists at a number of entries, and so leaves out as many as were deleted of those before.
    u32 part = large_part;
    static constexpr u32 large_part = 16384;
    u32 least_rounds = 1;   ///< go on after a round that found nothing, up to so many
    u32 most_rounds = 10;   ///< an error if a round after so many were necessary
    bool may_leave_some = false;  ///< no error then
};

/// Makes the deletions of one part of the line. REQUIRES: the line has been read to its end; its word before is "flush" or
/// behind it.
void flush(Line& line, Flush const& how);

/// Whether the first `bits` of both are equal; what one of them lacks is zero.
bool same_prefix(std::span<u8 const> a, std::span<u8 const> b, unsigned bits);
/// Whether an address is within the prefix; so is everything in a prefix without length, and no address at all.
bool within(Address const& prefix, std::span<u8 const> address);

/// The index of a link that has to be of type vrf. Throws Diagnostic, BarrierNeeded.
u32 take_vrf(Line& line);
/// A name or number of this kind, or "all": nothing. Throws Diagnostic.
std::optional<u32> take_name_or_all(Line& line, Names::Of what);

}  // namespace nlstream::ip
