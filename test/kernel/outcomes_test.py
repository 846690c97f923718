"""Good and bad lines mixed: the same are applied, the same fail, for the same reasons, as with iproute2."""

import random
import unittest

from streaming import (NLSTREAM, VETH, in_fresh, iproute2_failures, listing, main, needs_user_namespaces, nlstream, run, run_in_fresh,
                       same_reason, with_file)

SET_UP = VETH + ["ip link add br0 address 02:00:00:00:00:03 type bridge", "ip link set v0 master br0"]

LISTINGS = {
    "ip": ("ip -j -4 route show table all", "ip -j -6 route show table all", "ip -j address",
           "ip -j neigh show nud all"),
    "tc": ("tc -j qdisc show dev v0", "tc -j class show dev v0", "tc -j filter show dev v0 ingress"),
    "bridge": ("bridge -j fdb show",),
}


def window_and_ack(*modes):
    return [("--window", str(window), "--ack", ack) for window in (1, 2, 7, 256, 4096) for ack in modes]


def ip_lines(count, seed):
    """Routes, addresses and neighbours that are added twice, deleted when absent, and sent through nowhere."""
    pick = random.Random(seed)
    lines = []
    for _ in range(count):
        host = f"10.1.{pick.randrange(3)}.{pick.randrange(30)}"
        lines.append(pick.choice([
            f"route add {host} dev v0",
            f"route add {host} dev v0",
            f"route add {host} via 192.0.2.{pick.randrange(2, 9)}",
            f"route add {host} via 203.0.113.1",
            f"route del {host}",
            f"route replace {host} dev lo metric {pick.randrange(3)}",
            f"route append {host} dev v0 table {100 + pick.randrange(3)}",
            f"route change {host} dev v0",
            f"route add 2001:db8:{pick.randrange(20):x}::/64 dev v0",
            # One that is refused would end iproute2, -force or not.
            f"neigh replace {host} lladdr 02:00:00:00:00:{pick.randrange(256):02x} dev v0 nud permanent",
            f"address add 192.0.2.{pick.randrange(2, 20)}/24 dev v0",
            f"address del 192.0.2.{pick.randrange(2, 20)}/24 dev v0",
            "# a comment",
            "",
        ]))
    return lines


def tc_lines(count, seed):
    pick = random.Random(seed)
    lines = ["qdisc add dev v0 root handle 1: htb default 1", "qdisc add dev v0 clsact"]
    ingress = "dev v0 ingress protocol ip pref 9"
    for _ in range(count):
        minor = pick.randrange(1, 60)
        lines.append(pick.choice([
            f"class add dev v0 parent 1: classid 1:{minor:x} htb rate {pick.randrange(1, 90)}mbit",
            f"class add dev v0 parent 1:{pick.randrange(1, 60):x} classid 1:{minor:x} htb rate 1mbit",
            f"class del dev v0 classid 1:{minor:x}",
            f"class change dev v0 classid 1:{minor:x} htb rate {pick.randrange(1, 90)}mbit",
            f"qdisc add dev v0 parent 1:{minor:x} handle {minor + 16:x}: pfifo limit {pick.randrange(1, 99)}",
            f"qdisc del dev v0 parent 1:{minor:x}",
            f"filter add {ingress} handle 800::{minor:x} u32 match ip dst 10.0.0.{minor} flowid 1:1",
            f"filter del {ingress} handle 800::{minor:x} u32",
        ]))
    return lines


def bridge_lines(count, seed):
    pick = random.Random(seed)
    lines = []
    for _ in range(count):
        address = f"02:00:5e:00:00:{pick.randrange(60):02x}"
        lines.append(pick.choice([
            f"fdb add {address} dev v0 master static",
            f"fdb add {address} dev v0 self",
            f"fdb replace {address} dev v0 master static",
            f"fdb del {address} dev v0 master",
            f"fdb del {address} dev v0 self",
        ]))
    return lines


class Outcomes(unittest.TestCase):
    def expected(self, tool, lines, *options):
        """Failures and listings of iproute2 itself."""

        def stream(path):
            done = run([tool, *options, "-batch", path])
            return iproute2_failures(done, path), listing(*LISTINGS[tool])

        return in_fresh(SET_UP, lines, stream)

    def compare(self, tool, lines, *settings):
        failures, left = self.expected(tool, lines, "-force")
        commands = sum(1 for line in lines if line and not line.startswith("#"))
        for setting in settings:
            with self.subTest(setting=" ".join(setting)):
                said, ours_left = in_fresh(SET_UP, lines, lambda path: (
                    nlstream(path, "--syntax", tool, "--force", *setting), listing(*LISTINGS[tool])))
                self.assertEqual(sorted(said.failures), sorted(failures), said.text[-2000:])
                for line, theirs in failures.items():
                    self.assertTrue(same_reason(said.failures[line], theirs), (line, said.failures[line], theirs))
                self.assertEqual(ours_left, left)
                self.assertEqual(said.counts.get("lines", 0), commands)
                self.assertEqual(said.counts["applied"] + said.counts["failed"], commands)
                self.assertEqual(said.status, 1 if failures else 0)

    def test_ip_at_all_windows(self):
        self.compare("ip", ip_lines(800, 1), *window_and_ack("last", "each", "none"))

    def test_tc_at_all_windows(self):
        self.compare("tc", tc_lines(400, 2), *window_and_ack("last", "none"))

    def test_bridge_at_all_windows(self):
        self.compare("bridge", bridge_lines(400, 4), *window_and_ack("last", "none"))

    def test_coalescing_more_than_the_window_and_little(self):
        self.compare("ip", ip_lines(400, 3), ("--coalesce", "1"), ("--coalesce", "3", "--window", "5"),
                     ("--coalesce", "4096", "--window", "100"))

    def test_window_one_stops_where_iproute2_stops(self):
        for seed in range(8):
            lines = ip_lines(60, 100 + seed)
            failures, left = self.expected("ip", lines)
            said, ours_left = in_fresh(SET_UP, lines, lambda path: (
                nlstream(path, "--syntax", "ip", "--window", "1"), listing(*LISTINGS["ip"])))
            self.assertEqual(sorted(said.failures), sorted(failures))
            self.assertEqual(ours_left, left)

    def test_what_the_stop_report_says_is_what_the_kernel_has(self):
        lines = [f"route add 10.0.{number // 250}.{number % 250} dev v0" for number in range(2000)]
        lines[700] = lines[3]
        said, left = in_fresh(VETH, lines, lambda path: (
            nlstream(path, "--syntax", "ip", "--window", "128"), listing("ip -j route show root 10.0.0.0/16")))
        self.assertEqual(said.status, 1)
        self.assertEqual(list(said.failures), [701])
        self.assertEqual(said.counts["applied"], len(left[0]))
        after = len(left[0]) - 700
        self.assertIn(f"of the lines after the failed one, {after} had been sent already and were applied", said.text)
        self.assertRegex(said.text, rf"resume at \S+:{len(left[0]) + 2}\n")

    @needs_user_namespaces
    def test_a_user_without_the_right_gets_one_error(self):
        done = with_file(["route add 10.0.0.1 dev lo"], lambda path: run(["unshare", "--user", NLSTREAM, path]))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("CAP_NET_ADMIN"), 1, done.stderr)

    @needs_user_namespaces
    def test_a_user_namespace_is_enough(self):
        lines = ["link set lo up"] + [f"route add 10.0.0.{number} dev lo" for number in range(200)]
        own = ["unshare", "--map-root-user", "--net"]
        done = with_file(lines, lambda path: run(own + [NLSTREAM, "--window", "4096", "--syntax", "ip", path]))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("201 applied", done.stderr)


if __name__ == "__main__":
    main()
