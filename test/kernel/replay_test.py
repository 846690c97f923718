"""Ready messages instead of lines (--emit bin, --replay): what they leave behind, and what is said of them."""

import json
import os
import subprocess
import unittest

from streaming import NLSTREAM, VETH, in_fresh, listing, main, nlstream, run

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
