"""ip ... flush: what goes and what stays is what iproute2's own flush deletes and leaves."""

import json
import os
import re
import shutil
import struct
import tempfile
import unittest

from streaming import NLSTREAM, PORTION, VETH, listing, main, nlstream, run, run_in_fresh, with_file

LINKS = VETH + ["ip link set lo up", "ip link add br0 address 02:00:00:00:00:03 type bridge", "ip link set br0 addrgenmode none", "ip link set br0 up", "ip address add 198.51.100.1/24 dev br0",
                "ip address add 2001:db8:1::1/64 dev v0 nodad", "ip address add 2001:db8:2::1/64 dev br0 nodad"]

ROUTES = [
    "10.1.0.0/24 dev v0", "10.1.1.0/24 dev v0 proto static", "10.1.1.128/25 dev v0 proto static metric 7", "10.2.0.0/16 via 192.0.2.7 proto bird", "10.3.0.0/16 via 192.0.2.8 tos 0x10",
    "10.4.0.0/16 dev br0 scope link metric 5", "blackhole 10.6.0.0/16", "unreachable 10.7.0.0/16 metric 9",
    "10.8.0.0/16 dev v0 src 192.0.2.1 realms 3/4", "10.9.0.0/16 dev v0 table 100", "default via 198.51.100.9", "local 10.10.0.0/16 dev lo table 100", "10.11.0.0/16 dev br0 table 100 proto static",
    "throw 10.12.0.0/16 table 101",
]
ROUTES6 = ["2001:db8:10::/48 dev v0", "2001:db8:10:1::/64 dev v0 proto static", "2001:db8:11::/48 via 2001:db8:1::9 metric 7", "unreachable 2001:db8:12::/48", "2001:db8:13::/48 dev br0 table 100",
           "default via 2001:db8:2::9", "2001:db8:16::/48 from 2001:db8:99::/48 dev v0"]
ROUTE_FLUSHES = [
    "table main", "table 100", "table all", "dev v0", "oif br0 table all", "proto static", "proto static table all", "protocol all", "scope link", "scope global", "type blackhole", "type unicast",
    "metric 7", "priority 5", "via 192.0.2.7", "via 192.0.2.0/24", "via inet 198.51.100.9", "src 192.0.2.1", "realms 3/4", "realms 4", "realms 3/", "tos 0x10", "10.1.1.0/24", "to 10.1.1.0/24", "exact 10.1.1.0/24",
    "root 10.1.0.0/16", "to root 10.1.1.0/24", "match 10.1.1.200", "to match 10.1.1.128/25", "default", "root 10.0.0.0/8 proto static dev v0", "10.99.0.0/16", "root 0/0 dev br0 metric 5", "all", "iif v0", "mark 1",
]
ROUTE6_FLUSHES = ["table main", "proto static", "dev v0", "root 2001:db8:10::/48", "match 2001:db8:10:1::5", "2001:db8:12::/48", "table all", "table 100", "via 2001:db8:1::9", "metric 7", "default", "type unreachable",
                  "from 2001:db8:99::/48", "from root 2001:db8::/32", "table local dev v0"]

ADDRESSES = [
    "address add 192.0.2.2/24 dev v0", "address add 192.0.2.3/32 dev v0 scope host", "address add 203.0.113.1/24 dev v0 label v0:one valid_lft 4000 preferred_lft 3000",
    "address add 203.0.113.2/24 dev v0", "address add 203.0.113.1/25 dev v1", "address add 2001:db8:1::2/64 dev v0 nodad", "address add fe80::5/64 dev v0 nodad",
    "address add 2001:db8:1::3/64 dev v0 valid_lft 4000 preferred_lft 0 nodad", "address add 198.51.100.2/24 dev br0 noprefixroute",
]
ADDRESS_FLUSHES = [
    "dev v0", "v0", "dev br0", "scope host dev v0", "scope global", "to 203.0.113.0/24", "to 203.0.113.1", "dev v0 primary", "dev v0 -secondary", "dev v0 secondary", "dev v0 dynamic", "dev v0 permanent",
    "dev v0 -dynamic", "label v0:*", "label v?", "dev v0 deprecated", "dev v0 nodad", "noprefixroute", "to 2001:db8::/32", "dev v0 scope link", "dev v0 to 192.0.2.0/24 secondary", "scope all dev br0",
]

NEIGHBOURS = [
    "neigh add 192.0.2.10 lladdr 02:00:00:00:00:10 dev v0 nud permanent", "neigh add 192.0.2.11 lladdr 02:00:00:00:00:11 dev v0 nud reachable", "neigh add 192.0.2.12 lladdr 02:00:00:00:00:12 dev v0 nud stale",
    "neigh add 192.0.2.13 lladdr 02:00:00:00:00:13 dev v0 nud noarp", "neigh add 192.0.2.14 dev v0 nud failed", "neigh add 198.51.100.11 lladdr 02:00:00:00:00:14 dev br0 nud reachable protocol static",
    "neigh add 192.0.2.15 lladdr 02:00:00:00:00:15 dev v0 extern_learn nud noarp", "neigh add proxy 192.0.2.16 dev v0", "neigh add 2001:db8:1::10 lladdr 02:00:00:00:00:16 dev v0 nud stale",
    "neigh add 2001:db8:1::11 lladdr 02:00:00:00:00:17 dev v0 nud permanent",
]
NEIGHBOUR_FLUSHES = [
    "dev v0", "dev br0", "all", "nud all", "nud permanent", "nud stale nud reachable", "nud noarp dev v0", "to 192.0.2.12", "192.0.2.8/29", "proxy dev v0", "protocol static", "unused", "nud all dev v0 to 192.0.2.0/24",
    "nomaster", "nud failed", "nud none",
]

RULES = [
    "rule add pref 100 from 10.0.0.0/8 lookup 5", "rule add pref 101 from 10.1.0.0/16 lookup 6", "rule add pref 102 to 192.0.2.0/24 lookup 5 protocol static", "rule add pref 103 fwmark 1/3 lookup 7", "rule add pref 104 fwmark 1 lookup 7",
    "rule add pref 105 iif v0 lookup 8", "rule add pref 106 oif v0 lookup 8", "rule add pref 107 tos 0x10 lookup 9", "rule add pref 108 not from 10.2.0.0/16 lookup 9", "rule add pref 109 uidrange 5-7 lookup 9",
    "rule add pref 110 ipproto tcp sport 80 lookup 10", "rule add pref 111 ipproto udp dport 1-9 lookup 10", "rule add pref 112 blackhole", "rule add pref 113 lookup 300", "rule add pref 114 tun_id 77 lookup 9",
    "-6 rule add pref 100 from 2001:db8::/32 lookup 5",
]
RULE_FLUSHES = [
    "", "pref 100", "order 101", "from 10.0.0.0/8", "from 10.1.0.0/16", "to 192.0.2.0/24", "192.0.2.0/28", "fwmark 1", "fwmark 1/3", "iif v0", "oif v0", "dev v0", "tos 0x10", "not", "uidrange 5-7", "ipproto tcp", "sport 80", "dport 1-9",
    "lookup 5", "table 300", "protocol static", "protocol all", "tun_id 77", "l3mdev", "lookup main",
]

NEXTHOPS = [
    "nexthop add id 1 via 192.0.2.7 dev v0", "nexthop add id 2 via 198.51.100.7 dev br0 protocol static", "nexthop add id 3 blackhole", "nexthop add id 10 group 1/2", "nexthop add id 11 group 1",
    "nexthop add id 20 via 192.0.2.8 fdb", "nexthop add id 21 group 20 fdb", "nexthop add id 4 via 2001:db8:1::7 dev v0", "route add 10.20.0.0/16 nhid 1", "route add 10.21.0.0/16 nhid 10", "route add 10.22.0.0/16 dev v0",
]
NEXTHOP_FLUSHES = ["", "dev v0", "dev br0", "groups", "protocol 4", "fdb", "id 2", "id 10"]


def left_after(setup, flush, shown, ours):
    """(exit status, what is listed then) of one flush in a fresh namespace."""

    def action():
        for option in ([], ["-6"]):  # No batch of ip may name a family.
            lines = [line.removeprefix("-6 ") for line in setup if line.startswith("-6 ") == bool(option)]
            with_file(lines, lambda path: run(["ip", *option, "-force", "-batch", path]))
        words = flush.split()
        family = [words.pop(0)] if words[0] in ("-4", "-6") else []
        lines = [" ".join(words)]
        if ours:
            status = with_file(lines, lambda path: nlstream(path, "--syntax", "ip", *family, "-q").status)
        else:
            # Not as a batch: there ip asks for a list that the kernel does not filter, and "dev" then takes routes without a device, too.
            status = run(["ip", *family, *words]).returncode
        # What the kernel tells multicast listeners comes and goes, and lifetimes run down.
        return status, [[re.sub(r"[1-9]\d*sec", "..sec", row) for row in rows if "ff02::" not in row] for rows in listing(*shown)]

    return run_in_fresh(LINKS, action)


# Deletion -> bytes of its fixed header, and the attributes that tell the time.
DELETIONS = {25: (12, {12}), 21: (8, {6}), 29: (12, {3, 4}), 105: (8, set()), 33: (12, set()), 73: (12, set())}


def deletions(trace):
    """The deletions among what a program sent, by what `strace -e write=all` wrote: without numbers, wish for an answer, and time; sorted."""
    sent, found = [], []
    for offset, row in re.findall(r"^ \| ([0-9a-f]{5})  (.{49})", trace, re.M):
        if int(offset, 16) == 0:
            sent.append(b"")
        sent[-1] += bytes.fromhex(row)
    for data in sent:
        while len(data) >= 16:
            length, kind, flags = struct.unpack_from("=IHH", data)
            if length < 16:  # Something else than netlink was sent.
                break
            message, data = data[:length], data[(length + 3) & ~3:]
            header, times = DELETIONS.get(kind, (length, set()))
            if length < 16 + header:  # No deletion, or the one without a body by which nlstream asks whether it may.
                continue
            parts, at = [(kind, flags & ~4, message[16:16 + header].hex())], 16 + header
            while at + 4 <= length:
                size, attribute = struct.unpack_from("=HH", message, at)
                parts.append((attribute, "time" if attribute in times else message[at + 4:at + size].hex()))
                at += (size + 3) & ~3
            found.append(tuple(parts))
    return sorted(found)


def flushed(setup, lines, *shown):
    """What nlstream says of lines in a fresh namespace, and what is listed then."""

    def action():
        with_file(setup, lambda path: run(["ip", "-force", "-batch", path]))
        return with_file(lines, lambda path: nlstream(path)), listing(*shown)

    return run_in_fresh(LINKS, action)


class Flush(unittest.TestCase):
    def compare(self, setup, object_, flushes, *shown):
        for flush in flushes[::PORTION]:
            line = f"{object_} {flush}".strip()
            with self.subTest(line=line):
                ours, theirs = (left_after(setup, line, shown, which) for which in (True, False))
                self.assertEqual(ours[0] == 0, theirs[0] == 0)
                for our_list, their_list in zip(ours[1], theirs[1]):
                    self.assertEqual(sorted(set(our_list) - set(their_list)), [])
                    self.assertEqual(sorted(set(their_list) - set(our_list)), [])

    def test_the_deletions_are_those_of_iproute2(self):
        if not shutil.which("strace"):
            self.skipTest("no strace")
        routes = [f"route add {route}" for route in ROUTES] + [f"-6 route add {route}" for route in ROUTES6]
        cases = [(routes, "route flush table main"), (routes, "route flush proto static table all"), (routes, "-6 route flush root 2001:db8::/32"), (routes, "route flush root 10.1.0.0/16"), (ADDRESSES, "address flush dev v0"),
                 (NEIGHBOURS, "neigh flush dev v0"), (NEIGHBOURS, "neigh flush nud all dev br0"), (RULES, "rule flush"), (RULES, "rule flush protocol static"), (NEXTHOPS, "nexthop flush"),
                 (["addrlabel add prefix 2001:db8::/32 label 77"], "addrlabel flush")]

        def sent(setup, command):
            """What a command sends in a fresh namespace."""
            def action():
                for option in ([], ["-6"]):
                    with_file([line.removeprefix("-6 ") for line in setup if line.startswith("-6 ") == bool(option)], lambda path: run(["ip", *option, "-force", "-batch", path]))
                with tempfile.NamedTemporaryFile("r") as trace:
                    run(["strace", "-f", "-o", trace.name, "-e", "trace=sendto,sendmsg", "-e", "write=all", *command])
                    return trace.read()
            return deletions(run_in_fresh(LINKS, action))

        for setup, flush in cases:
            with self.subTest(line=flush):
                theirs = sent(setup, ["ip", *flush.split()])
                ours = with_file(["ip " + flush], lambda path: sent(setup, [NLSTREAM, "-q", path]))
                self.assertTrue(theirs)
                self.assertEqual(ours, theirs)

    def test_routes(self):
        self.compare([f"route add {route}" for route in ROUTES], "route flush", ROUTE_FLUSHES, "ip route show table all")

    def test_routes_of_ipv6(self):
        self.compare([f"-6 route add {route}" for route in ROUTES6], "-6 route flush", ROUTE6_FLUSHES, "ip -6 route show table all")

    def test_routes_of_nexthop_objects(self):
        # The kernel refuses what iproute2 makes of such routes.
        six = ["route add 2001:db8:20::/48 nhid 4"]
        said, left = flushed(NEXTHOPS + six, ["route flush root 10.0.0.0/8", "ip -6 route flush root 2001:db8:20::/48"], "ip route show root 10.0.0.0/8", "ip -6 route show 2001:db8:20::/48", "ip nexthop")
        self.assertEqual(said.counts["applied"], 2, said.text)
        self.assertEqual(left[:2], [[], []])
        self.assertGreater(len(left[2]), 3)

    def test_a_device_has_the_routes_with_a_nexthop_there(self):
        setup = ["route add 10.5.0.0/16 nexthop via 192.0.2.7 nexthop via 198.51.100.7", "route add blackhole 10.6.0.0/16", "route add 10.7.0.0/16 dev br0"]
        said, (routes,) = flushed(setup, ["route flush dev v0 root 10.0.0.0/8"], "ip route show root 10.0.0.0/8")
        self.assertEqual(said.counts["applied"], 1)
        self.assertEqual([row.split()[:2] for row in routes], [["10.7.0.0/16", "dev"], ["blackhole", "10.6.0.0/16"]])

    def test_local_routes_in_the_main_table_are_routes_of_the_main_table(self):
        said, (routes,) = flushed(["route add local 2001:db8:15::/64 dev lo table main"], ["ip -6 route flush table main"], "ip -6 route show table main")
        self.assertEqual(said.counts["applied"], 1)
        self.assertEqual(routes, [])

    def test_what_is_in_flight_is_flushed_too(self):
        lines = [line for number in range(300) for line in (f"route add 10.0.{number % 256}.0/24 dev v0 metric {number}", f"route add 10.1.{number % 256}.0/24 dev v0 metric {number}")]
        said, (routes,) = flushed([], [*lines, "route flush root 10.0.0.0/16", "route add 10.0.0.0/24 dev v0", "route flush root 10.1.0.0/16", "route add 10.1.1.0/24 dev v0"], "ip route show root 10.0.0.0/8")
        self.assertEqual(said.counts["applied"], 604)
        self.assertEqual([row.split()[0] for row in routes], ["10.0.0.0/24", "10.1.1.0/24"])

    def test_nothing_to_flush_is_no_failure(self):
        said, _ = flushed([], ["route flush table 77", "nexthop flush", "nexthop flush", "route flush root 10.0.0.0/8", "neigh flush dev v0", "address flush dev v1"])
        self.assertEqual(said.counts["applied"], 6)

    def test_the_primary_address_takes_its_secondaries_with_it(self):
        setup = [f"address add 10.0.{number // 200}.{number % 200 + 1}/16 dev v0" for number in range(1000)]
        for promote in (0, 1):

            def action():
                with open("/proc/sys/net/ipv4/conf/v0/promote_secondaries", "w") as file:
                    file.write(str(promote))
                with_file(setup, lambda path: run(["ip", "-batch", path]))
                return with_file(["address flush dev v0"], lambda path: nlstream(path, "--syntax", "ip")), listing("ip -4 address show dev v0")

            said, (addresses,) = run_in_fresh(LINKS, action)
            self.assertEqual(said.counts["applied"], 1, said.text)
            self.assertEqual(addresses, [])

    def test_many(self):
        routes = [f"route add 10.{number >> 16}.{number >> 8 & 255}.{number & 255}/32 dev v0 proto {'static' if number % 3 else 'bird'}" for number in range(100000 // PORTION)]
        said, (left,) = flushed([], [*routes, "route flush proto static"], "ip route show root 10.0.0.0/8")
        self.assertEqual((said.counts["lines"], said.counts["applied"]), (len(routes) + 1, len(routes) + 1))
        self.assertEqual(len(left), (len(routes) + 2) // 3)
        addresses = [f"address add 10.{number >> 8}.{number & 255}.1/24 dev v0" for number in range(10000)]
        said, (left,) = flushed([], [*addresses, "address flush dev v0 to 10.0.0.0/8"], "ip -4 address show dev v0 to 10.0.0.0/8")
        self.assertEqual(said.counts["applied"], 10001)
        self.assertEqual(left, [])
        neighbours = [f"neigh add 10.{number >> 8}.{number & 255}.1 lladdr 02:00:00:00:00:01 dev v0 nud permanent" for number in range(20000)]
        said, (left,) = flushed([], [*neighbours, "neigh flush dev v0 nud permanent"], "ip neighbour show nud permanent")
        self.assertEqual(said.counts["applied"], 20001)
        self.assertEqual(left, [])

    def test_addresses(self):
        self.compare(ADDRESSES, "address flush", ADDRESS_FLUSHES, "ip address", "ip route show table all")

    def test_addresses_by_what_their_link_is(self):
        # What iproute2 passes over here (it deletes all addresses) selects what it would show.
        setup = ["link add d0 type ifb", "link set d0 master br0 group 7", "link add d1 type ifb", "link set d1 group 7"]
        addresses = [f"address add 10.9.{number}.1/24 dev {name}" for number, name in enumerate(("lo", "v0", "v1", "br0", "d0", "d1"))]
        cases = {"up": "lo v0 v1 br0", "down": "d0 d1", "group 7": "d0 d1", "group default up": "lo v0 v1 br0", "master br0": "d0", "nomaster": "lo v0 v1 br0 d1", "type ifb": "d0 d1", "type bridge_slave": "d0",
                 "type nosuch": "", "type ifb nomaster": "d1", "type veth up dev v0": "v0", "down type veth": "", "up down": ""}
        for words, names in cases.items():
            with self.subTest(words=words):
                said, (left,) = flushed(setup + addresses, [f"address flush {words} to 10.9.0.0/16"], "ip -o -4 address show to 10.9.0.0/16")
                self.assertEqual(said.counts["applied"], 1, said.text)
                self.assertEqual({row.split()[1] for row in left}, {"lo", "v0", "v1", "br0", "d0", "d1"} - set(names.split()))

    def test_what_belongs_to_a_vrf(self):
        setup = ["link add blue type vrf table 77", "link set blue up", "link set br0 master blue", "route add 10.1.0.0/16 vrf blue dev br0", "route add 10.2.0.0/16 vrf blue dev br0 proto static", "route add 10.3.0.0/16 dev v0",
                 "neigh add 198.51.100.9 lladdr 02:00:00:00:00:09 dev br0 nud stale", "neigh add 192.0.2.9 lladdr 02:00:00:00:00:09 dev v0 nud stale", "nexthop add id 1 via 198.51.100.2 dev br0", "nexthop add id 2 via 192.0.2.2 dev v0"]
        if run_in_fresh([], lambda: run(["ip", *setup[0].split()]).returncode):
            self.skipTest("the kernel has no VRFs")
        self.compare(setup, "route flush", ["vrf blue", "vrf blue proto static", "table 77"], "ip route show table all")
        self.compare(setup, "-6 route flush", ["vrf blue"], "ip -6 route show table all")
        self.compare(setup, "neigh flush", ["vrf blue", "master blue", "nomaster"], "ip neigh")
        self.compare(setup, "nexthop flush", ["vrf blue", "master blue"], "ip nexthop")
        # iproute2 passes over these words of address flush, and deletes all.
        for words in ("vrf blue", "master blue"):
            said, (within, beside) = flushed(setup, [f"ip -4 address flush {words}"], "ip -o -4 address show dev br0", "ip -o -4 address show dev v0")
            self.assertEqual((said.counts["applied"], within, len(beside)), (1, [], 1), said.text)

    def test_neighbours(self):
        self.compare(NEIGHBOURS, "neighbour flush", NEIGHBOUR_FLUSHES, "ip neighbour show nud all", "ip neighbour show proxy")

    def test_rules(self):
        self.compare(RULES, "rule flush", RULE_FLUSHES, "ip rule", "ip -6 rule")
        self.compare(RULES, "-6 rule flush", ["", "from 2001:db8::/48", "pref 5"], "ip rule", "ip -6 rule")

    def test_nexthops(self):
        self.compare(NEXTHOPS, "nexthop flush", NEXTHOP_FLUSHES, "ip nexthop", "ip route show table all")

    def test_address_labels(self):
        self.compare(["addrlabel add prefix 2001:db8::/32 label 77"], "addrlabel flush", [""], "ip addrlabel")


if __name__ == "__main__":
    main()
