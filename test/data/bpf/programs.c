// clang-14 -target bpf -O2 -c -I/usr/include/x86_64-linux-gnu programs.c -o programs.o
// The object is kept beside it, as not every clang can make one.
#include <linux/bpf.h>

#define SECTION(name) __attribute__((section(name), used))

SECTION("classifier") int classify(struct __sk_buff *packet) { return -1; }
SECTION("action") int act(struct __sk_buff *packet) { return 0; }
SECTION("prog") int pass(struct xdp_md *packet) { return XDP_PASS; }
SECTION("custom") int first(struct __sk_buff *packet) { return 0; }
SECTION("custom") int second(struct __sk_buff *packet) { return 2; }
SECTION("refused") int unset(struct __sk_buff *packet) { int value; __asm__ volatile("%0 = r9" : "=r"(value)); return value; }
SECTION("license") char license_text[] = "Dual MIT/GPL";
