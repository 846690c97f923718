#!/usr/bin/env python3
"""Times nlstream, the bare replay of its messages and `ip`, `tc` or `bridge -batch` on one workload.

Each run has a network namespace of its own; the contestants take turns, so that a slow minute of the machine hits all.
Prints medians as a table, and everything as JSON with --json. Needs root and a built tree.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import typing

import namespaces

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Lists what the workloads make, without what the kernel adds by itself and numbers at random.
LISTING = r"""
{
    ip -4 route; ip -6 route; ip neigh; bridge fdb
    for d in d0 d1; do tc class show dev $d; tc filter show dev $d ingress; done
} |
grep -vE 'fe80:|ff00::|^33:33:|^01:00:5e' | LC_ALL=C sort
"""


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory(prefix="nlstream-perf.") as folder:
        comparison = Comparison(options, folder)
        comparison.prepare()
        comparison.run()
        report = comparison.report()
    if options.json:
        with (sys.stdout if options.json == "-" else open(options.json, "w")) as file:
            json.dump(report, file, indent=1)
            file.write("\n")
    if options.json != "-":
        print_table(report)
    return 0 if report["results"] and not report["problems"] else 1


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", help="a name that `workload --list` shows")
    parser.add_argument("count", type=int, help="lines")
    parser.add_argument("--rounds", type=int, default=5, metavar="R", help="runs of each contestant (5)")
    parser.add_argument("--delete", action="store_true", help="measure deleting what the workload adds")
    parser.add_argument("--bad", type=float, default=0, metavar="PERCENT",
                        help="share of lines that the kernel refuses")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"), metavar="DIR", help="the built tree")
    parser.add_argument("--nlstream", metavar="FILE", help="another nlstream than the built tree's")
    parser.add_argument("--nlstream-args", action="append", metavar="ARGS",
                        help='options for nlstream, as one word; given again: one more contestant ("" is the defaults)')
    parser.add_argument("--iproute2", action="append", default=[], metavar="DIR",
                        help="one more contestant: iproute2's programs or source tree in DIR")
    parser.add_argument("--batches", default="16,64,256,1024", metavar="N,...",
                        help="messages a send that the floor tries; its two best take part (16,64,256,1024)")
    parser.add_argument("--only", metavar="NAME,...", help="floor, nlstream, check, iproute2 (all)")
    parser.add_argument("--limit", type=float, metavar="RATIO",
                        help="a problem, and so exit code 1, if nlstream takes longer than this many times the floor")
    parser.add_argument("--no-listing", action="store_true", help="do not check that all leave the same state behind")
    parser.add_argument("--json", metavar="FILE",
                        help="write everything measured (-: to standard output, without the table)")
    options = parser.parse_args()
    options.only = set(options.only.split(",")) if options.only else {"floor", "nlstream", "check", "iproute2"}
    unknown = options.only - {"floor", "nlstream", "check", "iproute2"}
    if unknown:
        parser.error("--only does not know " + ", ".join(sorted(unknown)))
    options.nlstream = options.nlstream or os.path.join(options.build, "app/nlstream")
    return options


class Listing(typing.NamedTuple):
    """What a run left behind."""
    digest: str
    count: int

    def __str__(self):
        return f"{self.count} objects, digest {self.digest[:12]}"


class Contestant:
    def __init__(self, name, argv, is_floor=False, is_iproute2=False, leaves_state=True):
        self.name, self.argv = name, argv
        self.is_floor, self.is_iproute2, self.leaves_state = is_floor, is_iproute2, leaves_state
        self.runs = []

    def median(self, what):
        return statistics.median(run[what] for run in self.runs)


class Comparison:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.contestants, self.problems, self.notes, self.listings = [], [], [], {}
        self.perf = os.path.join(options.build, "perf")
        listed = subprocess.run([self.program("workload"), "--list"], check=True, capture_output=True, text=True).stdout
        tools = {row[0]: row[1] for row in (line.split("\t") for line in listed.splitlines())}
        if options.workload not in tools:
            sys.exit(f"compare.py: no workload is called {options.workload}; there are {', '.join(tools)}")
        self.tool = tools[options.workload]
        self.setup = self.workload("--setup").decode().splitlines()

    def program(self, name):
        return os.path.join(self.perf, name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def workload(self, *more):
        argv = [self.program("workload"), self.options.workload, str(self.options.count), *more]
        return subprocess.run(argv, check=True, capture_output=True).stdout

    def prepare(self):
        """Writes the inputs, and decides who takes part."""
        options = self.options
        bad = ["--bad", str(options.bad)] if options.bad else []
        with open(self.path("lines"), "wb") as file:
            file.write(self.workload(*bad, *(["--delete"] if options.delete else [])))
        if options.delete:
            with open(self.path("before"), "wb") as file:
                file.write(self.workload())
        syntax = [] if self.tool == "nlstream" else ["--syntax", self.tool]
        force = ["--force"] if options.bad else []
        if "floor" in options.only:
            self.add_floors(syntax)
        if "nlstream" in options.only:
            for more in options.nlstream_args or [""]:
                argv = [options.nlstream, *syntax, *force, "-q", *shlex.split(more), self.path("lines")]
                self.contestants.append(Contestant(f"nlstream {more}".strip(), argv))
        if "check" in options.only:
            argv = [options.nlstream, *syntax, "--check", "-q", self.path("lines")]
            self.contestants.append(Contestant("nlstream --check", argv, leaves_state=False))
        if "iproute2" in options.only and self.tool != "nlstream":
            for folder in [None, *options.iproute2]:
                program = find_iproute2(self.tool, folder)
                force = ["-force"] if options.bad else []
                self.contestants.append(Contestant(f"{self.tool} -batch {iproute2_version(folder)}",
                                                   [program, *force, "-batch", self.path("lines")],
                                                   is_iproute2=True))

    def add_floors(self, syntax):
        messages = self.path("messages")
        encode = [self.options.nlstream, *syntax, "--check", "--emit", "bin", "-q", self.path("lines")]
        with open(messages, "wb") as file:
            namespaces.run_in_fresh(self.setup, lambda: subprocess.run(encode, stdout=file, check=True))
        floors = [Contestant(f"floor, {size} a send",
                             [self.program("floor"), messages, "--batch", size, "--json"], is_floor=True)
                  for size in self.options.batches.split(",")]
        if len(floors) > 2:
            tried = sorted(floors, key=lambda floor: self.run_once(floor)["wall"])
            floors = tried[:2]
        self.contestants += floors

    def run(self):
        for round_number in range(self.options.rounds):
            for contestant in self.contestants:
                contestant.runs.append(self.run_once(contestant, list_state=round_number == 0))
                if sys.stderr.isatty():
                    print(f"\rround {round_number + 1}: {contestant.name:<50}", end="\r", file=sys.stderr)
        self.compare_listings()

    def compare_listings(self):
        """The same messages must leave the same state; another iproute2 may round a rate or a time in another way."""
        theirs = {c.name for c in self.contestants if c.is_iproute2}
        ours = {name: listing for name, listing in self.listings.items() if name not in theirs}
        if len(set(ours.values())) > 1:
            self.problems += [f"left behind by {name}: {listing}" for name, listing in ours.items()]
        for name, listing in self.listings.items():
            if not ours or name in ours or listing in ours.values():
                continue
            same_count = listing.count in {other.count for other in ours.values()}
            (self.notes if same_count else self.problems).append(f"{name} left behind {listing}; the others "
                                                                 f"{next(iter(ours.values()))}")

    def run_once(self, contestant, list_state=False):
        list_state = list_state and contestant.leaves_state and not self.options.no_listing
        result, listing = namespaces.run_in_fresh(self.setup, lambda: self.measure(contestant, list_state))
        if listing:
            self.listings[contestant.name] = listing
        if result["exit"] != (0 if not self.options.bad or not contestant.leaves_state or contestant.is_floor else 1):
            problem = f"{contestant.name} ended with {result['exit']}: {result['message']}"
            if problem not in self.problems:
                self.problems.append(problem)
        return result

    def measure(self, contestant, list_state):
        """In the namespace: one run; the figures of floor are its loop's own, of the others the whole process's."""
        if self.options.delete:
            for tool, file in self.parts(self.path("before")):
                subprocess.run([tool, "-batch", file], check=True)
        with open(self.path("out"), "w+") as out, open(self.path("err"), "w+") as err:
            argv = [self.program("measure"), self.path("figures"), *contestant.argv]
            subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            err.seek(0)
            message = err.readline().strip()
            out.seek(0)
            with open(self.path("figures")) as file:
                result = json.load(file)
            result["message"] = message
            if contestant.is_floor and result["exit"] == 0:
                loop = json.load(out)
                result.update(wall=loop["seconds"], user=loop["user"], system=loop["system"], errors=loop["errors"])
                if not self.options.bad and loop["errors"]:
                    result.update(exit=1, message=f"{loop['errors']} messages were refused")
        return result, self.listing() if list_state else None

    def parts(self, path):
        """A batch file as iproute2's tools can take it: split by the first word if it mixes them."""
        if self.tool != "nlstream":
            return [(self.tool, path)]
        parts = {}
        with open(path) as file:
            for line in file:
                tool, rest = line.split(" ", 1)
                parts.setdefault(tool, []).append(rest.removeprefix("-6 "))
        for tool, lines in parts.items():
            with open(f"{path}.{tool}", "w") as file:
                file.writelines(lines)
        return [(tool, f"{path}.{tool}") for tool in parts]

    @staticmethod
    def listing():
        digest, count = hashlib.sha256(), 0
        with subprocess.Popen(["bash", "-c", LISTING], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            for line in process.stdout:
                digest.update(line)
                count += 1
        return Listing(digest.hexdigest(), count)

    def report(self):
        floors = [c for c in self.contestants if c.is_floor]
        floor = min(floors, key=lambda c: c.median("wall")) if floors else None
        options = self.options
        results = [self.result(c, floor) for c in self.contestants]
        for row in results:
            if options.limit and floor and row["name"].startswith("nlstream") and row["ratio_to_floor"] > options.limit:
                self.problems.append(f"{row['name']} took {row['ratio_to_floor']:.3f} times the floor's time, "
                                     f"the limit is {options.limit:g}")
        return {
            "workload": options.workload, "count": options.count, "bad_percent": options.bad, "delete": options.delete,
            "rounds": options.rounds, "kernel": os.uname().release, "cpus": os.cpu_count(),
            "load_average": os.getloadavg()[0], "setup": self.setup, "floor": floor.name if floor else None,
            "problems": self.problems, "notes": self.notes,
            "results": results,
        }

    def result(self, contestant, floor):
        def cpu(c):
            return statistics.median(run["user"] + run["system"] for run in c.runs)
        times = [run["wall"] for run in contestant.runs]
        each = 1e6 / self.options.count
        return {
            "name": contestant.name, "command": shlex.join(contestant.argv), "times": times,
            "median": statistics.median(times), "min": min(times), "max": max(times),
            "stddev": statistics.stdev(times) if len(times) > 1 else 0,
            "user": contestant.median("user"), "system": contestant.median("system"),
            "max_rss_kib": contestant.median("max_rss_kib"), "us_per_line": statistics.median(times) * each,
            "cpu_us_per_line": cpu(contestant) * each,
            "ratio_to_floor": statistics.median(times) / floor.median("wall") if floor else None,
            "cpu_over_floor_us_per_line": (cpu(contestant) - cpu(floor)) * each
                                          if floor and contestant.leaves_state else None,
            "exit_codes": [run["exit"] for run in contestant.runs],
        }


def find_iproute2(tool, folder):
    """The program `tool`, of PATH or of a folder that is iproute2's source tree, its bin or its install root."""
    if folder is None:
        found = shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    else:
        places = [os.path.join(folder, place, tool) for place in (tool, "", "sbin", "usr/sbin")]
        found = next((place for place in places if os.path.isfile(place)), None)
    if found is None:
        sys.exit(f"compare.py: there is no {tool} in {folder or 'PATH'}")
    return found


def iproute2_version(folder):
    """Asked of ip: bridge does not know its own."""
    text = subprocess.run([find_iproute2("ip", folder), "-V"], capture_output=True, text=True).stdout
    found = re.search(r"iproute2-([0-9.]+?)(\.0)?[,\s]", text)
    return found.group(1) if found else "?"


def print_table(report):
    share = f", {report['bad_percent']:g} % bad" if report["bad_percent"] else ""
    print(f"{report['workload']}, {report['count']:,} lines{' deleted' if report['delete'] else ''}{share}: medians of "
          f"{report['rounds']} rounds, kernel {report['kernel']}, {report['cpus']} CPUs, "
          f"load {report['load_average']:.1f}")
    print(f"{'':<28}{'wall s':>9}{'min':>8}{'max':>8}{'x floor':>9}{'user s':>8}{'sys s':>8}{'us/line':>9}"
          f"{'CPU over':>10}{'RSS MiB':>9}")
    for row in report["results"]:
        ratio, over = (("-" if value is None else f"{value:.3f}")
                       for value in (row["ratio_to_floor"], row["cpu_over_floor_us_per_line"]))
        print(f"{row['name']:<28}{row['median']:>9.3f}{row['min']:>8.3f}{row['max']:>8.3f}"
              f"{ratio:>9}{row['user']:>8.3f}{row['system']:>8.3f}"
              f"{row['us_per_line']:>9.3f}{over:>10}{row['max_rss_kib'] / 1024:>9.1f}")
    print("x floor: wall time over the bare replay's at its best. CPU over: us a line of user and system time beyond it.")
    for note in report["notes"]:
        print("note:", note)
    for problem in report["problems"]:
        print("problem:", problem)


if __name__ == "__main__":
    sys.exit(main())
