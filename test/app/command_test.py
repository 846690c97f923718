"""The program as a user calls it, as far as that needs no privilege."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import json_schema  # noqa: E402

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
        lines = "route add 10.0.0.1 dev eth0\nroute add 10.0.0.300\nroute add 10.0.0.2 dev eth7\nip link set lo up\n"
        done = run("--check", "--links", self.links, text=lines)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertIn("--> <stdin>:2:11\n", done.stderr)
        self.assertIn("--> <stdin>:3:24\n", done.stderr)
        self.assertRegex(done.stderr, r"\n4 lines checked: 2 good, 2 rejected, in \d\.\d{3} s\n$")

    def test_the_same_fault_again_and_again_is_counted(self):
        lines = "route add 10.0.0.1 dev eth7\n" * 1000 + "route add 10.0.0.1 dev eth8\n" * 2
        done = run("--check", "--errors", "grouped", "--links", self.links, text=lines)
        self.assertEqual(done.stderr.count("error: "), 5)
        self.assertRegex(done.stderr, r'\n\nand 997 more lines, the last one <stdin>:1000: there is no link "eth7"\n  --errors all shows each of them\n\n1002 lines checked: ')
        for number in (1, 2, 3, 1001, 1002):
            self.assertIn(f"--> <stdin>:{number}:24\n", done.stderr)
        self.assertEqual(run("--check", "--links", self.links, text=lines).stderr.count("error: "), 1002)
        self.assertEqual(run("--check", "--json", "--links", self.links, text=lines).stdout.count('"type":"failure"'), 1002)
        first = run("--check-first", "--errors", "grouped", self.file("rules", lines))
        self.assertEqual(first.returncode, 1)
        self.assertIn("and 997 more lines, the last one ", first.stderr)

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

    def emit_bin(self, lines):
        done = subprocess.run([NLSTREAM, "--check", "-q", "--emit", "bin", "--links", self.links], input=lines.encode(), capture_output=True, timeout=60)
        return done.returncode, done.stdout, done.stderr.decode()

    def test_emitted_messages_are_read_again(self):
        lines = "route add 10.0.0.1 dev eth0 \\\n metric 1\n# nothing\nroute add 10.0.0.2 dev lo\n"
        status, messages, _ = self.emit_bin(lines)
        emitted = run("--check", "-q", "--emit", "hex", "--links", self.links, text=lines).stdout
        self.assertEqual((status, messages.hex()), (0, "".join(row.split("\t")[1] for row in emitted.splitlines())))
        path = os.path.join(self.folder.name, "messages")
        with open(path, "wb") as file:
            file.write(messages)
        again = run("--check", "--replay", "--emit", "hex", path)
        self.assertEqual([row.split("\t") for row in again.stdout.splitlines()],
                         [[number, row.split("\t")[1]] for number, row in zip("12", emitted.splitlines())])
        self.assertRegex(again.stderr, "^2 lines checked: 2 good, 0 rejected")
        with open(path, "ab") as file:
            file.write(messages[:20])
        done = run("--check", "--replay", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"nlstream: {path}: message 3 is cut off\n", done.stderr)

    def test_what_holds_for_this_moment_only_is_not_emitted_as_bin(self):
        for lines, number, why in (
                ("ip link add br7 type bridge\nip link set br7 up\n", 2, "the message would name a link by its index, which lines before this one may give to another"),
                ("ip link del eth0\nip route add 10.0.0.1 dev lo\n", 2, "the message would name a link by its index"),
                ("ip neigh flush dev eth0\n", 1, "which messages this line becomes depends on what there is"),
                ("ip link set eth0 netns /proc/self/ns/net\n", 1, "the message would name /proc/self/ns/net by a descriptor")):
            status, _, said = self.emit_bin(lines)
            self.assertEqual(status, 1, lines)
            self.assertIn(why, said)
            self.assertRegex(said, rf"--> <stdin>:{number}\b")

    def test_emit_to_nobody(self):
        lines = self.file("many", "route add 10.0.0.1 dev eth0\n" * 100000)
        command = f"'{NLSTREAM}' --check --emit hex --links '{self.links}' '{lines}' | head -n 1"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
        self.assertIn("standard output: Broken pipe", done.stderr)

    def test_usage_errors(self):
        for arguments in (["--nonsense"], ["--window", "0"], ["--emit", "hex"], ["--replay", "--syntax", "ip"], ["--replay", "--rejects", "x"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr.startswith("nlstream: "), done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 2)

    def test_help_and_version(self):
        self.assertTrue(run("--help").stdout.startswith("nlstream [OPTIONS] [FILE...]\n"))
        self.assertEqual(run("--version").returncode, 0)

    def test_help_on_a_kind(self):
        self.assertTrue(run("--help", "filter.flower").stdout.startswith("filter.flower: "))
        self.assertEqual(run("--help=filter.flower").stdout, run("-h", "filter.flower").stdout)
        # What is called alike is shown together.
        vlan = run("--help", "vlan").stdout
        self.assertTrue("action.vlan: " in vlan and "\nlink.vlan: " in vlan, vlan)
        done = run("--help", "filter.flowre")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('no help on "filter.flowre": did you mean filter.flower?', done.stderr)
        self.assertIn("--help kinds lists", run("--help", "xyzzy").stderr)

    def kinds(self):
        return [line.split()[0] for line in run("--help", "kinds").stdout.splitlines() if line.startswith("  ")]

    def test_there_is_help_on_every_kind(self):
        kinds = self.kinds()
        self.assertGreater(len(kinds), 50)
        for kind in kinds:
            self.assertTrue(run("--help", kind).stdout.startswith(kind + ": "), kind)

    def complete(self, *words):
        """What bash offers behind these words, the last of which is being typed."""
        script = self.file("completion", run("--completion", "bash").stdout)
        asked = f"source {script}; COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}; COMPREPLY=(); _nlstream; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, timeout=60, cwd=self.folder.name)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    @unittest.skipUnless(shutil.which("bash"), "there is no bash")
    def test_completion(self):
        self.assertEqual(self.complete("nlstream", "--win"), ["--window"])
        self.assertEqual(self.complete("nlstream", "--ack", ""), ["last", "each", "none"])
        self.assertEqual(self.complete("nlstream", "--syntax", "=", "b"), ["bridge"])
        self.assertEqual(self.complete("nlstream", "--window", ""), [])
        self.assertEqual(self.complete("nlstream", "--check", "--links", "li"), ["links"])
        self.assertEqual(self.complete("nlstream", "li"), ["links"])
        self.assertEqual(self.complete("nlstream", "--help", "filter.flowe"), ["filter.flower"])

    @unittest.skipUnless(shutil.which("bash"), "there is no bash")
    def test_completion_knows_what_help_knows(self):
        options = {word.rstrip("],:") for word in run("--help").stdout.split() if word.startswith("--") and len(word) > 2}
        self.assertEqual(set(self.complete("nlstream", "--")), options)
        self.assertEqual(set(self.complete("nlstream", "--help", "")), {"kinds", *self.kinds()})
        done = run("--completion", "fish")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected one of bash", done.stderr)

    def test_check_as_json(self):
        lines = "route add 10.0.0.1 dev eth0\nroute add 10.0.0.300\nroute add 10.0.0.2 \\\n dev \"\xe4\"\n"
        done = subprocess.run([NLSTREAM, "--check", "--json", "--links", self.links], input=lines.encode("latin-1"), capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        objects = [json.loads(line) for line in done.stdout.decode().splitlines()]
        schema = json_schema.load()
        for one in objects:
            self.assertEqual(json_schema.problems(one, schema), [], one)
        self.assertEqual([one["type"] for one in objects], ["failure", "failure", "checked"])
        self.assertEqual((objects[0]["line"], objects[0]["columns"], objects[0]["outcome"]), (2, {"first": 11, "last": 20}, "rejected"))
        self.assertEqual(objects[1]["text"], 'route add 10.0.0.2  dev "\ufffd"')
        self.assertEqual(objects[2]["lines"], {"total": 3, "good": 1, "rejected": 2})

    def test_json_to_nobody(self):
        lines = self.file("many", "route add 10.0.0.300\n" * 100000)
        done = subprocess.run(f"'{NLSTREAM}' --check --json --links '{self.links}' '{lines}' | head -n 1", shell=True, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stderr, "nlstream: standard output: Broken pipe\n")

    def test_colours_only_where_they_are_wanted(self):
        bad = ["--check", "-q", "--links", self.links]
        self.assertNotIn("\33", run(*bad, text="route add 10.0.0.300\n").stderr)
        self.assertNotIn("\33", run(*bad, "--color", "never", text="route add 10.0.0.300\n").stderr)
        self.assertIn("\33[1;31merror:\33[m ", run(*bad, "--color", "always", text="route add 10.0.0.300\n").stderr)

    def on_terminal(self, environment, *options):
        """What appears on a terminal that standard error is connected to."""
        ours, theirs = os.openpty()
        with subprocess.Popen([NLSTREAM, "--check", "-q", "--links", self.links, *options], stdin=subprocess.PIPE, stderr=theirs, env={"TERM": "xterm", **environment}) as process:
            os.close(theirs)
            process.communicate(b"route add 10.0.0.300\n", timeout=60)
        shown = b""
        try:
            # What was written in one piece need not arrive in one.
            while piece := os.read(ours, 10000):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        return shown.decode()

    def test_colours_on_a_terminal(self):
        self.assertIn("\33[1;31merror:", self.on_terminal({}))
        self.assertIn("\33[1;31merror:", self.on_terminal({"NO_COLOR": ""}))
        self.assertIn("\33[1;31merror:", self.on_terminal({"NO_COLOR": "1"}, "--color=always"))
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\33", self.on_terminal(environment))

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
