// workload NAME COUNT [--delete] [--bad PERCENT] | NAME [COUNT] --setup | --list
// Prints COUNT batch lines for nlstream or `ip`, `tc`, `bridge -batch` on standard output.

#include <boost/program_options.hpp>
#include <cmath>
#include <csignal>
#include <iostream>
#include <stdexcept>

#include "perf/text_buffer.hpp"

namespace nlstream::perf {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class Verb { add, remove };

constexpr std::string_view verb_word(Verb verb) { return verb == Verb::add ? "add" : "del"; }

/// One kind of load. `line` prints a line without its end; lines of the same index
/// name the same object.
struct Workload {
    std::string_view name;
    std::string_view tool;  // whose batch syntax the lines are; "nlstream": all three's in one file
    std::string_view help;
    u64 most;  // lines for which there are addresses or handles
    void (*setup)(TextBuffer&, u64 count);
    void (*line)(TextBuffer&, u64 index, Verb);
};

/// The index-th IPv4 address from 1.0.0.0 on, loopback left out.
void ipv4(TextBuffer& out, u64 index) {
    auto address = static_cast<u32>(0x01000000 + index);
    if (address >= 0x7f000000) address += 0x01000000;
    out.decimal(address >> 24) << '.';
    out.decimal(address >> 16 & 255) << '.';
    out.decimal(address >> 8 & 255) << '.';
    out.decimal(address & 255);
}

constexpr u64 ipv4_addresses = 0xe0000000 - 0x02000000;  // below multicast

/// A MAC address of four fixed and four counted digits pairs: PREFIX is its first two octets.
void mac(TextBuffer& out, std::string_view prefix, u64 index) {
    out << prefix;
    for (int shift = 24; shift >= 0; shift -= 8) (out << ':').octet(static_cast<u8>(index >> shift));
}

void two_devices(TextBuffer& out) {
    // Fixed MACs make two runs' listings comparable.
    out << "ip link add d0 address 0e:00:00:00:00:d0 type veth peer name d1 address 0e:00:00:00:00:d1\n"
           "ip link set d0 up\nip link set d1 up\n";
}

void setup_devices(TextBuffer& out, u64 /*count*/) { two_devices(out); }

void routes4(TextBuffer& out, u64 index, Verb verb) {
    ipv4(out << "route " << verb_word(verb) << ' ', index);
    out << "/32 dev d0";
}

void routes6(TextBuffer& out, u64 index, Verb verb) {
    out << "route " << verb_word(verb) << " 2001:db8:";
    out.hex(index >> 16) << ':';
    out.hex(index & 0xffff) << "::/64 dev d0";
}

void setup_ecmp(TextBuffer& out, u64 /*count*/) {
    two_devices(out);
    out << "ip address add 198.18.0.1/24 dev d0\nip address add 198.18.1.1/24 dev d1\n";
}

void ecmp(TextBuffer& out, u64 index, Verb verb) {
    ipv4(out << "route " << verb_word(verb) << ' ', index);
    out << "/32 nexthop via 198.18.0.2 dev d0 nexthop via 198.18.1.2 dev d1";
}

void setup_fdb(TextBuffer& out, u64 /*count*/) {
    two_devices(out);
    out << "ip link add b0 type bridge\nip link set b0 up\nip link set d0 master b0\n";
}

void fdb(TextBuffer& out, u64 index, Verb verb) {
    mac(out << "fdb " << verb_word(verb) << ' ', "02:00", index);
    out << " dev d0 master static";
}

void neigh(TextBuffer& out, u64 index, Verb verb) {
    ipv4(out << "neigh " << verb_word(verb) << ' ', index);
    if (verb == Verb::add) mac(out << " lladdr ", "02:00", index);
    out << " dev d0";
    if (verb == Verb::add) out << " nud permanent";
}

void setup_htb(TextBuffer& out, u64 /*count*/) {
    two_devices(out);
    out << "tc qdisc add dev d0 root handle 1: htb\n";
}

void htb(TextBuffer& out, u64 index, Verb verb) {
    out << "class " << verb_word(verb) << " dev d0 parent 1: classid 1:";
    out.hex(index + 1);
    if (verb == Verb::remove) return;
    // The quantum is given because the one derived from such rates makes the kernel answer with a warning.
    (out << " htb rate ").decimal(index % 997 + 1) << "mbit ceil 1gbit burst 15k quantum 1514";
}

// A u32 hash bucket takes 4,095 filters but is searched from its start at each insertion, so each has 16 here.
constexpr u64 u32_buckets = 256;
constexpr u64 u32_filters_a_table = u32_buckets * 16;

void setup_u32(TextBuffer& out, u64 count) {
    two_devices(out);
    out << "tc qdisc add dev d0 ingress\n";
    for (u64 table = 1; table <= (count + u32_filters_a_table - 1) / u32_filters_a_table; ++table) {
        out << "tc filter add dev d0 parent ffff: protocol ip prio 1 handle ";
        out.hex(table) << ": u32 divisor ";
        out.decimal(u32_buckets).end_line();
    }
}

void u32_filter(TextBuffer& out, u64 index, Verb verb, std::string_view result) {
    auto const table = index / u32_filters_a_table + 1;
    auto const bucket = index % u32_buckets;
    auto const node = 0x800 + index % u32_filters_a_table / u32_buckets;
    out << "filter " << verb_word(verb) << " dev d0 parent ffff: protocol ip prio 1 handle ";
    out.hex(table) << ':';
    out.hex(bucket) << ':';
    out.hex(node) << " u32";
    if (verb == Verb::remove) return;
    out << " ht ";
    out.hex(table) << ':';
    out.hex(bucket) << ": match ip dst ";
    ipv4(out, index);
    out << "/32 " << result;
}

void u32_flowid(TextBuffer& out, u64 index, Verb verb) { u32_filter(out, index, verb, "flowid 1:1"); }

void u32_mirred(TextBuffer& out, u64 index, Verb verb) {
    u32_filter(out, index, verb, "action mirred egress redirect dev d1");
}

constexpr u64 u32_most = 0x7fe * u32_filters_a_table;

void setup_flower(TextBuffer& out, u64 /*count*/) {
    two_devices(out);
    out << "tc qdisc add dev d0 clsact\n";
}

/// As the kernel's tools/testing/selftests/tc-testing/tdc_batch.py makes them: each its own handle, source and
/// destination.
void flower(TextBuffer& out, u64 index, Verb verb) {
    out << "filter " << verb_word(verb) << " dev d0 ingress protocol ip prio 1 handle ";
    out.decimal(index + 1) << " flower";
    if (verb == Verb::remove) return;
    mac(out << " src_mac ", "e4:11", index);
    mac(out << " dst_mac ", "e4:12", index);
    out << " action drop";
}

void setup_mixed(TextBuffer& out, u64 count) {
    setup_u32(out, count / 5 + 1);
    out << "ip link add b0 type bridge\nip link set b0 up\nip link set d1 master b0\n";
}

void mixed(TextBuffer& out, u64 index, Verb verb) {
    auto const each = index / 5;
    switch (index % 5) {
        case 0:
            return routes4(out << "ip ", each, verb);
        case 1:
            return routes6(out << "ip -6 ", each, verb);
        case 2:
            return neigh(out << "ip ", each, verb);
        case 3:
            mac(out << "bridge fdb " << verb_word(verb) << ' ', "02:00", each);
            out << " dev d1 master static";
            return;
        default:
            return u32_flowid(out << "tc ", each, verb);
    }
}

constexpr Workload workloads[] = {
    {"routes4", "ip", "IPv4 host routes on one device", ipv4_addresses, setup_devices, routes4},
    {"routes6", "ip", "IPv6 /64 routes on one device", u64{1} << 32, setup_devices, routes6},
    {"ecmp", "ip", "IPv4 host routes with two nexthops", ipv4_addresses, setup_ecmp, ecmp},
    {"fdb", "bridge", "static forwarding entries of a bridge's port", u64{1} << 32, setup_fdb, fdb},
    {"neigh", "ip", "permanent IPv4 neighbours", ipv4_addresses, setup_devices, neigh},
    {"htb", "tc", "classes of one htb qdisc", 65534, setup_htb, htb},
    {"u32", "tc", "u32 filters in hash tables, one match and a flowid", u32_most, setup_u32, u32_flowid},
    {"u32-mirred", "tc", "the same with a mirred action", u32_most, setup_u32, u32_mirred},
    {"flower", "tc", "flower filters with unique MACs and drop (needs cls_flower, act_gact)", u64{1} << 32,
     setup_flower, flower},
    {"mixed", "nlstream", "IPv4 and IPv6 routes, neighbours, fdb entries and u32 filters in turn", u64{5} * u32_most,
     setup_mixed, mixed},
};

Workload const& find(std::string_view name) {
    for (auto const& workload : workloads)
        if (workload.name == name) return workload;
    throw std::invalid_argument("no workload is called " + std::string(name) + " (see --list)");
}

/// Repeats the line before every `period`-th one in its place, which the kernel then refuses: it exists (or no longer
/// does). 0: no line is bad.
void print(TextBuffer& out, Workload const& workload, u64 count, Verb verb, u64 period) {
    for (u64 i = 0; i < count; ++i) {
        auto const bad = period != 0 && i % period == period - 1;
        workload.line(out, bad ? i - 1 : i, verb);
        out.end_line();
    }
}

int run(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description shown(
        "Prints batch lines, or with --setup the lines that make what these name.\n"
        "workload NAME COUNT [OPTIONS]");
    double bad = 0;
    // clang-format off
    shown.add_options()
        ("setup", "print the set-up for NAME COUNT instead: lines that begin with ip or tc")
        ("delete", "print the lines that delete what the same NAME and COUNT add")
        ("bad", po::value(&bad)->value_name("PERCENT"),
         "make this share of the lines, at most 50, repeat the one before, which the kernel refuses")
        ("list", "print the workloads: name, tool, most lines, what it is")
        ("help", "print this");
    // clang-format on
    po::options_description all;
    std::string name;
    u64 count = 0;
    all.add(shown).add_options()("name", po::value(&name))("count", po::value(&count));
    po::positional_options_description places;
    places.add("name", 1).add("count", 1);
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(all).positional(places).run(), given);
    po::notify(given);

    if (given.contains("help")) return std::cout << shown, 0;
    TextBuffer out(STDOUT_FILENO);
    if (given.contains("list")) {
        for (auto const& workload : workloads) {
            out << workload.name << '\t' << workload.tool << '\t';
            out.decimal(workload.most) << '\t' << workload.help;
            out.end_line();
        }
        out.flush();
        return 0;
    }
    auto const& workload = find(name);
    if (count == 0) throw std::invalid_argument("COUNT is missing or zero");
    if (count > workload.most)
        throw std::invalid_argument(name + " has at most " + std::to_string(workload.most) + " lines");
    if (bad < 0 || bad > 50) throw std::invalid_argument("--bad takes 0 to 50 percent");
    if (given.contains("setup"))
        workload.setup(out, count);
    else
        print(out, workload, count, given.contains("delete") ? Verb::remove : Verb::add,
              bad == 0 ? 0 : static_cast<u64>(std::lround(100 / bad)));
    out.flush();
    return 0;
}

}  // namespace
}  // namespace nlstream::perf

int main(int argc, char** argv) {
    try {
        return nlstream::perf::run(argc, argv);
    } catch (std::exception const& error) {
        std::cerr << "workload: " << error.what() << '\n';
        return 2;
    }
}
