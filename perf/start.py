#!/usr/bin/env python3
"""What starting costs: whole runs on a file of one line or few, in turns, in a network namespace of its own.

    perf/start.py [--rounds N] [--lines N] [--build DIR]
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 2):
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr.decode()}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--build", default=f"{ROOT}/build/release", help="a built tree (%(default)s)")
    parser.add_argument("--lines", type=int, default=1, help="lines of the file, at most 65536")
    options = parser.parse_args()
    if "NLSTREAM_INSIDE" not in os.environ:
        os.environ["NLSTREAM_INSIDE"] = "1"
        os.execvp("unshare", ["unshare", "-n", sys.executable] + sys.argv)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.NamedTemporaryFile("w", suffix=".ip") as batch:
        batch.writelines(f"route replace 10.{number >> 8}.{number & 255}.0/24 dev lo\n" for number in range(options.lines))
        batch.flush()
        commands = {
            "nlstream": [f"{options.build}/app/nlstream", "-q", batch.name],
            "ip -batch": ["ip", "-batch", batch.name],
        }
        times = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                times[name].append(run(command))
    print(f"{'':12} {'wall ms':>8} {'min':>6} {'CPU ms':>8} {'min':>6}   medians of {options.rounds}, in turns")
    for name, pairs in times.items():
        wall, cpu = zip(*pairs)
        print(f"{name:12} {statistics.median(wall) * 1e3:8.2f} {min(wall) * 1e3:6.2f} {statistics.median(cpu) * 1e3:8.2f} {min(cpu) * 1e3:6.2f}")


if __name__ == "__main__":
    main()
