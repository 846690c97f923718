"""Links that go to other network namespaces, or lie on what is there: what nlstream leaves everywhere is what iproute2 leaves."""

import json
import os
import subprocess
import unittest

from streaming import NLSTREAM, main, nlstream, own_mount, run, run_in_fresh, with_file

NAMES = ("a", "b")
SET_UP = ["-n a link add low address 02:00:00:00:0a:01 type veth peer name high address 02:00:00:00:0a:02", "-n b link add pad address 02:00:00:00:0b:01 type bridge", "-n b netns set a 5", "netns set a 7"]
SET_UP += [f"link add d{number} address 02:00:00:00:00:0{number} type ifb" for number in range(8)]
ADDRESS = "address 02:00:00:00:01:"
VXLAN = ADDRESS + "0{0} type vxlan id {0} remote 192.0.2.9 dstport 478{0}"


def listed():
    """The links here and in each of the namespaces, with where their other ends are."""
    return [run(["ip", *where, "-j", "-p", "-d", "link", "show"]).stdout for where in ([], *(["-n", name] for name in NAMES))]


class Namespaces(unittest.TestCase):
    def among_namespaces(self, lines, action):
        """What `action(path)` returns where there are the namespaces of NAMES and a process in `b`, whose number stands for PID in the lines."""
        def here():
            if not own_mount("tmpfs", "/run"):
                return None
            os.mkdir("/run/netns")
            for command in [f"netns add {name}" for name in NAMES] + SET_UP:
                done = run(["ip", *command.split()])
                if done.returncode:
                    raise RuntimeError(f"{command}: {done.stderr}")
            with subprocess.Popen(["ip", "netns", "exec", "b", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as there:
                there.stdin.write(b"entered\n")
                there.stdin.flush()
                there.stdout.readline()
                found = with_file([line.replace("PID", str(there.pid)) for line in lines], action)
                there.stdin.close()
            return found
        found = run_in_fresh([], here, quiet=False)
        if found is None:
            self.skipTest("nothing can be mounted")
        return found

    def compare(self, lines):
        """All lines are applied, and leave what iproute2 leaves; returns the links in each namespace."""
        ours = self.among_namespaces(lines, lambda path: (nlstream(path, "--syntax", "ip", "--force"), listed()))
        self.assertEqual(ours[0].counts["applied"], len(lines), ours[0].text)
        theirs = self.among_namespaces(lines, lambda path: (run(["ip", "-force", "-batch", path]).stderr, listed()))
        self.assertEqual(theirs, ("", ours[1]))
        return ours[1]

    def test_links_are_moved(self):
        here, a, b = self.compare(["link set d0 netns a", "link set d1 netns a name moved mtu 1300", "link set d2 netns PID", "link set d3 netns /run/netns/b", "link set d4 netns /proc/PID/ns/net",
                                   "link add d0 " + ADDRESS + "01 type ifb", "link set d0 mtu 1400", "link set d0 name d9"])
        self.assertIn('"moved"', a)
        for name in ("d2", "d3", "d4"):
            self.assertIn(f'"{name}"', b)
        self.assertIn('"d9"', here)

    def test_links_are_made_elsewhere(self):
        self.compare(["link add x0 netns a " + ADDRESS + "01 type ifb", "link add x0 netns PID " + ADDRESS + "02 mtu 1300 type bridge",
                      "link add link d1 name x1 netns b " + ADDRESS + "03 type macvlan mode bridge", "link add x0 " + ADDRESS + "04 type ifb"])

    def test_peers_are_elsewhere(self):
        _, a, b = self.compare(["link add v0 " + ADDRESS + "01 type veth peer name v1 " + ADDRESS + "02 netns a", "link add v2 netns a " + ADDRESS + "03 type veth peer name v3 " + ADDRESS + "04 netns b",
                                "link add v4 " + ADDRESS + "05 type veth peer name v5 " + ADDRESS + "06 netns PID mtu 1300", "link set v0 up", "link set v4 netns a"])
        self.assertIn('"v1"', a)
        self.assertIn('"v3"', b)

    def test_the_lower_end_is_elsewhere(self):
        here, _, b = self.compare(["link add x0 link-netns a " + VXLAN.format(1), "link add x1 link-netnsid 7 " + VXLAN.format(2), "link add x2 netns b link-netnsid 5 " + VXLAN.format(3),
                                   "link add x3 link-netns b " + VXLAN.format(4)])
        self.assertIn('"link_netnsid": 7', here)
        self.assertIn('"link_netnsid": 5', b)

    def test_names_and_numbers_are_those_of_the_other_namespace(self):
        # As 7.1; 6.1 asks the namespace that it is in.
        lines = ["link add x0 netns b link-netns a " + VXLAN.format(1), "link add link low name x1 link-netns a " + ADDRESS + "05 type macvlan mode vepa"]
        found = self.among_namespaces(lines, lambda path: (nlstream(path, "--syntax", "ip").counts["applied"], [json.loads(text) for text in listed()]))
        self.assertEqual(found[0], 2)
        here, a, b = ({link["ifname"]: link for link in links} for links in found[1])
        self.assertEqual((here["x1"]["link_index"], here["x1"]["link_netnsid"]), (a["low"]["ifindex"], 7))
        self.assertEqual(b["x0"]["link_netnsid"], 5)

    def test_the_descriptor_is_open_until_the_kernel_has_taken_the_link(self):
        lines = [f"link add m{number} type ifb" for number in range(100)] + [f"link set m{number} netns {NAMES[number % 2]}" for number in range(100)]
        for options in ([], ["--window", "1"], ["--ack", "none"]):
            found = self.among_namespaces(lines, lambda path: (nlstream(path, "--syntax", "ip", *options).counts["applied"], [text.count('"m') for text in listed_names()]))
            self.assertEqual(found, (200, [0, 50, 50]))

    def test_a_namespace_that_is_not_there(self):
        said = self.among_namespaces(["link set d0 netns nowhere"], lambda path: run([NLSTREAM, path, "--syntax", "ip"]))
        self.assertIn('there is no network namespace "nowhere"', said.stderr)
        self.assertEqual(said.returncode, 1)


def listed_names():
    """The names of the links here and in each namespace."""
    return [run(["ip", *where, "-o", "link", "show"]).stdout.replace(": m", ': "m') for where in ([], *(["-n", name] for name in NAMES))]


if __name__ == "__main__":
    main()
