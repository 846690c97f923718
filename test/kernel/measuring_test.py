"""The measuring scripts of perf/ on a few lines: every setting is run, and what they write is whole."""

import csv
import json
import os
import shutil
import sys
import tempfile
import unittest
import xml.dom.minidom

from streaming import PROJECT, main, run

BUILD = os.environ.get("NLSTREAM_BUILD", os.path.join(PROJECT, "build/release"))


def script(name, *options):
    return run([sys.executable, os.path.join(PROJECT, "perf", name), "--build", BUILD, *options])


class Sweep(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def sweep(self, *options):
        done = script("sweep.py", "--output", self.folder.name, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_every_setting_is_a_row(self):
        done = self.sweep("--quick")
        with open(self.path("sweep.csv")) as file:
            rows = list(csv.DictReader(file))
        # No more in a send than in flight; auto finds its own.
        expected = [(window, coalesce, ack) for window, coalesce in (("1", "1"), ("16", "1"), ("16", "16"), ("256", "1"),
                                                                      ("256", "16"), ("auto", ""))
                    for ack in ("last", "each", "none")]
        self.assertEqual([(row["window"], row["coalesce"], row["ack"]) for row in rows], expected)
        for row in rows:
            self.assertEqual((row["workload"], row["lines"], row["rounds"]), ("routes4", "2000", "1"))
            self.assertGreater(float(row["rules_per_s"]), 0)
            self.assertGreater(float(row["x_floor"]), 0)
            self.assertGreaterEqual(float(row["answer_p99_us"]), float(row["answer_p50_us"]))
            if row["coalesce"]:
                self.assertGreaterEqual(float(row["sends"]), 2000 / int(row["coalesce"]))
            if row["ack"] == "each":
                self.assertEqual(float(row["acks"]), 2000)
        with open(self.path("sweep.json")) as file:
            report = json.load(file)
        self.assertEqual((len(report["workloads"]), report["skipped"]), (1, {}))
        workload = report["workloads"][0]
        self.assertEqual(workload["floor"]["batch"], 64)
        self.assertEqual([str(row["window"]) for row in workload["settings"]], [row["window"] for row in rows])
        self.assertIn("auto", done.stdout)

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot: no plots")
    def test_plots(self):
        self.sweep("--quick", "--acks", "last")
        for name, words in (("rate", ("thousand rules a second", "--window auto", "bare replay, 64 a send")),
                            ("cpu", ("CPU microseconds a rule", "messages a send at the most")),
                            ("latency", ("microseconds", "ack last, p50", "ack last, p99"))):
            svg = xml.dom.minidom.parse(self.path(f"routes4-{name}.svg"))
            text = " ".join(node.data for element in svg.getElementsByTagName("text")
                            for node in element.getElementsByTagName("tspan")[0].childNodes)
            for word in ("routes4, 2,000 lines", *words):
                self.assertIn(word, text)

    def test_a_workload_that_the_kernel_does_not_take_is_skipped(self):
        done = script("sweep.py", "--output", self.folder.name, "--workloads", "htb", "--lines", "70000")
        self.assertEqual(done.returncode, 1)
        self.assertIn("skipped: htb: htb has at most 65534 lines", done.stderr)


class Start(unittest.TestCase):
    def test_both_are_measured(self):
        done = script("start.py", "--rounds", "2", "--lines", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\nnlstream +\d+\.\d\d .*\nip -batch +\d+\.\d\d ")


class Reading(unittest.TestCase):
    def test_both_ways_are_measured(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("route add 10.0.0.1 dev v0\n" * 1000)
            file.flush()
            done = run([os.path.join(BUILD, "perf/read_bench"), file.name])
        self.assertEqual(set(json.loads(done.stdout)), {"read", "mmap"})
        done = run([os.path.join(BUILD, "perf/read_bench"), "/nonexistent"])
        self.assertEqual((done.returncode, done.stdout), (2, ""))


class Ideas(unittest.TestCase):
    def test_each_idea_is_measured_by_itself(self):
        with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
            done = script("ideas.py", "--lines", "2000", "--rounds", "1", "--json", file.name)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.load(file)
        of = {}
        for row in report["rows"]:
            of.setdefault(row["idea"], row)
        self.assertEqual([(of[idea]["sends"], of[idea]["acks"]) for idea in ("baseline", "Mi")],
                         [(2000, 2000), (of["both"]["sends"], 2000)])
        self.assertGreaterEqual(of["Hemminger"]["sends"], 2000)
        self.assertLess(of["Hemminger"]["acks"], 2000 / 16)
        self.assertEqual(of["both"]["acks"], of["both"]["sends"])
        self.assertLess(report["link_us"]["cached"], report["link_us"]["asked"])
        self.assertIn("no size given: auto", done.stdout)


if __name__ == "__main__":
    main()
