// encode_bench [NAME...]: how long one line takes to parse and encode, on one thread, in nanoseconds. Nothing is sent.
// Without a name all are measured. For each: the best and the median of many rounds, since other work on the machine only adds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "netlink/encoder.hpp"

namespace nlstream::perf {
namespace {

/// Every name is a link, as after a set-up that made them.
class AnyLink : public Kernel {
  public:
    std::optional<Link> link(std::string_view name) override {
        return Link{.index = static_cast<u32>(name.back()), .name = std::string(name), .kind = {}};
    }
    std::optional<Link> link(u32) override { return {}; }
    std::optional<std::vector<std::byte>> link_options(u32) override { return {}; }
    std::unique_ptr<Dump> begin_dump(std::span<std::byte const>) override { return {}; }
    std::optional<s32> namespace_id(OpenFile const&, OpenFile const*) override { return {}; }
    std::optional<u32> link_in(s32, OpenFile const*, std::string_view) override { return {}; }
    std::optional<u16> ip_set(std::string_view) override { return {}; }
};

class NoFiles : public Files {
  public:
    std::optional<std::string> read(std::string const& path) override {
        if (path == "/proc/net/psched") return "000003e8 00000040 000f4240 3b9aca00\n";
        return {};
    }
    std::vector<std::string> list(std::string const&) override { return {}; }
    std::unique_ptr<OpenFile> open(std::string const&) override { return nullptr; }
    std::unique_ptr<OpenFile> open_pinned_program(std::string const&) override { return nullptr; }
    std::unique_ptr<OpenFile> load_program(ProgramInFile const&) override { return nullptr; }
};

struct Workload {
    char const* name;
    Tool tool;
    /// A line; in it every %I is an IPv4 address, %X four hexadecimal digits, %M the last four bytes of a MAC address, %N a
    /// number, all counted up.
    char const* line;
};

constexpr Workload workloads[] = {
    {"route", Tool::ip, "route add %I/32 dev d0"},
    {"route6", Tool::ip, "route add 2001:db8:12:%X::/64 dev d0"},
    {"route-via", Tool::ip, "route add %I/32 via 10.0.0.1 dev d0 proto bird metric 100 table 1000"},
    {"fdb", Tool::bridge, "fdb add 02:00:%M dev d0 dst 192.0.2.1 vni 100 self permanent"},
    {"fdb-bridge", Tool::bridge, "fdb add 02:00:%M dev d0 master static vlan 10"},
    {"ecmp", Tool::ip, "route add %I/32 nexthop via 198.18.0.2 dev d0 nexthop via 198.18.1.2 dev d1"},
    {"neigh", Tool::ip, "neigh add %I lladdr 02:00:%M dev d0 nud permanent"},
    {"address", Tool::ip, "address add %I/24 dev d0"},
    {"rule", Tool::ip, "rule add from %I/32 lookup 100 priority %N"},
    {"htb", Tool::tc, "class add dev d0 parent 1:1 classid 1:%X htb rate %Nkbit ceil 1gbit burst 15k quantum 1514"},
    {"flower-mac", Tool::tc, "filter add dev d0 ingress protocol ip prio 49152 handle %N flower skip_hw dst_mac 02:00:%M action drop"},
    {"flower", Tool::tc, "filter add dev d0 ingress protocol ip prio 49152 handle %N flower skip_hw src_mac e4:11:%M dst_mac e4:12:%M "
                         "src_ip 56.0.0.1 dst_ip %I ip_proto tcp src_port 1 dst_port 80 action drop"},
};

std::string text_of(Workload const& workload, unsigned count) {
    std::string text;
    char part[32];
    for (unsigned i = 0; i < count; ++i) {
        for (char const* c = workload.line; *c; ++c) {
            if (*c != '%') {
                text += *c;
                continue;
            }
            u32 const address = 0x01000000 + i * 7;
            switch (*++c) {
                case 'I': std::snprintf(part, sizeof part, "%u.%u.%u.%u", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255); break;
                case 'X': std::snprintf(part, sizeof part, "%x", i & 0xffff); break;
                case 'M': std::snprintf(part, sizeof part, "%02x:%02x:%02x:%02x", i >> 24, i >> 16 & 255, i >> 8 & 255, i & 255); break;
                default: std::snprintf(part, sizeof part, "%u", i + 1); break;
            }
            text += part;
        }
        text += '\n';
    }
    return text;
}

void measure(Workload const& workload) {
    constexpr unsigned lines = 20000, rounds = 51;
    constexpr u32 batch = 32 * 1024;  // bytes that are sent at once
    auto const text = text_of(workload, lines);
    AnyLink kernel;
    NoFiles files;
    Encoder encoder(kernel, files, {.tool = workload.tool});
    MessageBuffer out;
    u32 length = 0;
    std::vector<double> times;
    for (unsigned round = 0; round < rounds; ++round) {
        auto const start = std::chrono::steady_clock::now();
        for (std::string_view rest = text; !rest.empty();) {
            auto const end = rest.find('\n');
            auto const before = out.size();
            encoder.encode(rest.substr(0, end), out);
            length = out.size() - before;
            rest.remove_prefix(end + 1);
            if (out.size() > batch) out.clear();
        }
        std::chrono::duration<double, std::nano> const took = std::chrono::steady_clock::now() - start;
        times.push_back(took.count() / lines);
    }
    std::ranges::sort(times);
    std::printf("%-16s %7.0f ns best %7.0f ns median   %4zu bytes of text -> %u\n", workload.name, times.front(), times[rounds / 2], text.size() / lines, length);
}

int run(int argc, char** argv) {
    std::vector<Workload const*> chosen;
    for (int i = 1; i < argc; ++i) {
        auto const* found = std::ranges::find(workloads, std::string_view(argv[i]), &Workload::name);
        if (found == std::end(workloads)) {
            std::fprintf(stderr, "encode_bench: no workload is called %s\n", argv[i]);
            return 2;
        }
        chosen.push_back(found);
    }
    if (chosen.empty())
        for (auto const& workload : workloads) chosen.push_back(&workload);
    try {
        for (auto const* workload : chosen) measure(*workload);
    } catch (Diagnostic const& why) {
        std::fprintf(stderr, "encode_bench: %s\n", why.what.c_str());
        return 2;
    }
    return 0;
}

}  // namespace
}  // namespace nlstream::perf

int main(int argc, char** argv) { return nlstream::perf::run(argc, argv); }
