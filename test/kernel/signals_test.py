"""Signals: one settles and reports, two leave at once; a suspended stream goes on; readers that went away end nothing."""

import array
import fcntl
import os
import re
import signal
import subprocess
import tempfile
import termios
import time
import unittest

from streaming import NLSTREAM, VETH, main, run, run_in_fresh, with_file


def routes(prefix="10.0.0.0/8"):
    return len(run(["ip", "route", "show", "root", prefix]).stdout.splitlines())


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


def route_lines(count):
    return [f"route add 10.{number >> 16}.{number >> 8 & 255}.{number & 255} dev v0" for number in range(count)]


def state(process):
    with open(f"/proc/{process.pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


class Signals(unittest.TestCase):
    def stopped_by(self, number, lines, ready, *options):
        """Sends the signal once `ready()`; exit status, what was said, and the routes that are there."""
        def stream(path):
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", *options, path], stderr=subprocess.PIPE, text=True)
            until(ready)
            process.send_signal(number)
            _, text = process.communicate(timeout=60)
            return process.returncode, text, routes()

        return run_in_fresh(VETH, lambda: with_file(lines, stream))

    def test_once_settles_and_says_where_to_go_on(self):
        for number, expected in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            status, text, left = self.stopped_by(number, route_lines(400000), lambda: routes("10.0.0.9") == 1)
            self.assertEqual(status, expected, text)
            self.assertTrue(0 < left < 400000, left)
            self.assertIn("stopped by a signal\n", text)
            self.assertIn(f"{left} applied, 0 failed", text)
            self.assertRegex(text, rf":{left + 1}\n")

    def test_once_among_failures(self):
        status, text, left = self.stopped_by(signal.SIGINT, [line for line in route_lines(200000) for _ in (1, 2)], lambda: routes("10.0.0.9") == 1, "--force")
        self.assertEqual(status, 130, text[-1000:])
        self.assertIn(f" {left} applied, ", text)

    def twice_while_nobody_reads(self, stream, count, *options):
        """Two signals while the stream waits for somebody to read `stream`; exit status, and what standard error says if that is read."""
        def action(path):
            ours, theirs = os.pipe()
            pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, stream: theirs}
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", "--force", "--window", "64", *options, path], **pipes)
            os.close(theirs)
            unread = array.array("i", [0])
            filled = until(lambda: fcntl.ioctl(ours, termios.FIONREAD, unread) == 0 and unread[0] > 60000)
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
            waits = process.poll() is None
            process.send_signal(signal.SIGTERM)
            status = process.wait(20)
            os.close(ours)
            return filled, waits, status, process.stderr.read().decode() if stream == "stdout" else ""

        return run_in_fresh(VETH, lambda: with_file(["route add 10.0.0.1 dev v0"] * count, action))

    def test_twice_leaves_at_once_and_says_what_is_unknown(self):
        # The shorter file is taken at once, and needs no thread until there is something to tell.
        for count in (5000, 1000):
            filled, waits, status, said = self.twice_while_nobody_reads("stdout", count, "--json")
            self.assertEqual((filled, waits, status), (True, True, 143), said)
            self.assertRegex(said, r"^nlstream: left at once: \d+ lines had ended, [01] of them applied; what becomes of the \d+ requests sent after them is unknown\n$")

    def test_twice_leaves_at_once_even_if_nobody_reads_why(self):
        for count in (5000, 1000):
            self.assertEqual(self.twice_while_nobody_reads("stderr", count, "-q")[:3], (True, True, 143))

    def test_twice_says_how_many_errors_were_not_shown(self):
        filled, waits, status, said = self.twice_while_nobody_reads("stdout", 5000, "--errors", "grouped", "--rejects", "-")
        self.assertEqual((filled, waits, status), (True, True, 143), said)
        told = re.search(r"\nnlstream: left at once: .*\nnlstream: (\d+) more errors were not shown; --errors all shows each\n$", said)
        self.assertTrue(told and 100 < int(told[1]) < 5000, said)

    def test_once_while_the_kernel_is_slow(self):
        # One read brings all lines, and there is nothing to tell.
        links = [f"d{number}" for number in range(200)]

        def stream(path):
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", path], stderr=subprocess.PIPE, text=True)
            until(lambda: run(["ip", "link", "show", "d3"]).returncode != 0)
            process.send_signal(signal.SIGINT)
            _, text = process.communicate(timeout=60)
            return process.returncode, text, len(run(["ip", "-br", "link", "show", "type", "bridge"]).stdout.splitlines())

        set_up = [f"ip link add {link} type bridge" for link in links]
        status, text, left = run_in_fresh(set_up, lambda: with_file([f"link del {link}" for link in links], stream))
        self.assertEqual(status, 130, text)
        self.assertGreater(left, 0)
        self.assertIn(f"{len(links) - left} applied, 0 failed", text)

    def test_while_nobody_writes_a_fifo(self):
        def action(folder):
            path = folder + "/fifo"
            os.mkfifo(path)
            process = subprocess.Popen([NLSTREAM, "-q", path], stderr=subprocess.PIPE, text=True)
            until(lambda: state(process) == "S" and any(os.path.realpath(f"/proc/{process.pid}/fd/{fd}") == path for fd in os.listdir(f"/proc/{process.pid}/fd")))
            process.send_signal(signal.SIGINT)
            _, text = process.communicate(timeout=20)
            return process.returncode, text

        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run_in_fresh(VETH, lambda: action(os.path.realpath(folder))), (130, "stopped by a signal\n  nothing was sent\n"))

    def test_one_that_was_ignored_before_still_is(self):
        def action():
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
            process.stdin.write("route add 10.0.0.1 dev v0\n")
            process.stdin.flush()
            until(lambda: routes() == 1)
            process.send_signal(signal.SIGHUP)
            _, text = process.communicate("route add 10.0.0.2 dev v0\n", timeout=20)
            return process.returncode, routes(), text

        status, left, text = run_in_fresh(VETH, action)
        self.assertEqual((status, left), (0, 2), text)

    def test_suspended_and_continued(self):
        def action():
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0)
            process.stdin.write("route add 10.0.0.1 dev v0\n")
            process.stdin.flush()
            before = until(lambda: routes() == 1)
            process.send_signal(signal.SIGTSTP)
            suspended = until(lambda: state(process) == "T")
            process.stdin.write("route add 10.0.0.2 dev v0\n")
            process.stdin.flush()
            time.sleep(0.2)
            meanwhile = routes()
            process.send_signal(signal.SIGCONT)
            after = until(lambda: routes() == 2)
            _, text = process.communicate(timeout=20)
            return before, suspended, meanwhile, after, process.returncode, text

        before, suspended, meanwhile, after, status, text = run_in_fresh(VETH, action)
        self.assertEqual((before, suspended, meanwhile, after, status), (True, True, 1, True, 0), text)
        self.assertIn("2 lines: 2 applied", text)

    def test_many_signals_at_the_end_do_not_hide_the_report(self):
        def stream(path):
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", path], stderr=subprocess.PIPE, text=True)
            until(lambda: routes("10.0.0.9") == 1)
            process.send_signal(signal.SIGINT)
            # The second comes once the first has been reported.
            first = process.stderr.readline()
            process.send_signal(signal.SIGINT)
            return process.wait(20), first + process.stderr.read()

        status, text = run_in_fresh(VETH, lambda: with_file(route_lines(200000), stream))
        self.assertEqual(status, 130, text)
        self.assertRegex(text, r"^stopped by a signal\n(.*\n)+\d+ lines: \d+ applied, 0 failed")

    def test_suspended_in_the_middle_of_a_file(self):
        def stream(path):
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", path], stderr=subprocess.PIPE, text=True, process_group=0)
            until(lambda: routes("10.0.0.9") == 1)
            for _ in range(5):
                process.send_signal(signal.SIGTSTP)
                time.sleep(0.02)
                process.send_signal(signal.SIGCONT)
                time.sleep(0.02)
            _, text = process.communicate(timeout=60)
            return process.returncode, text, routes()

        status, text, left = run_in_fresh(VETH, lambda: with_file(route_lines(200000), stream))
        self.assertEqual((status, left), (0, 200000), text)

    def test_nobody_reads_the_errors(self):
        def stream(path):
            ours, theirs = os.pipe()
            os.close(ours)
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", "--force", path], stderr=theirs)
            os.close(theirs)
            return process.wait(60), routes()

        lines = [line for line in route_lines(2000) for _ in (1, 2)]
        self.assertEqual(run_in_fresh(VETH, lambda: with_file(lines, stream)), (1, 2000))


if __name__ == "__main__":
    main()
