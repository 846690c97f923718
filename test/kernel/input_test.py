"""Where lines come from: files, pipes that trickle, FIFOs, sockets, terminals; and how a stream is ended."""

import os
import pty
import random
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from streaming import NLSTREAM, PORTION, VETH, Said, in_fresh, listing, main, needs_user_namespaces, run, run_in_fresh, with_file


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


class Stream:
    """Random lines about a routing table, in files of which one may be a pipe, and what is to become of them."""

    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.table = 1000 + seed
        self.faults = self.pick.choice((0, 0, 0.0005, 0.01, 0.3))
        self.signal = self.pick.random() < 0.2
        self.options = ["--force"] if self.pick.random() < 0.6 else []
        for option, values in (("--window", (1, 2, 7, 64, 4096)), ("--ack", ("each", "none")), ("--coalesce", (1, 3, 64)),
                               ("--retry", (2,)), ("--ignore", ("exists", "exists,missing"))):
            if self.pick.random() < 0.5:
                self.options += [option, str(self.pick.choice(values))]
        self.ignores = self.options[-1] if "--ignore" in self.options else ""
        self.links = []
        self.lines = [self.line(number) for number in range(int(2 ** self.pick.uniform(0, 13)))]
        cuts = sorted(self.pick.randrange(len(self.lines) + 1) for _ in range(self.pick.randrange(3)))
        self.parts = [self.lines[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(self.lines)])]
        self.piped = self.pick.randrange(len(self.parts))

    def line(self, number):
        """Text, and what it does: add, del, flush, link, unlink, nothing, bad."""
        host, kind = f"10.0.{number >> 8}.{number & 255}", self.pick.random()
        if kind < self.faults:
            return self.pick.choice([("route add 10.0.0.256 dev v0", "bad", ""), (f"route del {host} table {self.table}", "del", host),
                                     (f"route add 10.0.0.0 dev v0 table {self.table}", "add", ("10.0.0.0", "v0"))])
        if kind > 0.97:
            return self.pick.choice([("", "nothing", ""), ("# 7 \"made.from\"", "nothing", ""), ("  # text", "nothing", "")])
        if kind > 0.968 and not self.signal:
            return (f"route flush table {self.table}", "flush", "")
        if kind > 0.966 and len(self.links) < 3:
            self.links.append(f"d{self.table}x{len(self.links)}")
            return (f"link add {self.links[-1]} up type bridge", "link", self.links[-1])
        if kind > 0.964 and self.links:
            return (f"link del {self.links[-1]}", "unlink", self.links.pop())
        link = self.pick.choice(["v0", *self.links])
        space = " \\\n " if kind > 0.95 else " "
        return (f"route add {host}{space}dev {link} table {self.table}", "add", (host, link))

    def after(self, count):
        """The routes, and the number of lines by outcome, once so many lines were carried out one after the other."""
        routes, counts = {}, {"applied": 0, "failed": 0, "rejected": 0, "ignored": 0}
        for _, does, what in self.lines[:count]:
            if does == "nothing":
                continue
            outcome = "applied"
            if does == "bad":
                outcome = "rejected"
            elif does == "add" and what[0] in routes:
                outcome = "ignored" if self.ignores else "failed"
            elif does == "add":
                routes[what[0]] = what[1]
            elif does == "del" and not routes.pop(what, ""):
                outcome = "ignored" if "missing" in self.ignores else "failed"
            elif does == "flush":
                routes = {}
            elif does == "unlink":
                routes = {host: link for host, link in routes.items() if link != what}
            counts[outcome] += 1
        return routes, {outcome: count for outcome, count in counts.items() if count}

    def write(self, pipe, text):
        """In pieces of one byte to 200 KiB, sometimes with a pause between."""
        try:
            for _ in range(30):
                piece = int(2 ** self.pick.uniform(0, 17.6))
                os.write(pipe, text[:piece])
                text = text[piece:]
                if self.pick.random() < 0.3:
                    time.sleep(self.pick.uniform(0, 0.003))
            while text:
                text = text[os.write(pipe, text):]
        except BrokenPipeError:
            pass
        os.close(pipe)

    def run(self, folder):
        """Streams; what is wrong then."""
        names, texts = [], []
        for index, lines in enumerate(self.parts):
            texts.append("".join(text + "\n" for text, _, _ in lines).encode())
            names.append("-" if index == self.piped else f"{folder}/{index}")
            if index != self.piped:
                with open(names[index], "wb") as file:
                    file.write(texts[index])
        theirs, ours = os.pipe()
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen([NLSTREAM, "--syntax", "ip", *self.options, *names], stdin=theirs, stderr=said)
            os.close(theirs)
            if self.signal:
                until(lambda: process.poll() is not None or hears_signals(process))
                timer = threading.Timer(self.pick.uniform(0, 0.02), lambda: process.send_signal(signal.SIGINT))
                timer.start()
            self.write(ours, texts[self.piped].removesuffix(b"\n" if self.pick.random() < 0.3 else b""))
            status = process.wait(30)
            if self.signal:
                timer.join()
            said.seek(0)
            return self.wrong(status, Said(subprocess.CompletedProcess([], status, "", said.read())), names)

    def wrong(self, status, said, names):
        done, stopped = len(self.lines), re.search(r"^stopped", said.text, re.M)
        if stopped:
            sent = re.search(r"^  the last line sent is (\S+):(\d+)$", said.text, re.M)
            done = self.lines_to(names.index(sent[1].replace("<stdin>", "-")), int(sent[2])) if sent else 0
        routes, counts = self.after(done)
        told = {word: count for word, count in said.counts.items() if count and word in counts.keys() | {"applied", "failed", "rejected", "unknown"}}
        # Lines that are rejected end without being sent.
        while told.get("rejected", 0) > counts.get("rejected", 0) and self.lines[done:] and self.lines[done][1] in ("bad", "nothing"):
            done += 1
            counts = self.after(done)[1]
        left = {words[0]: words[2] for words in map(str.split, listing(f"ip route show table {self.table}")[0])}
        failed = any(outcome in counts for outcome in ("failed", "rejected"))
        statuses = {130} if stopped and "by a signal" in said.text else {130, int(failed)} if self.signal else {int(failed)}
        if told != counts or left != routes or status not in statuses:
            return (self.options, self.signal, status, told, counts, set(left.items()) ^ set(routes.items()), said.text[-1000:])
        return None

    def lines_to(self, part, number):
        """How many lines there are to the one that begins at this physical line."""
        count, at = sum(len(lines) for lines in self.parts[:part]), 1
        for text, _, _ in self.parts[part]:
            if at > number:
                break
            count, at = count + 1, at + 1 + text.count("\n")
        return count


def hears_signals(process):
    with open(f"/proc/{process.pid}/status") as file:
        return int(re.search(r"^SigCgt:\s*(\w+)", file.read(), re.M)[1], 16) >> (signal.SIGINT - 1) & 1


class Inputs(unittest.TestCase):
    def test_random_streams(self):
        def streams():
            with tempfile.TemporaryDirectory() as folder:
                return [(seed, wrong) for seed in range(0, 150, PORTION) if (wrong := Stream(seed).run(folder))]

        self.assertEqual(run_in_fresh(VETH, streams), [])

    def test_standard_files_that_are_closed(self):
        # The first file to be opened gets the number of standard input.
        said = in_fresh(VETH, [], lambda path: Said(run(["sh", "-c", 'exec "$1" <&-', "-", NLSTREAM])))
        self.assertEqual((said.status, said.counts["lines"]), (2, 0))
        self.assertIn("nlstream: standard input: Bad file descriptor\n", said.text)
        said = in_fresh(VETH, ["ip link set lo up"], lambda path: Said(run(["sh", "-c", 'exec "$1" "$2" <&- >&-', "-", NLSTREAM, path])))
        self.assertEqual((said.status, said.counts["applied"]), (0, 1), said.text)

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

    @needs_user_namespaces
    def test_no_second_thread_can_be_had(self):
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "unshare", "--map-root-user", "--net", "prlimit", "--nproc=1"]
        lines = ["link set lo up", *(f"route add 10.0.{number // 200}.{number % 200} dev lo" for number in (*range(9), *range(5000)))]
        said = Said(run([*user, NLSTREAM, "--syntax", "ip", "--force"], input="\n".join(lines)))
        self.assertEqual(said.status, 1, said.text[-1000:])
        self.assertEqual(said.counts, {"lines": 5010, "applied": 5001, "failed": 9})

    def test_one_processor(self):
        lines = [f"route add 10.0.{number // 250}.{number % 250} dev v0" for number in range(5000)]
        said = in_fresh(VETH, lines, lambda path: Said(run(["taskset", "-c", "0", NLSTREAM, "--syntax", "ip", path])))
        self.assertEqual(said.counts["applied"], 5000)


if __name__ == "__main__":
    main()
