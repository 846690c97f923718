"""Ready messages instead of lines (--emit bin, --replay): what they leave behind, and what is said of them."""

import json
import os
import random
import subprocess
import tempfile
import time
import unittest

from streaming import NLSTREAM, VETH, Said, busy_port, in_fresh, listing, main, nlstream, run, run_in_fresh, with_file

ROUTES = [f"ip route add 10.0.{number // 250}.{number % 250} dev v0" for number in range(3000)]


def messages_of(path):
    """A file of the messages that the lines of `path` become in this namespace."""
    with open(path + ".bin", "wb") as file:
        subprocess.run([NLSTREAM, "--check", "-q", "--emit", "bin", path], stdout=file, check=True)
    return path + ".bin"


class Replay(unittest.TestCase):
    def replayed(self, lines, action):
        """What `action(messages)` returns where they can be sent."""
        def both(path):
            messages = messages_of(path)
            try:
                return action(messages)
            finally:
                os.remove(messages)
        return in_fresh(VETH, lines, both)

    def test_messages_do_what_their_lines_do(self):
        def streamed(path):
            return nlstream(path).counts, listing("ip -j route", "ip -j neigh")
        lines = ROUTES + ["ip neigh add 192.0.2.7 lladdr 02:00:00:00:00:77 dev v0"]
        by_line = in_fresh(VETH, lines, streamed)
        for options in (["--window", "1"], [], ["--ack", "each", "--coalesce", "3"], ["--ack", "none"]):
            def sent(messages):
                return nlstream(messages, "--replay", *options).counts, listing("ip -j route", "ip -j neigh")
            self.assertEqual(self.replayed(lines, sent), by_line)

    def test_refused_messages_are_named(self):
        lines = ROUTES[:300] + ROUTES[7:8] + ROUTES[300:400]

        def sent(messages):
            return nlstream(messages, "--replay"), nlstream(messages, "--replay", "--force", "--from-line", "301")
        stopped, forced = self.replayed(lines, sent)
        why = "the kernel refused: File exists (EEXIST)"
        self.assertEqual(stopped.failures, {301: why})
        self.assertIn("301 | RTM_NEWROUTE REQUEST ACK EXCL CREATE\n", stopped.text)
        self.assertIn("--replay --from-line", stopped.text)
        self.assertIn(301, forced.failures)
        self.assertEqual(forced.counts["lines"], 101)

    def test_expected_refusals_and_json(self):
        def sent(messages):
            nlstream(messages, "--replay")
            return (nlstream(messages, "--replay", "--ignore", "exists").counts,
                    run([NLSTREAM, "--replay", "--json", messages]).stdout)
        counts, said = self.replayed(ROUTES[:300], sent)
        self.assertEqual((counts["lines"], counts["ignored"], counts["failed"]), (300, 300, 0))
        failure = json.loads(said.splitlines()[0])
        self.assertEqual((failure["line"], failure["errno_name"], failure["text"]),
                         (1, "EEXIST", "RTM_NEWROUTE REQUEST ACK EXCL CREATE"))

    def test_a_journal_of_messages(self):
        """Killed over and over, then resumed: every message is sent, and a file of lines is not taken for one of messages."""
        kills = random.Random(3)

        def sent(messages):
            with tempfile.TemporaryDirectory() as folder:
                journal = folder + "/journal"
                command = [NLSTREAM, "--replay", "--ignore", "exists", "--journal", journal, "--window", "16", "--resume", messages]
                killed = 0
                while killed < 10:
                    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
                    time.sleep(kills.random() * 0.1)
                    process.kill()
                    said = process.communicate(timeout=60)[1]
                    killed += process.returncode != 0
                    if process.returncode == 0:  # It was through before it could be killed: once more.
                        os.unlink(journal)
                        run(["ip", "route", "flush", "root", "10.0.0.0/8"])
                last = nlstream(messages, *command[1:-1])
                self.assertRegex(last.text, r"^nlstream: (resuming at \S+:\d+|\S+: there is no journal yet: starting at the first line)\n")
                other = with_file(["ip link set lo up"], lambda path: run([NLSTREAM, "--journal", journal, "--resume", path]))
                return last.status, len(listing("ip -j route show root 10.0.0.0/8")[0]), other.returncode
        lines = [f"ip route add 10.{number >> 16}.{number >> 8 & 255}.{number & 255} dev v0" for number in range(60000)]
        self.assertEqual(self.replayed(lines, sent), (0, 60000, 2))

    def test_a_stopped_one_goes_on_behind_what_was_sent(self):
        def sent(messages):
            journal = messages + ".journal"
            try:
                first = nlstream(messages, "--replay", "--journal", journal, "--window", "8")
                second = nlstream(messages, "--replay", "--journal", journal, "--resume")
                return first, second, len(listing("ip -j route show root 10.0.0.0/8")[0])
            finally:
                os.remove(journal)
        first, second, left = self.replayed(ROUTES[:300] + ROUTES[7:8] + ROUTES[300:1000], sent)
        self.assertEqual((first.status, list(first.failures), second.status, left), (1, [301], 0, 1000), first.text + second.text)
        self.assertEqual(first.counts["applied"] + second.counts["applied"], 1000)

    def test_a_busy_port_is_tried_again(self):
        def action():
            with busy_port("bridge fdb add 02:00:00:00:00:09 dev v0 master static", "ip link set b0 up") as lines:
                messages = with_file(lines, messages_of)
                try:
                    return nlstream(messages, "--replay", "--retry", "8"), run("bridge fdb show dev v0".split()).stdout
                finally:
                    os.remove(messages)
        said, fdb = run_in_fresh(VETH, action)
        self.assertEqual((said.status, said.counts["applied"]), (0, 4), said.text)
        self.assertRegex(said.text, r"\d retries")
        self.assertIn("02:00:00:00:00:09", fdb)

    def test_all_messages_are_looked_at_before_the_first_is_sent(self):
        def sent(messages):
            with open(messages, "rb") as file:
                good = file.read()
            said = []
            # A question (RTM_GETROUTE) for message 2 and a cut at the end; the same without the cut; as it was.
            length = int.from_bytes(good[:4], "little")
            question = good[:length] + good[length:length + 4] + (26).to_bytes(2, "little") + good[length + 6:]
            for content in (question[:-1], question, good):
                with open(messages, "wb") as file:
                    file.write(content)
                said.append((nlstream(messages, "--replay", "--check-first"), len(listing("ip -j route show root 10.0.0.0/8")[0])))
            with open(messages, "rb") as file:
                said.append((Said(run(["sh", "-c", f"cat {messages} | {NLSTREAM} --replay --check-first"])), 0))
            return said
        cut, question, good, pipe = self.replayed(ROUTES[:1000], sent)
        self.assertEqual((cut[0].status, cut[1]), (2, 0), cut[0].text)
        self.assertIn("message 1000 is cut off", cut[0].text)
        self.assertEqual((question[0].status, question[1], list(question[0].failures)), (1, 0, [2]), question[0].text)
        self.assertIn("nothing was sent: 1 of 1000 lines bad\n", question[0].text)
        self.assertEqual((good[0].status, good[1]), (0, 1000), good[0].text)
        self.assertEqual(pipe[0].status, 2)
        self.assertIn("is no regular file", pipe[0].text)

    def test_what_the_kernels_policy_allows_is_said(self):
        label = b"v0:456789012345"

        def sent(messages):
            with open(messages, "rb") as file:
                good = file.read()
            with open(messages, "wb") as file:
                file.write(good.replace(label + b"\0", label + b"6"))
            return nlstream(messages, "--replay")
        said = self.replayed([f"ip address add 10.0.0.1/24 dev v0 label {label.decode()}"], sent)
        self.assertEqual((said.status, list(said.failures)), (1, [1]), said.text)
        self.assertIn("(ERANGE)\n", said.text)
        self.assertIn("  = expected at most 15 bytes\n", said.text)

    def test_from_a_pipe_cut_off_in_a_message(self):
        def sent(messages):
            with open(messages, "rb") as file:
                data = file.read()
            done = subprocess.run([NLSTREAM, "--replay"], input=data[:-1], capture_output=True, timeout=60)
            return done.returncode, done.stderr.decode()
        status, text = self.replayed(ROUTES, sent)
        self.assertEqual(status, 2)
        self.assertIn("nlstream: standard input: message 3000 is cut off\n", text)
        self.assertIn("2999 lines: 2999 applied", text)


if __name__ == "__main__":
    main()
