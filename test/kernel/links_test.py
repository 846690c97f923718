"""Lines that make, rename and delete the links that the next lines name, at full speed; links that others change."""

import json
import subprocess
import time
import unittest

from streaming import NLSTREAM, in_fresh, listing, main, nlstream, run, run_in_fresh


def addresses():
    """Link, address and prefix length of each IPv4 address."""
    found = set()
    for item in map(json.loads, listing("ip -j -4 address")[0]):
        for address in item.get("addr_info", []):
            found.add((item["ifname"], address["local"], address["prefixlen"]))
    return found


class Links(unittest.TestCase):
    def stream(self, lines, *options):
        """What is said, and the addresses that are left."""
        return in_fresh([], lines, lambda path: (nlstream(path, "--syntax", "ip", *options), addresses()))

    def expect(self, lines, *options):
        """All lines are applied, and iproute2 leaves the same behind."""
        said, left = self.stream(lines, *options)
        self.assertEqual(said.counts["applied"], len(lines), said.text[-2000:])
        theirs = in_fresh([], lines, lambda path: (run(["ip", "-batch", path]).stderr, addresses()))
        self.assertEqual(theirs, ("", left))

    def test_a_link_is_made_and_used(self):
        lines = []
        for number in range(60):
            lines += [f"link add b{number} type bridge", f"link set b{number} up",
                      f"address add 10.0.{number}.1/24 dev b{number}"]
        self.expect(lines)
        self.expect(lines, "--window", "1")
        self.expect(lines, "--ack", "none")

    def test_a_link_is_renamed(self):
        lines = ["link add b0 type bridge"]
        for number in range(60):
            lines += [f"link set b{number} name b{number + 1}", f"address add 10.0.{number}.1/24 dev b{number + 1}"]
        self.expect(lines)

    def test_two_links_swap_their_names(self):
        lines = ["link add x0 type bridge", "link add y0 type bridge",
                 "address add 10.0.0.1/24 dev x0", "address add 10.0.0.2/24 dev y0"]
        for number in range(21):
            lines += ["link set x0 name z0", "link set y0 name x0", "link set z0 name y0",
                      f"address add 10.1.{number}.1/24 dev x0"]
        self.expect(lines)

    def test_a_link_is_deleted_and_made_again(self):
        lines = []
        for number in range(60):
            lines += ["link add y0 type bridge", f"address add 10.0.{number}.1/24 dev y0", "link delete y0"]
        self.expect(lines + ["link add y0 type bridge", "address add 10.9.9.9/24 dev y0"])

    def test_a_deleted_link_takes_its_peer_with_it(self):
        lines = ["link add x0 type veth peer name z0", "address add 10.0.0.1/24 dev z0", "link delete x0",
                 "link add z0 type bridge", "address add 10.0.0.2/24 dev z0"]
        said, left = self.stream(lines)
        # iproute2 6.1 takes the index of the first z0 for the second one's.
        self.assertEqual(said.status, 0, said.text)
        self.assertEqual(left, {("z0", "10.0.0.2", 24)})

    def test_a_link_that_could_not_be_made_is_missed(self):
        lines = ["link add y0 type bridge", "link add y0 type bridge", "link delete y0",
                 "address add 10.0.0.1/24 dev y0"]
        said, _ = self.stream(lines, "--force")
        self.assertEqual(sorted(said.failures), [2, 4])
        self.assertIn("there is no link", said.failures[4])
        said, _ = self.stream(["link add y0 type nosuchkind0", "address add 10.0.0.1/24 dev y0"])
        self.assertEqual(sorted(said.failures), [1])

    def test_links_that_others_change(self):
        """Another process replaces the link between two lines of a pipe."""

        def action():
            run(["ip", "link", "add", "y0", "type", "bridge"])
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                       text=True)

            def line_applied(line, address):
                process.stdin.write(line)
                process.stdin.flush()
                until = time.monotonic() + 10
                while time.monotonic() < until:
                    if address in run(["ip", "address", "show", "dev", "y0"]).stdout:
                        return True
                    time.sleep(0.01)
                return False

            first = line_applied("address add 10.0.0.1/24 dev y0\n", "10.0.0.1/24")
            run(["ip", "link", "delete", "y0"])
            run(["ip", "link", "add", "y0", "type", "bridge"])
            second = line_applied("address add 10.0.0.2/24 dev y0\n", "10.0.0.2/24")
            process.stdin.close()
            return first, second, process.wait(10), process.stderr.read()

        first, second, status, text = run_in_fresh([], action)
        self.assertTrue(first and second, text)
        self.assertEqual(status, 0)


if __name__ == "__main__":
    main()
