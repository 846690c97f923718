"""BPF programs in object files: loaded, attached and listed as iproute2 does it."""

import json
import os
import re
import resource
import sys
import unittest

from streaming import NLSTREAM, PROJECT, VETH, in_fresh, main, nlstream, on_terminal, own_mount, run, undrawn

OBJECTS = os.path.join(PROJECT, "test/data/bpf")
PROGRAMS = OBJECTS + "/programs.o"
CLSACT = VETH + ["tc qdisc add dev v0 clsact"]


def filters():
    """What tc lists, without the program's number, which is another one each time."""
    return re.sub(r" id \d+", "", run(["tc", "filter", "show", "dev", "v0", "ingress"]).stdout)


def programs():
    """Link -> the name of its XDP program and where it runs."""
    links = json.loads(run(["ip", "-j", "-d", "link", "show"]).stdout)
    return {link["ifname"]: (link["xdp"]["prog"].get("name"), link["xdp"]["mode"]) for link in links if "xdp" in link}


def kernel_has(line):
    """Whether iproute2 applies the line here."""
    tool, rest = line.split(None, 1)
    return in_fresh(CLSACT, [rest], lambda path: run([tool, "-batch", path])).returncode == 0


def own_bpffs():
    """A bpffs that goes with this process; False where none can be had."""
    return own_mount("bpf", "/sys/fs/bpf")


CLASSIFY = f"tc filter add dev v0 ingress protocol ip prio 1 bpf da object-file {PROGRAMS} section custom"


class Programs(unittest.TestCase):
    def need(self, line):
        if not kernel_has(line):
            self.skipTest(f"iproute2 cannot have the kernel do it either: {line}")

    def test_a_filter_is_listed_as_by_iproute2(self):
        self.need(CLASSIFY)
        for words in (f"bpf da object-file {PROGRAMS} section custom", f"bpf obj {PROGRAMS}", f"bpf run obj {PROGRAMS} sec none program second"):
            line = f"filter add dev v0 ingress protocol ip prio 1 {words} classid 1:1"
            ours = in_fresh(CLSACT, [line], lambda path: (nlstream(path, "--syntax", "tc").counts, filters()))
            theirs = in_fresh(CLSACT, [line], lambda path: (run(["tc", "-batch", path]).returncode, filters()))
            self.assertEqual((ours[0]["applied"], theirs[0]), (1, 0))
            self.assertIn("programs.o:[", ours[1])
            self.assertEqual(ours[1], theirs[1])

    def test_an_action(self):
        line = f"actions add action bpf obj {PROGRAMS} drop index 7"
        self.need("tc " + line)

        def listed():
            return re.sub(r" id \d+", "", run(["tc", "actions", "list", "action", "bpf"]).stdout)
        ours = in_fresh([], [line], lambda path: (nlstream(path, "--syntax", "tc").counts["applied"], listed()))
        theirs = in_fresh([], [line], lambda path: (1, run(["tc", "-batch", path]) and listed()))
        self.assertIn("programs.o:[action]", ours[1])
        self.assertEqual(ours, theirs)

    def test_xdp(self):
        lines = [f"link set dev v0 xdpgeneric object {PROGRAMS} program pass", f"link set v1 xdp obj {PROGRAMS} verbose"]
        self.need("ip " + lines[0])
        ours = in_fresh(VETH, lines, lambda path: (nlstream(path, "--syntax", "ip").counts["applied"], programs()))
        theirs = in_fresh(VETH, lines, lambda path: (2, run(["ip", "-batch", path]) and programs()))
        self.assertEqual(ours, theirs)
        self.assertEqual({link: name for link, (name, _) in ours[1].items()}, {"v0": "pass", "v1": "pass"})

    def test_what_the_verifier_said_is_in_the_error(self):
        self.need(CLASSIFY)
        line = f"tc filter add dev v0 ingress bpf da obj {PROGRAMS} section refused"
        said = in_fresh(CLSACT, [line], nlstream)
        self.assertEqual(said.counts["rejected"], 1)
        self.assertIn("!read_ok", said.text)
        self.assertNotIn("libbpf:", said.text)
        self.assertIn("libbpf:", in_fresh(CLSACT, [line + " verbose"], nlstream).text)

    def test_what_the_loader_says_and_progress_mix_with_nothing(self):
        self.need(CLASSIFY)
        line = f"tc filter replace dev v0 ingress protocol ip prio 1 handle 1 bpf da obj {PROGRAMS} verbose"
        status, shown = in_fresh(CLSACT, [line] * 300, lambda path: on_terminal([NLSTREAM, path]))
        self.assertEqual(status, 0, shown)
        self.assertIn(" in flight, ", shown)
        self.assertNotIn(" in flight, ", undrawn(shown))
        said = [row for row in undrawn(shown).split("\n") if "libbpf:" in row]
        self.assertGreater(len(said), 300)
        self.assertEqual([row for row in said if not row.startswith("libbpf:")], [])

    def test_a_check_loads_nothing(self):
        line = f"tc filter add dev v0 ingress bpf da obj {PROGRAMS} section refused"
        said = in_fresh(CLSACT, [line], lambda path: run([NLSTREAM, "--check", path]))
        self.assertEqual(said.returncode, 0, said.stderr)
        emitted = in_fresh(CLSACT, [line], lambda path: run([NLSTREAM, "--check", "--emit", "bin", path]))
        self.assertIn("good for one process only", emitted.stderr)

    def test_more_descriptors_than_a_process_may_have(self):
        self.need(CLASSIFY)
        program = f"tc filter replace dev v0 ingress protocol ip prio 1 handle 1 bpf da obj {PROGRAMS}"
        for line in (program, "ip link set v0 netns /proc/self/ns/net"):
            def few():
                resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
            said = in_fresh(CLSACT, [line] * 3000, lambda path: nlstream(path, preexec_fn=few))
            self.assertEqual(said.counts["applied"], 3000, said.text)

    def test_maps_are_pinned_where_iproute2_pins_them(self):
        self.need(CLASSIFY)
        line = f"filter add dev v0 ingress protocol ip prio 1 bpf da obj {OBJECTS}/pinned_map.o"

        def pinned(*command):
            def action(path):
                if not own_bpffs():
                    return None
                done = run([*command, path])
                return done.returncode, [(folder, files) for folder, _, files in os.walk("/sys/fs/bpf/tc")]
            return in_fresh(CLSACT, [line], action)
        ours = pinned(NLSTREAM, "-q", "--syntax", "tc")
        if ours is None:
            self.skipTest("no bpffs can be mounted")
        self.assertIn(("/sys/fs/bpf/tc/globals", ["seen"]), ours[1])
        self.assertEqual(ours, pinned("tc", "-batch"))


if __name__ == "__main__":
    if "libbpf" in run([NLSTREAM, "--check", "-"], input=f"tc filter add dev lo ingress bpf obj {PROGRAMS}\n").stderr:
        print("skipped: nlstream was built without libbpf")
        sys.exit(77)
    main()
