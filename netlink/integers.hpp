#pragma once
#include <cstddef>
#include <cstdint>

namespace nlstream {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

constexpr u16 big16(u16 host) { return __builtin_bswap16(host); }
constexpr u32 big32(u32 host) { return __builtin_bswap32(host); }
constexpr u64 big64(u64 host) { return __builtin_bswap64(host); }
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "big16/32/64 assume a little-endian host");

}  // namespace nlstream
