"""Where lines come from: files, pipes that trickle, FIFOs, sockets, terminals; and how a stream is ended."""

import os
import pty
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from streaming import NLSTREAM, VETH, Said, in_fresh, listing, main, run, run_in_fresh, with_file


def routes():
    return len(listing("ip -j route show root 10.0.0.0/8")[0])


def until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


def start(stdin, *options):
    return subprocess.Popen([NLSTREAM, "--syntax", "ip", *options], stdin=stdin, stderr=subprocess.PIPE, text=True)


class Inputs(unittest.TestCase):
    def test_lines_of_a_pipe_go_on_as_they_come(self):
        def action():
            process = start(subprocess.PIPE)
            seen = []
            # In the middle of a line, too: its other half comes later.
            for piece, count in (("route add 10.0.0.1 dev v0\n", 1),
                                 ("route add 10.0.0.2 dev v0\nroute add 10.0.", 2),
                                 ("0.3 dev v0\nroute add 10.0.0.4 \\\n", 3),
                                 (" dev v0\n", 4)):
                process.stdin.write(piece)
                process.stdin.flush()
                seen.append(until(lambda: routes() == count))
            process.stdin.write("route add 10.0.0.5 dev v0")
            process.stdin.close()
            return seen, process.wait(10), routes(), process.stderr.read()

        seen, status, left, text = run_in_fresh(VETH, action)
        self.assertEqual(seen, [True] * 4)
        self.assertEqual((status, left), (0, 5), text)

    def test_lines_go_on_that_nothing_asks_to_acknowledge(self):
        # Neither fills the window: more batches than there are, of one line each, and one long file.
        def trickle():
            process = start(subprocess.PIPE, "--ack", "none")
            seen = []
            for number in range(12):
                process.stdin.write(f"route add 10.0.0.{number} dev v0\n")
                process.stdin.flush()
                seen.append(until(lambda: routes() == number + 1))
            process.stdin.close()
            return seen, process.wait(10)

        self.assertEqual(run_in_fresh(VETH, trickle), ([True] * 12, 0))
        lines = [f"route add 10.{n >> 16}.{n >> 8 & 255}.{n & 255} dev v0" for n in range(40000)]
        command = [NLSTREAM, "--syntax", "ip", "--ack", "none", "--window", "16384"]
        done = in_fresh(VETH, lines, lambda path: run(["timeout", "60", *command, path]))
        self.assertEqual(done.returncode, 0, done.stderr)

    def through(self, connect):
        """Streams 500 lines through what `connect(write)` makes standard input, where write(fd) fills the other end."""

        def write(file):
            lines = "".join(f"route add 10.0.{number // 250}.{number % 250} dev v0\n" for number in range(500)).encode()
            while lines:
                lines = lines[os.write(file, lines[:1000]):]
            os.close(file)

        def action():
            process = connect(write)
            return process.wait(20), routes(), process.stderr.read()

        status, left, text = run_in_fresh(VETH, action)
        self.assertEqual((status, left), (0, 500), text)

    def test_socket(self):
        def connect(write):
            ours, theirs = socket.socketpair()
            process = start(theirs.fileno())
            theirs.close()
            write(ours.detach())
            return process

        self.through(connect)

    def test_fifo(self):
        def connect(write):
            with tempfile.TemporaryDirectory() as folder:
                path = folder + "/fifo"
                os.mkfifo(path)
                process = subprocess.Popen([NLSTREAM, "--syntax", "ip", path], stderr=subprocess.PIPE, text=True)
                write(os.open(path, os.O_WRONLY))
                process.wait(20)
                return process

        self.through(connect)

    def test_regular_file_as_standard_input(self):
        def connect(write):
            file = tempfile.TemporaryFile()
            write(os.dup(file.fileno()))
            file.seek(0)
            return start(file.fileno())

        self.through(connect)

    def test_terminal(self):
        def action():
            ours, theirs = pty.openpty()
            before = os.get_blocking(theirs)
            process = start(theirs)
            os.write(ours, b"route add 10.0.0.1 dev v0\n")
            applied = until(lambda: routes() == 1)
            blocking = os.get_blocking(theirs)
            os.write(ours, b"\x04")  # end of file, typed
            return applied, before, blocking, process.wait(10)

        # The terminal belongs to others, too: it stays as blocking as it was.
        self.assertEqual(run_in_fresh(VETH, action), (True, True, True, 0))

    def test_several_files_are_named_apart(self):
        good, bad = ["route add 10.0.0.1 dev v0", "# one"], ["# two", "route add 10.0.0.1 dev v0"]
        one, two, run_of_both = in_fresh(VETH, good, lambda one: with_file(bad, lambda two: (
            one, two, run([NLSTREAM, "--syntax", "ip", one, two]))))
        self.assertEqual(run_of_both.returncode, 1)
        self.assertIn(f"--> {two}:2", run_of_both.stderr)
        self.assertNotIn(f"--> {one}", run_of_both.stderr)

    def test_a_file_that_cannot_be_read(self):
        done = in_fresh(VETH, ["route add 10.0.0.1 dev v0"], lambda path: (
            run([NLSTREAM, "--syntax", "ip", path, "/nonexistent/rules"]), routes()))
        self.assertEqual((done[0].returncode, done[1]), (2, 1))
        self.assertIn("/nonexistent/rules: No such file or directory", done[0].stderr)

    def test_a_folder(self):
        done = run_in_fresh(VETH, lambda: run([NLSTREAM, "/tmp"]))
        self.assertEqual(done.returncode, 2)
        self.assertIn("/tmp: Is a directory", done.stderr)

    def test_signals_settle_and_report(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            def action():
                process = start(subprocess.PIPE)
                process.stdin.write("route add 10.0.0.1 dev v0\nroute add 10.0.0.2 dev v0\nroute add 10.0")
                process.stdin.flush()
                applied = until(lambda: routes() == 2)
                process.send_signal(number)
                return applied, process.wait(10), routes(), process.stderr.read()

            applied, ended, left, text = run_in_fresh(VETH, action)
            self.assertEqual((applied, ended, left), (True, status, 2), text)
            self.assertIn("resume at <stdin>:3", text)

    def test_a_signal_in_the_middle_of_a_file(self):
        def action():
            lines = [f"route add 10.{n >> 16}.{n >> 8 & 255}.{n & 255} dev v0" for n in range(400000)]

            def stream(path):
                process = subprocess.Popen([NLSTREAM, "--syntax", "ip", path], stderr=subprocess.PIPE, text=True)
                until(lambda: len(run(["ip", "route", "show", "10.0.0.9"]).stdout) > 0)
                process.send_signal(signal.SIGINT)
                _, text = process.communicate(timeout=60)
                left = run(["ip", "route", "show", "root", "10.0.0.0/8"]).stdout
                return process.returncode, text, len(left.splitlines())

            return with_file(lines, stream)

        status, text, left = run_in_fresh(VETH, action)
        self.assertEqual(status, 130, text)
        self.assertLess(left, 400000)
        self.assertIn(f"{left} applied", text)
        self.assertIn(f":{left + 1}\n", text)

    def test_one_processor(self):
        lines = [f"route add 10.0.{number // 250}.{number % 250} dev v0" for number in range(5000)]
        said = in_fresh(VETH, lines, lambda path: Said(run(["taskset", "-c", "0", NLSTREAM, "--syntax", "ip", path])))
        self.assertEqual(said.counts["applied"], 5000)


if __name__ == "__main__":
    main()
