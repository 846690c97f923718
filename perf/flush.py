#!/usr/bin/env python3
"""How long a flush takes: nlstream and ip delete the same, in turns, each in a fresh network namespace that nlstream has filled.

    perf/flush.py [--rounds N] [--ip PATH] [--part F]
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from namespaces import run_in_fresh

NLSTREAM = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build/release/app/nlstream")
SETUP = ["ip link add v0 type veth peer name v1", "ip link set v0 up", "ip link set v1 up", "ip address add 172.16.0.1/12 dev v0"]
WHAT = {  # how many, the lines that make them, what flushes them, what lists those that are left
    "routes": (1000000, lambda n: f"route add 10.{n >> 16}.{n >> 8 & 255}.{n & 255}/32 dev v0", "route flush root 10.0.0.0/8", "route show root 10.0.0.0/8"),
    "neighbours": (100000, lambda n: f"neigh add 172.{16 + (n >> 16)}.{n >> 8 & 255}.{n & 255} lladdr 02:00:00:00:00:01 dev v0 nud permanent", "neigh flush dev v0 nud permanent", "neigh show nud permanent"),
    "addresses": (10000, lambda n: f"address add 10.{n >> 8}.{n & 255}.1/24 dev v0", "address flush dev v0 to 10.0.0.0/8", "-4 address show dev v0 to 10.0.0.0/8"),
}


def seconds(filling, flush, shown, command):
    """What one flush took and what the processors worked for it; ends the program where something is left."""
    def action():
        subprocess.run([NLSTREAM, "-q", "--syntax", "ip", filling], check=True)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, input=flush + "\n", text=True, stdout=subprocess.DEVNULL)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return (wall, cpu), subprocess.run(["ip", *shown.split()], check=True, capture_output=True, text=True).stdout
    took, left = run_in_fresh(SETUP, action)
    if left:
        sys.exit(f"{command[0]}: {flush}: {len(left.splitlines())} rows are left")
    return took


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ip", default="ip", help="the iproute2 to compare with")
    parser.add_argument("--part", type=float, default=1, help="of the usual numbers, to see whether it works")
    options = parser.parse_args()
    commands = {"nlstream": [NLSTREAM, "-q", "--syntax", "ip", "-"], "ip": [options.ip, "-batch", "-"]}
    print(f"{'':24}" + "".join(f"{name:>12}{'(CPU)':>9}" for name in commands) + f"   seconds, medians of {options.rounds}, in turns")
    for what, (most, line, flush, shown) in WHAT.items():
        count = int(most * options.part)
        with tempfile.NamedTemporaryFile("w", suffix=".ip") as filling:
            filling.writelines(line(number) + "\n" for number in range(1, count + 1))
            filling.flush()
            times = {name: [] for name in commands}
            for _ in range(options.rounds):
                for name, command in commands.items():
                    times[name].append(seconds(filling.name, flush, shown, command))
        medians = ((statistics.median(of) for of in zip(*times[name])) for name in commands)
        print(f"{count:>11,} {what:12}" + "".join(f"{wall:12.3f}  ({cpu:.3f})" for wall, cpu in medians), flush=True)


if __name__ == "__main__":
    main()
