"""What is expected, tried again, left over and resumed, with the running kernel."""

import json
import os
import random
import re
import signal
import subprocess
import tempfile
import time
import unittest

from streaming import NLSTREAM, PORTION, VETH, Said, busy_port, listing, main, nlstream, run, run_in_fresh, with_file

ROUTES = "ip -j route show root 10.0.0.0/8"


def route(number, verb="replace"):
    return f"route {verb} 10.{number >> 16}.{number >> 8 & 255}.{number & 255} dev v0"


class Expected(unittest.TestCase):
    def test_exists_and_missing_by_kind(self):
        lines = [
            "route add 10.1.0.0/16 dev v0", "route add 10.1.0.0/16 dev v0", "route del 10.2.0.0/16",
            "address add 192.0.2.1/24 dev v0", "address del 192.0.2.9/24 dev v0",
            "neigh del 10.0.0.9 dev v0", "ip link del gone", "ip link del dev gone", "rule del prio 99",
            "qdisc del dev v0 root", "qdisc del dev v0 root handle 9:", "qdisc del dev v0 clsact", "class del dev v0 classid 1:9",
            "filter del dev v0 ingress prio 9 protocol ip", "chain del dev v0 ingress chain 9",
            "fdb del 02:00:00:00:00:09 dev v0 self", "nexthop del id 9"]
        said = run_in_fresh(VETH, lambda: with_file(lines, lambda path: nlstream(path, "--ignore", "exists,missing", "--window", "7")))
        self.assertEqual(said.status, 0, said.text)
        self.assertEqual((said.counts["applied"], said.counts["ignored"]), (1, len(lines) - 1), said.text)
        self.assertIn("1 EEXIST of route, 1 ESRCH of route", said.text)

    def test_of_every_object_what_is_made_twice_and_deleted_twice(self):
        """Each pair of lines: the first is applied, the second meets what is there already, or gone already."""
        made = [
            "ip route add 10.0.0.1 dev v0", "ip -6 route add 2001:db8:5::/64 dev v0", "ip neigh add 192.0.2.5 dev v0 lladdr 02:00:00:00:00:05", "bridge fdb add 02:00:00:00:00:09 dev v0 self",
            "ip addr add 192.0.2.7/24 dev v0", "ip -6 addr add 2001:db8::1/64 dev v0 nodad", "ip link add b0 type bridge", "ip link property add dev v0 altname here",
            "tc qdisc add dev v0 root handle 1: htb", "tc class add dev v0 parent 1: classid 1:1 htb rate 1mbit",
            "tc filter add dev v0 parent 1: protocol ip pref 9 handle 800::1 u32 match u32 0 0 classid 1:1", "tc chain add dev v0 parent 1: chain 4",
            "ip rule add pref 999 from 10.0.0.0/8 table 5", "ip nexthop add id 9 via 192.0.2.2 dev v0", "ip addrlabel add prefix 2001:db8::/32 label 9"]
        deleted = [
            "ip addrlabel del prefix 2001:db8::/32 label 9", "ip nexthop del id 9", "ip rule del pref 999", "tc chain del dev v0 parent 1: chain 4",
            "tc filter del dev v0 parent 1: protocol ip pref 9 handle 800::1 u32", "tc class del dev v0 classid 1:1", "tc qdisc del dev v0 root",
            "ip link property del dev v0 altname here", "ip link del b0", "ip -6 addr del 2001:db8::1/64 dev v0", "ip addr del 192.0.2.7/24 dev v0",
            "bridge fdb del 02:00:00:00:00:09 dev v0 self", "ip neigh del 192.0.2.5 dev v0", "ip -6 route del 2001:db8:5::/64", "ip route del 10.0.0.1"]
        absent = [
            "tc qdisc del dev v0 parent 7:1", "tc qdisc del dev v0 clsact", "tc qdisc del dev v0 root handle 7:", "tc filter del dev v0 parent 9: protocol ip pref 9", "tc filter del dev v0 ingress protocol ip pref 9",
            "ip route del 10.3.0.0/16 nhid 77"]
        lines = [line for line in made for _ in (1, 2)] + [line for line in deleted for _ in (1, 2)] + absent
        said = run_in_fresh(VETH, lambda: with_file(lines, lambda path: nlstream(path, "--force", "--ignore", "exists,missing")))
        self.assertEqual((said.status, said.counts["applied"], said.counts["ignored"]), (0, len(made) + len(deleted), len(made) + len(deleted) + len(absent)), said.text)

    def test_a_filter_of_another_kind_is_not_missing(self):
        lines = ["tc qdisc add dev v0 root handle 1: htb", "tc filter add dev v0 parent 1: protocol ip pref 9 u32 match u32 0 0 classid 1:1", "tc filter del dev v0 parent 1: protocol ip pref 9 fw"]
        said = run_in_fresh(VETH, lambda: with_file(lines, lambda path: nlstream(path, "--force", "--ignore", "exists,missing")))
        self.assertEqual((said.status, list(said.failures)), (1, [3]), said.text)

    def test_what_was_not_expected_still_fails(self):
        lines = ["route add 10.1.0.0/16 dev v0", "route add 10.1.0.0/16 dev v0", "route del 10.2.0.0/16"]
        said = run_in_fresh(VETH, lambda: with_file(lines, lambda path: nlstream(path, "--force", "--ignore", "missing")))
        self.assertEqual((said.status, list(said.failures)), (1, [2]))
        said = run_in_fresh(VETH, lambda: with_file(lines, lambda path: nlstream(path, "--ignore", "EEXIST,3")))
        self.assertEqual(said.status, 0)


class Retry(unittest.TestCase):
    def test_a_busy_port_and_what_depends_on_it(self):
        def action():
            with busy_port("bridge fdb add 02:00:00:00:00:09 dev v0 master static", "ip link set b0 up") as lines:
                return with_file(lines, lambda path: nlstream(path, "--retry", "8")), run("bridge fdb show dev v0".split()).stdout

        said, fdb = run_in_fresh(VETH, action)
        self.assertEqual(said.status, 0, said.text)
        self.assertEqual(said.counts["applied"], 4)
        self.assertRegex(said.text, r"\d retries")
        self.assertIn("02:00:00:00:00:09", fdb)


class Rejects(unittest.TestCase):
    def test_what_is_left_over_is_what_was_not_applied(self):
        lines = [route(number, "add") for number in range(3000)]
        lines[1000] = lines[5]
        lines[1500] = "route add nonsense \\\n  dev v0"
        for options in ([], ["--force"]):
            with tempfile.TemporaryDirectory() as folder:
                left = folder + "/left"
                said, routes = run_in_fresh(VETH, lambda: with_file(lines, lambda path: (nlstream(path, "--window", "64", "--rejects", left, *options), listing(ROUTES)[0])))
                with open(left) as file:
                    text = file.read()
                kept = [line for line in re.sub(r"\\\n", "\0", text).splitlines() if not line.startswith("#")]
                self.assertEqual(len(routes) + len(kept), 3000, said.text)
                self.assertEqual(said.counts["applied"], len(routes))
                self.assertIn("# failed: ", text)
                self.assertIn("route add nonsense \\\n  dev v0\n", text)
                self.assertEqual(text.count("\n# rejected: " if options else "\n# not sent: "), 1 if options else 3000 - len(routes) - 1)

    def test_a_full_disk_does_not_stop_the_stream(self):
        lines = [route(1, "add")] * 10 + [route(2, "add")]
        said, routes = run_in_fresh(VETH, lambda: with_file(lines, lambda path: (nlstream(path, "--force", "--rejects", "/dev/full"), listing(ROUTES)[0])))
        self.assertEqual((said.status, len(routes)), (2, 2), said.text)
        self.assertIn("2 applied, 9 failed", said.text)
        self.assertIn("the last 9 are missing (/dev/full: No space left on device)", said.text)

    def test_nobody_reads_them(self):
        lines = [route(1, "add")] * 10 + [route(2, "add")]

        def action(path):
            ours, theirs = os.pipe()
            os.close(ours)
            done = subprocess.run([NLSTREAM, "--force", "--rejects", "-", path], stdout=theirs, stderr=subprocess.PIPE, text=True, timeout=60)
            os.close(theirs)
            return Said(done), listing(ROUTES)[0]

        said, routes = run_in_fresh(VETH, lambda: with_file(lines, action))
        self.assertEqual((said.status, len(routes), len(said.failures)), (2, 2, 9), said.text)
        self.assertIn("2 applied, 9 failed", said.text)
        self.assertEqual(said.text.count("standard output: Broken pipe"), 2)  # when it happens, and in the end
        self.assertIn("the last 9 are missing (standard output: Broken pipe)", said.text)

    def test_mended_they_are_streamed(self):
        lines = [route(number, "add") for number in range(500)]
        lines[100] += " metirc 7"
        lines[200] += " \\\n  via 203.0.113.1"

        def action(path):
            with tempfile.TemporaryDirectory() as folder:
                left = folder + "/left"
                first = nlstream(path, "--force", "--rejects", left)
                with open(left) as file:
                    text = file.read()
                command = re.match(r"# Lines that were not applied. To stream them: (.*)\n", text)[1]
                with open(left, "w") as file:
                    file.write(text.replace("metirc", "metric").replace("via 203.0.113.1", "via 192.0.2.2"))
                return first, Said(run(["sh", "-c", command])), len(listing(ROUTES)[0])

        first, second, routes = run_in_fresh(VETH, lambda: with_file(lines, action))
        self.assertEqual((first.status, first.counts["applied"]), (1, 498), first.text)
        self.assertEqual((second.status, second.counts["applied"], routes), (0, 2, 500), second.text)

    def test_the_generators_lines_are_named(self):
        lines = ['# 63 "fire qos.conf"', route(1, "add"), route(1, "add"), "#line 70", route(2, "add") + " metirc 7"]

        def action(path):
            with tempfile.TemporaryDirectory() as folder:
                left = folder + "/left"
                said = nlstream(path, "--force", "--rejects", left)
                objects = [json.loads(row) for row in run([NLSTREAM, "--force", "--json", path]).stdout.splitlines()]
                with open(left) as file:
                    return path, said, objects, file.read()

        path, said, objects, left = run_in_fresh(VETH, lambda: with_file(lines, action))
        for number, made in ((3, 64), (5, 70)):
            self.assertRegex(said.text, rf"--> {path}:{number}(:\d+)?, made from fire qos.conf:{made}\n")
            self.assertRegex(left, rf"\n# \w+: {path}:{number}, made from fire qos.conf:{made}: ")
            self.assertIn((number, {"file": "fire qos.conf", "line": made}), [(one["line"], one["made_from"]) for one in objects if one["type"] == "failure"])


class Resume(unittest.TestCase):
    def test_the_journal_is_whole_and_written_ten_times_a_second_at_most(self):
        def action():
            with tempfile.TemporaryDirectory() as folder:
                path = folder + "/journal"
                process = subprocess.Popen([NLSTREAM, "-q", "--journal", path], stdin=subprocess.PIPE, text=True)
                begin, lines, seen = time.monotonic(), 0, []
                while time.monotonic() < begin + 2:
                    process.stdin.write(route(lines) + "\n")
                    process.stdin.flush()
                    lines += 1
                    time.sleep(0.005)
                    try:
                        with open(path) as file:
                            record = file.read()
                    except FileNotFoundError:
                        continue
                    if not seen or seen[-1] != record:
                        seen.append(record)
                process.stdin.close()
                status, seconds = process.wait(20), time.monotonic() - begin
                with open(path) as file:
                    return status, lines, seconds, seen, file.read()

        status, lines, seconds, seen, last = run_in_fresh(VETH, action)
        self.assertEqual(status, 0)
        for record in seen + [last]:
            self.assertRegex(record, r"^nlstream journal 1\n(.*\n)+end\n$")
        places = [int(re.search(r"\nline (\d+)\n", record)[1]) for record in seen]
        self.assertEqual(places, sorted(places))
        self.assertTrue(5 < len(seen) <= 10 * seconds + 2, (len(seen), seconds))
        self.assertIn(f"\nline {lines + 1}\nstate ended\n", last)

    def test_the_command_that_is_printed_goes_on(self):
        lines = [route(number, "add") for number in range(2000)]
        lines[700] = lines[3]

        def action(path):
            first = nlstream(path, "--window", "100")
            command = re.search(r"resume at .*\n +(.*)\n", first.text)[1]
            return first, Said(run(["sh", "-c", command])), len(listing(ROUTES)[0])

        first, second, routes = run_in_fresh(VETH, lambda: with_file(lines, action))
        self.assertEqual((first.status, second.status, routes), (1, 0, 1999), first.text + second.text)
        self.assertEqual(first.counts["applied"] + second.counts["applied"], 1999)

    def test_a_journal_does_not_overwrite_the_rules(self):
        def action(path):
            said = nlstream(path, "--journal", path)
            with open(path) as file:
                return said, file.read(), len(listing(ROUTES)[0])

        said, text, routes = run_in_fresh(VETH, lambda: with_file([route(1)], action))
        self.assertEqual((said.status, text, routes), (2, route(1) + "\n", 0), said.text)
        self.assertIn("is no journal of nlstream, and is not overwritten", said.text)

    def test_check_first_sends_nothing_if_a_line_is_bad(self):
        lines = ["link add b7 type bridge", "link set b7 up", route(1), "route add nonsense"]
        said, routes = run_in_fresh(VETH, lambda: with_file(lines, lambda path: (nlstream(path, "--check-first"), run("ip link show".split()).stdout)))
        self.assertEqual(said.status, 1)
        self.assertNotIn("b7", routes)
        said = run_in_fresh(VETH, lambda: with_file(lines[:3], lambda path: nlstream(path, "--check-first")))
        self.assertEqual((said.status, said.counts["applied"]), (0, 3), said.text)

    def test_killed_a_hundred_times(self):
        """Lines that may be repeated: after kill -9 and --resume the end is that of an undisturbed run."""
        pick = random.Random(5)
        count = 20000
        lines = [route(pick.randrange(4000)) + f" metric {number % 3}" for number in range(count)]
        lines += [f"route del {host} metric {metric}" for metric in range(3) for host in sorted({line.split()[2] for line in lines})[:200]]
        kills = 100 // PORTION

        def undisturbed(path):
            return nlstream(path, "--ignore", "missing"), listing(ROUTES)

        def disturbed(path):
            with tempfile.TemporaryDirectory() as folder:
                killed = 0
                for _ in range(10 * kills):
                    command = [NLSTREAM, "--ignore", "missing", "--journal", folder + "/journal", "--resume", "--window", "64", path]
                    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
                    if killed < kills:
                        time.sleep(pick.random() * 0.25)
                        process.send_signal(signal.SIGKILL)
                    text = process.communicate(timeout=120)[1]
                    killed += process.returncode == -signal.SIGKILL
                    if process.returncode == 0:
                        if killed >= kills:
                            break
                        # It was through before it could be killed: once more from the start.
                        os.unlink(folder + "/journal")
                return killed, process.returncode, text, listing(ROUTES)

        said, expected = run_in_fresh(VETH, lambda: with_file(lines, undisturbed))
        self.assertEqual(said.status, 0, said.text)
        killed, status, text, left = run_in_fresh(VETH, lambda: with_file(lines, disturbed))
        self.assertEqual((killed, status), (kills, 0), text)
        self.assertEqual(left, expected)

    def test_a_changed_input_is_not_resumed(self):
        def action():
            with tempfile.TemporaryDirectory() as folder:
                path, journal = folder + "/rules", folder + "/journal"
                with open(path, "w") as file:
                    file.write(route(1) + "\nroute add nonsense\n")
                first = nlstream(path, "--journal", journal)
                with open(path, "a") as file:
                    file.write(route(2) + "\n")
                return first, run([NLSTREAM, "--journal", journal, "--resume", path])

        first, second = run_in_fresh(VETH, action)
        self.assertEqual((first.status, second.returncode), (1, 2))
        self.assertIn("has changed since", second.stderr)


if __name__ == "__main__":
    main()
