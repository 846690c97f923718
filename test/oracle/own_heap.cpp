// The library keeps its memory out of the C library's heap. Some requests of iproute2 hold stale bytes of that heap (action
// simple copies 32 bytes whatever the string's length): with a heap of its own the library neither fills nor moves them, and
// what is recorded for a line depends on that line alone.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace {

// Blocks of powers of two, cut from pages that are never given back, and reused through one list per size. A block begins
// with the place of its list. One thread only: so are the recorded programs.
struct Block {
    std::size_t list;
    Block* next;
};
constexpr std::size_t header_size = 16;
constexpr std::size_t chunk_size = std::size_t{1} << 20;

std::array<Block*, 48> free_lists{};
std::byte* chunk = nullptr;
std::size_t chunk_left = 0;

std::byte* cut(std::size_t size) {
    if (size > chunk_left) {
        auto const wanted = size > chunk_size ? size : chunk_size;
        void* const pages = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) std::abort();
        chunk = static_cast<std::byte*>(pages);
        chunk_left = wanted;
    }
    auto* const result = chunk;
    chunk += size;
    chunk_left -= size;
    return result;
}

}  // namespace

void* operator new(std::size_t size) {
    auto const whole = std::bit_ceil(size + header_size);
    auto const list = static_cast<std::size_t>(std::countr_zero(whole));
    auto* block = free_lists[list];
    if (block) {
        free_lists[list] = block->next;
    } else {
        block = new (cut(whole)) Block{list, nullptr};
    }
    return reinterpret_cast<std::byte*>(block) + header_size;
}

void operator delete(void* memory) noexcept {
    if (!memory) return;
    auto* const block = reinterpret_cast<Block*>(static_cast<std::byte*>(memory) - header_size);
    block->next = free_lists[block->list];
    free_lists[block->list] = block;
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
