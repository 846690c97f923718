#!/usr/bin/env python3
"""Whether more than one socket helps: the bare replay over one and two sockets, a thread each, in turns.

Also nlstream on the whole input against two of them at once on a half each, which is the most that it could gain from a
second socket. Each run has a network namespace of its own; medians. Needs root and a built tree.
"""

import argparse
import os
import shlex
import statistics
import sys
import tempfile

import runs

WORKLOADS = {"routes4": 300_000, "routes6": 300_000, "ecmp": 200_000, "neigh": 200_000, "fdb": 200_000, "u32": 100_000}


def halves(source):
    """The two files that the lines are split into."""
    with open(source.lines, "rb") as file:
        lines = file.readlines()
    names = []
    for number, half in enumerate((lines[:len(lines) // 2], lines[len(lines) // 2:])):
        names.append(f"{source.lines}.{number}")
        with open(names[-1], "wb") as file:
            file.writelines(half)
    return names


def wall(source, files):
    """Of nlstreams at once, one a file."""
    nlstream = shlex.join([source.build.nlstream, "-q", *source.syntax])
    script = "".join(f"{nlstream} {shlex.quote(file)} & all=\"$all $!\"; " for file in files)
    script += "for one in $all; do wait $one || exit 1; done"
    clock = 'import subprocess, sys, time; start = time.perf_counter(); ' \
            'subprocess.run(["sh", "-c", sys.argv[1]], check=True); print(time.perf_counter() - start)'
    return float(source.in_fresh([sys.executable, "-c", clock, script]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, metavar="R", help="runs of each (5)")
    parser.add_argument("--batch", type=int, default=64, metavar="N", help="messages a send of the replay (64)")
    parser.add_argument("--workloads", default=",".join(f"{name}={count}" for name, count in WORKLOADS.items()), metavar="NAME=LINES,...",
                        help="of `workload --list` (%(default)s)")
    options = parser.parse_args()
    build = runs.Build()
    print(f"medians of {options.rounds}, {os.cpu_count()} CPUs, kernel {os.uname().release}: seconds, and how many times as fast two are")
    print(f"{'':9}{'lines':>9}{'1 socket':>10}{'2 sockets':>11}{'gain':>6}{'1 nlstream':>12}{'2 nlstreams':>13}{'gain':>6}")
    with tempfile.TemporaryDirectory(prefix="nlstream-sockets.") as folder:
        for workload in options.workloads.split(","):
            name, count = workload.split("=")
            source = runs.Input(build, name, int(count), folder)
            two = halves(source)
            contestants = [
                lambda: source.floor("--batch", str(options.batch), "--sockets", "1")["seconds"],
                lambda: source.floor("--batch", str(options.batch), "--sockets", "2")["seconds"],
                lambda: wall(source, [source.lines]),
                lambda: wall(source, two),
            ]
            rounds = [[run() for run in contestants] for _ in range(options.rounds)]
            one, both, alone, pair = (statistics.median(times) for times in zip(*rounds))
            print(f"{name:9}{int(count):>9,}{one:>10.3f}{both:>11.3f}{one / both:>6.2f}{alone:>12.3f}{pair:>13.3f}{alone / pair:>6.2f}", flush=True)


if __name__ == "__main__":
    main()
