"""What is told of a stream: JSON that fits its schema and the kernel's state, progress that mixes with nothing, hints, and
what users without the right to change anything are told."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

from streaming import FRAME, NLSTREAM, PROJECT, VETH, main, needs_user_namespaces, on_terminal, run, run_in_fresh, undrawn, with_file

sys.path.append(os.path.join(PROJECT, "test/support"))
import json_schema  # noqa: E402


def routes():
    return len(run(["ip", "route", "show", "root", "10.0.0.0/8"]).stdout.splitlines())


def route_lines(count):
    return [f"route add 10.{number >> 16}.{number >> 8 & 255}.{number & 255} dev v0" for number in range(count)]


class Json(unittest.TestCase):
    def stream(self, lines, *options, setup=VETH):
        """The objects of a run, its exit status and errors, and the routes that are there."""
        done, left = run_in_fresh(setup, lambda: with_file(lines, lambda path: (run([NLSTREAM, "--syntax", "ip", "--json", *options, path]), routes())))
        objects = [json.loads(line) for line in done.stdout.splitlines()]
        schema = json_schema.load()
        for one in objects:
            self.assertEqual(json_schema.problems(one, schema), [], one)
        self.assertEqual(objects[-1]["type"], "summary")
        self.assertEqual(objects[-1]["exit_status"], done.returncode)
        self.assertEqual(done.stderr, "")
        return objects[:-1], objects[-1], left

    def test_all_applied(self):
        for ack in ("last", "each", "none"):
            with self.subTest(ack=ack):
                failures, summary, left = self.stream(route_lines(20000), "--ack", ack)
                self.assertEqual((failures, summary["exit_status"], left), ([], 0, 20000))
                self.assertEqual(summary["lines"], {"total": 20000, "applied": 20000, "ignored": 0, "failed": 0, "rejected": 0, "unsent": 0, "unknown": 0})
                self.assertEqual((summary["messages"], summary["errors"], summary["stopped"], summary["signal"]), (20000, {}, False, None))
                self.assertEqual(summary["bytes"], 20000 * 44 + summary["fences"] * 16)
                self.assertGreaterEqual(summary["window"]["effective"], summary["window"]["peak"])
                latency = summary["latency_seconds"]
                self.assertGreater(latency["sends"], 0)
                self.assertTrue(0 < latency["p50"] <= latency["p90"] <= latency["p99"] <= latency["max"] <= summary["seconds"]["wall"], latency)
                stages = summary["stages"]
                self.assertTrue(all(stage["busy_seconds"] > 0 for stage in stages.values()), stages)
                self.assertLess(stages["send"]["busy_seconds"] + stages["receive"]["busy_seconds"] + stages["send"]["stalled_seconds"], summary["seconds"]["wall"])
                self.assertEqual(summary["acks"], {"last": latency["sends"], "each": 20000, "none": summary["acks"]}[ack])
                self.assertEqual(summary["answers"], summary["acks"])
                self.assertGreater(summary["seconds"]["system"], 0)

    def test_failures_one_by_one(self):
        lines = route_lines(300)
        lines[40] = lines[3]
        lines[50] = "route add 10.0.0.300 dev v0"
        lines[60] = "route add 10.9.9.9 dev v0 \\\n  metric 1 via 203.0.113.1"
        failures, summary, left = self.stream(lines, "--force")
        self.assertEqual(left, 297)
        self.assertEqual([(one["line"], one["outcome"], one["code"], one["errno_name"]) for one in failures],
                         [(41, "failed", "kernel", "EEXIST"), (51, "rejected", "value", None), (61, "failed", "kernel", "ENETUNREACH")])
        self.assertEqual(failures[1]["columns"], {"first": 11, "last": 20})
        self.assertEqual(failures[2]["text"], "route add 10.9.9.9 dev v0   metric 1 via 203.0.113.1")
        self.assertEqual(summary["errors"], {"EEXIST": 1, "ENETUNREACH": 1})
        self.assertEqual(summary["lines"]["applied"], 297)
        self.assertEqual(summary["first_failure"]["line"], 41)

    def test_a_stop(self):
        lines = route_lines(3000)
        lines[500] = lines[3]
        failures, summary, left = self.stream(lines, "--window", "64")
        self.assertEqual([one["line"] for one in failures], [501])
        self.assertEqual(summary["lines"]["applied"], left)
        self.assertTrue(summary["stopped"])
        self.assertEqual(summary["applied_after_failure"], left - 500)
        self.assertEqual(summary["resume_at"]["line"], left + 2)

    def test_nobody_reads_it(self):
        def stream(path):
            ours, theirs = os.pipe()
            os.close(ours)
            done = subprocess.run([NLSTREAM, "--syntax", "ip", "--json", "--force", path], stdout=theirs, stderr=subprocess.PIPE, text=True, timeout=60)
            os.close(theirs)
            return done, routes()

        done, left = run_in_fresh(VETH, lambda: with_file([line for line in route_lines(500) for _ in (1, 2)], stream))
        self.assertEqual((done.returncode, left), (2, 500))
        self.assertTrue(done.stderr.startswith("nlstream: standard output: Broken pipe\n"), done.stderr)
        self.assertIn("1000 lines: 500 applied, 500 failed;", done.stderr)


class Repeats(unittest.TestCase):
    def test_the_same_refusal_again_and_again_is_counted(self):
        lines = route_lines(1000)
        lines += lines + ["route add 10.9.9.9 via 203.0.113.1"]
        with tempfile.TemporaryDirectory() as folder:
            rejects = folder + "/rejects"
            done = run_in_fresh(VETH, lambda: with_file(lines, lambda path: run([NLSTREAM, "--syntax", "ip", "--force", "--errors", "grouped", "--rejects", rejects, path])))
            with open(rejects) as file:
                rejected = file.read()
        self.assertEqual(done.stderr.count("error: "), 4, done.stderr)
        self.assertRegex(done.stderr, r"\nand 997 more lines, the last one \S+:2000: the kernel refused: File exists \(EEXIST\)\n  --errors all shows each of them\n\n2001 lines: 1000 applied, 1001 failed; ")
        self.assertEqual(rejected.count("# failed: "), 1001)

    def test_on_a_terminal_they_are_counted_in_a_file_each_is_told(self):
        lines = ["route add 203.0.113.1 dev v0"] * 100
        command = [NLSTREAM, "--syntax", "ip", "--force", "--color", "never"]
        _, shown = run_in_fresh(VETH, lambda: with_file(lines, lambda path: on_terminal([*command, path])))
        self.assertEqual(shown.count("error: "), 3, shown)
        self.assertIn("and 96 more lines", shown)
        done = run_in_fresh(VETH, lambda: with_file(lines, lambda path: run([*command, path])))
        self.assertEqual(re.findall(r"-->.*:(\d+)", done.stderr), [str(number) for number in range(2, 101)])

    def test_a_slow_stream_shows_them_again(self):
        def stream():
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", "--force", "--errors", "grouped"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2):
                process.stdin.write("route add 203.0.113.1 dev v0\n" * 10)
                process.stdin.flush()
                time.sleep(1.2)
            return process.communicate(timeout=20)[1]

        said = run_in_fresh(VETH, stream)
        self.assertEqual([int(number) for number in re.findall(r"--> <stdin>:(\d+)", said)], [2, 3, 4, 11], said)
        self.assertIn("and 15 more lines, the last one <stdin>:20: ", said)


class Progress(unittest.TestCase):
    def lines(self):
        lines = route_lines(300000)
        for number in range(1000, len(lines), 20000):
            lines[number] = lines[3]
        return lines

    def test_a_line_that_is_redrawn_and_mixes_with_nothing(self):
        def stream(path):
            status, shown = on_terminal([NLSTREAM, "--syntax", "ip", "--force", "--errors", "all", "--color", "never", path])
            return path, status, shown

        path, status, shown = run_in_fresh(VETH, lambda: with_file(self.lines(), stream))
        self.assertEqual(status, 1)
        frames = [text for text in FRAME.findall(shown) if text]
        seconds = float(re.search(r"([0-9.]+) s\n$", shown)[1])
        self.assertTrue(frames, shown[-500:])
        self.assertLessEqual(len(frames), 10 * seconds + 2)
        for text in frames:
            self.assertRegex(text, r"^\d+ lines, \d+/s, \d+ in flight, \d+ failed, \d+%(, \d+ (s|min|h) left)?$")
            self.assertLess(len(text), 80)
        counts = [int(text.split()[0]) for text in frames]
        self.assertEqual(counts, sorted(counts))
        # Without the frames all is as it would be without a terminal.
        rest = undrawn(shown)
        self.assertNotIn("\r", rest)
        self.assertEqual(rest.count("error: "), 15)
        for number in range(1000, 300000, 20000):
            self.assertIn(f"--> {path}:{number + 1}\n", rest)
        self.assertTrue(rest.rstrip("\n").rsplit("\n", 1)[1].startswith("300000 lines: 299985 applied, 15 failed; "), rest[-300:])

    def test_never_and_not_without_a_terminal(self):
        def stream(path):
            return on_terminal([NLSTREAM, "--syntax", "ip", "--progress", "never", path]), run([NLSTREAM, "--syntax", "ip", "--force", "-q", path])

        (status, shown), done = run_in_fresh(VETH, lambda: with_file(route_lines(200000)[:100000], stream))
        self.assertEqual(status, 0)
        self.assertNotIn("\33[K", shown)
        self.assertNotIn("in flight", done.stderr)

    def test_plain_lines_where_there_is_no_terminal(self):
        # The first comes after half a second. One message a window takes four times that for the long file.
        for count, slow in ((300000, ["--window", "1"]), (1000, [])):
            command = [NLSTREAM, "--syntax", "ip", "--progress", "always", *slow]
            done = run_in_fresh(VETH, lambda: with_file(route_lines(count), lambda path: run([*command, path])))
            seconds = float(re.search(r"([0-9.]+) s\n$", done.stderr)[1])
            plain = [line for line in done.stderr.splitlines() if "in flight" in line]
            self.assertEqual(seconds > 0.6, bool(slow), done.stderr)
            self.assertEqual(bool(plain), seconds > 0.6, done.stderr)
            for line in plain:
                self.assertRegex(line, r"^nlstream: \d+ lines, \d+/s, \d+ in flight, 0 failed, \d+%(, \d+ (s|min|h) left)?$")

    def test_reading_from_a_terminal_is_announced(self):
        ours, theirs = os.openpty()
        process = subprocess.Popen(["unshare", "-n", NLSTREAM], stdin=theirs, stderr=theirs, start_new_session=True)
        said = os.read(ours, 1000).decode()
        os.write(ours, b"\x04")
        self.assertEqual(process.wait(20), 0)
        os.close(theirs)
        os.close(ours)
        self.assertIn("reads commands from the terminal, up to Ctrl-D", said)


class Hints(unittest.TestCase):
    """The texts of the running kernel are those that the hints look for."""

    CASES = (
        ("tc filter add dev v0 ingress protocol ip flower action drop", "qdisc add dev DEVICE clsact"),
        ("tc filter add dev v0 parent 9: protocol ip matchall", "handle 9: KIND"),
        ("tc class add dev v0 parent 9: classid 9:1 htb rate 1mbit", "handle 9: KIND"),
        ("tc qdisc add dev v0 root handle 1: htb", None),
        ("tc qdisc add dev v0 root handle 1: htb", '"replace" overwrites it'),
        ("tc qdisc add dev v0 parent 1:77 sfq", "classid 1:77 KIND"),
        ("tc qdisc add dev v0 root nosuchqdisc", "modprobe sch_nosuchqdisc"),
        ("tc class add dev v0 parent 1: classid 1:1 htb rate 1mbit", None),
        ("tc filter add dev v0 parent 1: protocol ip pref 7 u32 match ip dst 10.0.0.1 classid 1:1", None),
        ("tc filter add dev v0 parent 1: protocol ip pref 7 matchall classid 1:1", 'one "pref"'),
        ("tc class del dev v0 classid 1:1", "may still use the class"),
        ("tc filter del dev v0 parent 1: protocol ip pref 99", "nothing to delete"),
        ("ip route add 10.0.0.1 dev v0", None),
        ("ip route add 10.0.0.1 dev v0", '"append" adds another'),
        ("ip route add 10.0.0.2 via 203.0.113.1", '"onlink" does without'),
        ("ip route del 10.0.0.9", "no route has all that the line says"),
        ("ip route change 10.0.0.9 dev v0", '"replace" makes it'),
        ("ip route add 10.0.0.1/8 dev v0", "bits behind the prefix length"),
        ("ip route add 10.0.0.3 nhid 4711", "nexthop add id ID"),
        ("ip route add 10.0.0.3 dev v0 src 203.0.113.9", '"address add" has to come before'),
        ("ip addr add 192.0.2.1/24 dev v0", "has this address already|may have this address already"),
        ("ip addr del 192.0.2.77/24 dev v0", "nothing to delete"),
        ("ip link add v0 type dummy", "may have this name"),
        ("ip link set v0 mtu 10", "minmtu"),
        ("ip neigh del 192.0.2.9 dev v0", "nothing to delete"),
        ("ip link set v2 down", None),
        ("ip route add 10.2.0.0/16 dev v2", "link set dev DEVICE up"),
    )

    def test_hints(self):
        setup = VETH + ["ip link add v2 type veth peer name v3"]
        lines = [line for line, _ in self.CASES]
        done = run_in_fresh(setup, lambda: with_file(lines, lambda path: run([NLSTREAM, "--force", "--json", path])))
        failures = {one["line"]: one for one in map(json.loads, done.stdout.splitlines()) if one["type"] == "failure"}
        for number, (line, expected) in enumerate(self.CASES, 1):
            with self.subTest(line=line):
                if expected is None:
                    self.assertNotIn(number, failures, "this kernel may lack what the test needs")
                    continue
                self.assertIn(number, failures)
                said = failures[number]["help"] or ""
                if "may lack" in said and "modprobe" not in expected:
                    self.skipTest(f"{failures[number]['what']}: {said}")
                self.assertRegex(said, expected, failures[number])

    def test_what_the_kernel_calls_missing(self):
        setup = ["ip link set lo up", "ip link add x0 type vxlan id 10 dstport 4789 local 127.0.0.1", "ip link set x0 up"]
        entry = "bridge mdb add dev x0 port x0 grp 239.1.1.1 permanent"
        cases = ((entry, 'at least "dst ADDRESS"'), (entry + " vni 10", '^"dst ADDRESS" may be missing'), (entry + " filter_mode include", '^"dst ADDRESS" may be missing'))
        done = run_in_fresh(setup, lambda: with_file([line for line, _ in cases], lambda path: run([NLSTREAM, "--force", "--json", path])))
        failures = [one for one in map(json.loads, done.stdout.splitlines()) if one["type"] == "failure"]
        self.assertEqual(len(failures), len(cases), done.stdout)
        if failures[0]["errno_name"] == "EOPNOTSUPP":
            self.skipTest("the kernel's VXLAN devices have no multicast database")
        for failure, (_, expected) in zip(failures, cases):
            self.assertRegex(failure["help"] or "", expected, failure)


class Unprivileged(unittest.TestCase):
    def test_one_error_before_anything_is_read(self):
        as_nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        if run([*as_nobody, "test", "-x", NLSTREAM]).returncode != 0:
            as_nobody = ["unshare", "--user"]
            if run([*as_nobody, "true"]).returncode != 0:
                self.skipTest("others than root cannot reach the program, and no user namespace can be had")
        for options in ([], ["--json"], ["--force"]):
            done = run([*as_nobody, NLSTREAM, *options], input="route add 10.0.0.1 dev lo\n" * 1000)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(len(done.stderr.splitlines()), 2, done.stderr)
            self.assertIn("CAP_NET_ADMIN", done.stderr)
            self.assertIn("sudo", done.stderr)
            self.assertIn("unshare -rn nlstream", done.stderr)

    @needs_user_namespaces
    def test_checking_needs_no_right(self):
        done = run(["unshare", "--user", NLSTREAM, "--check"], input="route add 10.0.0.1 dev lo\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    @needs_user_namespaces
    def test_everything_works_in_a_user_namespace(self):
        lines = ["ip link add d0 type veth peer name d1", "ip link set d0 up", "ip addr add 192.0.2.1/24 dev d0", "tc qdisc add dev d0 root handle 1: htb", "tc class add dev d0 parent 1: classid 1:1 htb rate 1mbit",
                 "tc qdisc add dev d0 clsact", "tc filter add dev d0 ingress protocol ip u32 match ip dst 10.0.0.1 flowid 1:1", "ip link add br0 type bridge", "ip link set d0 master br0",
                 "bridge fdb add 02:00:00:00:00:01 dev d0 master", *(f"ip route add 10.0.{number // 250}.{number % 250} dev d0" for number in range(5000))]
        done = with_file(lines, lambda path: run(["unshare", "-rn", NLSTREAM, "--json", "--window", "8192", path]))
        summary = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((done.returncode, summary["lines"]["applied"]), (0, len(lines)), done.stdout[-2000:])
        # Less than asked for may be granted, which is said; never more is in flight than it holds.
        window = summary["window"]
        self.assertEqual(window["effective"] < window["asked"], "the window is" in done.stderr)
        self.assertLessEqual(window["peak"], window["effective"])
        self.assertEqual(summary["overruns"], 0)


if __name__ == "__main__":
    main()
