// The values that a keyword can take: a closed set of forms; a new one is a decision.
//
// A value is *put* as an attribute as soon as it is read, or *kept* in a member of the kind's state and written at the
// end; some do both.
#pragma once
#include <span>
#include <string_view>
#include <variant>

#include "netlink/line.hpp"
#include "netlink/names.hpp"
#include "netlink/quantity.hpp"

namespace nlstream {

class Table;

namespace detail {

/// A number for each state type, by which tables are checked at compile time. Made from the type's name, as g++ 12 with
/// sanitizers cannot compare addresses at compile time; never 0.
template <class State>
constexpr u64 state_type = [] {
    u64 hash = 14695981039346656037u;
    for (char const c : std::string_view(__PRETTY_FUNCTION__)) hash = (hash ^ static_cast<u8>(c)) * 1099511628211u;
    return hash | 1;
}();

template <class>
struct MemberOf;
template <class State, class Type>
struct MemberOf<Type State::*> {
    using state = State;
    using type = Type;
};

template <class>
struct GuardOf;
template <class State>
struct GuardOf<std::string_view (*)(State const&)> {
    using state = State;
};

template <class GuardType, auto Function>
constexpr GuardType make_guard() {
    using State = typename GuardOf<decltype(Function)>::state;
    return {.why = [](void const* state) { return Function(*static_cast<State const*>(state)); }, .state_type = state_type<State>};
}

template <class>
struct ReaderOf;
template <class State>
struct ReaderOf<void (*)(Line&, State&)> {
    using state = State;
};

}  // namespace detail

/// Where a value is kept: a member of the state.
struct Store {
    void (*store)(void* state, u64 value) = nullptr;
    u64 state_type = 0;

    void operator()(void* state, u64 value) const { if (store) store(state, value); }
};

/// Keeps the value in this member.
template <auto Member>
constexpr Store keep = {
    .store = [](void* state, u64 value) {
        using M = detail::MemberOf<decltype(Member)>;
        static_cast<typename M::state*>(state)->*Member = static_cast<typename M::type>(value);
    },
    .state_type = detail::state_type<typename detail::MemberOf<decltype(Member)>::state>,
};

/// Sets these bits of this member.
template <auto Member>
constexpr Store add_bits = {
    .store = [](void* state, u64 value) {
        using M = detail::MemberOf<decltype(Member)>;
        auto& member = static_cast<typename M::state*>(state)->*Member;
        member = static_cast<typename M::type>(member | static_cast<typename M::type>(value));
    },
    .state_type = detail::state_type<typename detail::MemberOf<decltype(Member)>::state>,
};

/// Notes in this member (a bool) that the keyword was given, whatever its value.
template <auto Member>
constexpr Store given = {
    .store = [](void* state, u64) { static_cast<typename detail::MemberOf<decltype(Member)>::state*>(state)->*Member = true; },
    .state_type = detail::state_type<typename detail::MemberOf<decltype(Member)>::state>,
};

/// The attribute type of values that are kept and not put.
inline constexpr u16 kept = 0xffff;

/// Where and how an integer goes.
struct Integer {
    u16 attribute = kept;
    u8 width = 4;          ///< bytes on the wire: 1, 2, 4, 8
    bool big_endian = false;
    Store store = {};

    void put(Line& line, void* state, u64 value) const;
};

/// A number.
struct Number {
    Integer to;
    u64 min = 0;
    u64 max = 0xffffffff;
    int base = 0;  ///< 0: by prefix

    constexpr Number in(u64 least, u64 most) const { auto n = *this; n.min = least; n.max = most; return n; }
    constexpr Number hex() const { auto n = *this; n.base = 16; return n; }
    constexpr Number dec() const { auto n = *this; n.base = 10; return n; }
    constexpr Number network_order() const { auto n = *this; n.to.big_endian = true; return n; }
    constexpr Number and_keep(Store store) const { auto n = *this; n.to.store = store; return n; }
};
constexpr Number U8(u16 attribute) { return {{attribute, 1}, 0, 0xff}; }
constexpr Number U16(u16 attribute) { return {{attribute, 2}, 0, 0xffff}; }
constexpr Number U32(u16 attribute) { return {{attribute, 4}, 0, 0xffffffff}; }
constexpr Number U64(u16 attribute) { return {{attribute, 8}, 0, no_limit}; }
constexpr Number U8(Store store) { return {{kept, 1, false, store}, 0, 0xff}; }
constexpr Number U16(Store store) { return {{kept, 2, false, store}, 0, 0xffff}; }
constexpr Number U32(Store store) { return {{kept, 4, false, store}, 0, 0xffffffff}; }
constexpr Number U64(Store store) { return {{kept, 8, false, store}, 0, no_limit}; }

/// A number that may be negative.
struct Signed {
    Integer to;
    s64 min;
    s64 max;
    int base = 0;

    constexpr Signed in(s64 least, s64 most) const { auto n = *this; n.min = least; n.max = most; return n; }
};
constexpr Signed S32(u16 attribute) { return {{attribute, 4}, -2147483648LL, 2147483647}; }
constexpr Signed S32(Store store) { return {{kept, 4, false, store}, -2147483648LL, 2147483647}; }
constexpr Signed S64(Store store) { return {{kept, 8, false, store}, -9223372036854775807LL - 1, 9223372036854775807LL}; }

/// No argument: puts or keeps a constant.
struct Constant {
    Integer to;
    u64 value;
};
/// No argument: puts an attribute without payload.
struct Flag {
    u16 attribute;
};
constexpr Constant put_u8(u16 attribute, u64 value) { return {{attribute, 1}, value}; }
constexpr Constant put_u16(u16 attribute, u64 value) { return {{attribute, 2}, value}; }
constexpr Constant put_u32(u16 attribute, u64 value) { return {{attribute, 4}, value}; }
/// No argument: keeps `value` in the member, or sets its bits there (with add_bits).
constexpr Constant set(Store store, u64 value = 1) { return {{kept, 8, false, store}, value}; }

/// One of a list of words.
struct NamedValue {
    std::string_view word;  ///< a trailing '*': may be abbreviated
    u64 value;
};
struct Choice {
    Integer to;
    std::span<NamedValue const> words;
    u64 number_max = 0;  ///< a number up to this is taken too; 0: words only
    int base = 0;        ///< of the number; 0: by prefix
};
inline constexpr NamedValue off_on[] = {{"off", 0}, {"on", 1}};
constexpr Choice one_of(std::span<NamedValue const> words, Integer to) { return {to, words}; }
/// "on" or "off", as one byte.
constexpr Choice OnOff(u16 attribute) { return {{attribute, 1}, off_on}; }
constexpr Choice OnOff(Store store) { return {{kept, 1, false, store}, off_on}; }

/// A name from iproute2's name tables, or a number.
struct Name {
    Integer to;
    Names::Of of;
};

/// The index of a network interface.
struct Device {
    Integer to;
};
constexpr Device device(u16 attribute) { return {{attribute, 4}}; }
constexpr Device device(Store store) { return {{kept, 4, false, store}}; }

/// MAJOR:MINOR.
struct ClassId {
    Integer to;
};
/// Bytes a second, kept.
struct Rate {
    Store store;
    u64 max = no_limit;
};
/// Bytes.
struct Size {
    Integer to;
    u64 max = 0xffffffff;
};
/// Microseconds.
struct Time {
    Integer to;
};

/// Text of at most `max` bytes, put with its ending NUL, or without.
struct Text {
    u16 attribute;
    std::size_t max;
    bool nul = true;
};

/// An IPv4 or IPv6 address, put under the attribute of its family; 0xffff (kept): not of that family.
struct AddressOf {
    u16 ipv4 = kept;
    u16 ipv6 = kept;
};

/// Six bytes.
struct Mac {
    u16 attribute;
};

/// Six bytes, with "/BITS" or "/MASK" put as `mask`; all ones without.
struct MaskedMac {
    u16 attribute;
    u16 mask;
};

/// A number, with "/MASK" put as `mask_attribute`; all ones without.
struct Masked {
    Integer to;
    u16 mask_attribute;
    u64 max;
};
constexpr Masked masked_u8(u16 attribute, u16 mask) { return {{attribute, 1}, mask, 0xff}; }
constexpr Masked masked_u16(u16 attribute, u16 mask) { return {{attribute, 2}, mask, 0xffff}; }
constexpr Masked masked_u32(u16 attribute, u16 mask) { return {{attribute, 4}, mask, 0xffffffff}; }

/// What no other form can say: reads its own words.
struct Custom {
    void (*read)(Line&, void* state) = nullptr;
    u64 state_type = 0;
};
/// From `void f(Line&, State&)`.
template <auto Function>
constexpr Custom custom = {
    .read = [](Line& line, void* state) { Function(line, *static_cast<typename detail::ReaderOf<decltype(Function)>::state*>(state)); },
    .state_type = detail::state_type<typename detail::ReaderOf<decltype(Function)>::state>,
};

using Value = std::variant<Number, Signed, Constant, Flag, Choice, Name, Device, ClassId, Rate, Size, Time, Text, AddressOf, Mac, MaskedMac, Masked, Custom>;

/// The type of the state that the value belongs to; 0 if it keeps nothing.
constexpr u64 state_type_of(Value const& value) {
    return std::visit([](auto const& v) -> u64 {
        if constexpr (requires { v.state_type; }) return v.state_type;
        else if constexpr (requires { v.to.store; }) return v.to.store.state_type;
        else if constexpr (requires { v.store; }) return v.store.state_type;
        else return 0;
    }, value);
}

/// The attribute that the value is put as; `kept` if it is not put, or not by the form alone.
constexpr u16 attribute_of(Value const& value) {
    return std::visit([](auto const& v) -> u16 {
        if constexpr (requires { v.attribute; }) return v.attribute;
        else if constexpr (requires { v.to.attribute; }) return v.to.attribute;
        else return kept;
    }, value);
}

/// Reads a value's words. `argument` is what an error calls it. Throws Diagnostic, BarrierNeeded.
void read_value(Value const& value, std::string_view argument, Line& line, void* state);
/// What the value may be, in words ("0 to 4095", "on or off"); empty if there is nothing to say.
std::string describe(Value const& value);

/// Reads one of these words (or, with number_max, a number). Throws Diagnostic, with the nearest word.
u64 read_choice(Word const& word, std::span<NamedValue const> words, std::string_view what, u64 number_max = 0, int base = 0);
/// Offers an array of NamedValue.
void offer_named_values(void const* first, std::size_t count, Nearest& nearest);
/// The same words as a list of what may stand in a place.
constexpr WordList words_of(std::span<NamedValue const> words) { return {words.data(), words.size(), offer_named_values}; }
/// The part before a '/', and the part behind it if there is one.
struct WithMask {
    Word value;
    std::optional<Word> mask;
};
WithMask split_mask(Word const& word);
/// A MAC address with an optional mask (BITS or a MAC); all ones without. Throws Diagnostic.
void read_masked_mac(Word const& word, std::array<u8, 6>& mac, std::array<u8, 6>& mask);

}  // namespace nlstream
