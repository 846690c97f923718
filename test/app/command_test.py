"""The program as a user calls it, as far as that needs no privilege."""

import os
import subprocess
import sys
import tempfile
import unittest

NLSTREAM = os.environ["NLSTREAM_BINARY"]
LINKS = "1\tlo\n2\teth0\tveth\n"


def run(*arguments, text=""):
    return subprocess.run([NLSTREAM, *arguments], input=text, capture_output=True, text=True, timeout=60)


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.links = self.file("links", LINKS)

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_check_reports_all_bad_lines(self):
        done = run("--check", "--links", self.links, text="route add 10.0.0.1 dev eth0\nroute add 10.0.0.300\nroute add 10.0.0.2 dev eth7\nip link set lo up\n")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertIn("--> <stdin>:2:11\n", done.stderr)
        self.assertIn("--> <stdin>:3:24\n", done.stderr)
        self.assertRegex(done.stderr, r"\n4 lines checked: 2 good, 2 rejected, in \d\.\d{3} s\n$")

    def test_check_of_good_lines_is_silent_when_asked(self):
        done = run("--check", "-q", "--links", self.links, text="route add 10.0.0.1 dev eth0\n")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_links_that_the_stream_makes_are_no_errors(self):
        done = run("--check", "-q", "--links", self.links, text="ip link add br7 type bridge\nip link set br7 up\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_emit(self):
        lines = "route add 10.0.0.1 dev eth0 \\\n metric 1\n# nothing\nroute add 10.0.0.2 dev lo\n"
        done = run("--check", "-q", "--emit", "hex", "--links", self.links, text=lines)
        rows = [row.split("\t") for row in done.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], ["1", "4"])
        self.assertTrue(all(row[1].startswith("2c000000") or row[1].startswith("34000000") for row in rows), rows)
        self.assertIn("RTM_NEWROUTE", run("--check", "-q", "--emit", "text", "--links", self.links, text=lines).stdout)

    def test_emit_to_nobody(self):
        lines = self.file("many", "route add 10.0.0.1 dev eth0\n" * 100000)
        done = subprocess.run(f"'{NLSTREAM}' --check --emit hex --links '{self.links}' '{lines}' | head -n 1", shell=True, capture_output=True, text=True, timeout=60)
        self.assertIn("standard output: Broken pipe", done.stderr)

    def test_usage_errors(self):
        for arguments in (["--nonsense"], ["--window", "0"], ["--emit", "hex"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr.startswith("nlstream: "), done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 2)

    def test_help_and_version(self):
        self.assertTrue(run("--help").stdout.startswith("nlstream [OPTIONS] [FILE...]\n"))
        self.assertEqual(run("--version").returncode, 0)

    def test_what_cannot_be_opened(self):
        done = run("--check", "--links", self.links, "/nonexistent/rules")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nlstream: /nonexistent/rules: No such file or directory\n", done.stderr)
        self.assertEqual(run("--check", "--links", "/nonexistent/links").returncode, 2)
        done = run("--check", "--links", self.file("bad", "1\tlo\nx\ty\n"))
        self.assertIn("row 2: expected ifindex, name, kind and vrf-table between tabs", done.stderr)
        done = run("--netns", "no-such-namespace")
        self.assertEqual(done.returncode, 2)
        self.assertIn("network namespace no-such-namespace: No such file or directory", done.stderr)


if __name__ == "__main__":
    sys.argv[1:] = ["-v"]
    unittest.main()
