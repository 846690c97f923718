#!/usr/bin/env python3
"""How long others take to bring routes into the kernel: ip -batch, BIRD 2, FRR, pyroute2, each from its Debian package.

Each run has a network namespace of its own; all take turns; medians. The clock runs from the start of the program until
the last route is in the kernel, for all alike, as the kernel counts routes in /proc/net. A peer that is not installed
is left out, with the reason. Needs root and a built tree.

Each at its best setting:
  nlstream   the defaults
  ip         -batch
  BIRD       protocol static with all routes in the file, exported by protocol kernel; no logging
  FRR        staticd reads the routes from its file, zebra is up already; no logging. (sharpd, which makes routes up by
             itself, is in no Debian package.) Many routes end at --timeout
  pyroute2   IPBatch encodes 100 routes, one send each, the answers read from a plain socket
"""

import argparse
import grp
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import compare
import namespaces
import runs

WORKLOADS = ("routes4", "routes6", "ecmp")
FRR = "/usr/lib/frr"
PYROUTE2 = """
import socket, sys
from pyroute2 import IPBatch
index = {name: socket.if_nametoindex(name) for name in ("d0", "d1")}
kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
kernel.bind((0, 0))
batch, refused = IPBatch(), 0
def send(routes):
    global refused
    kernel.send(batch.batch)
    batch.reset()
    for _ in range(routes):
        refused += int.from_bytes(kernel.recv(4096)[16:20], "little") != 0
waiting = 0
for line in open(sys.argv[1]):
    words = line.split()
    hops = [{"gateway": words[at + 1], "oif": index[words[at + 3]]} for at in range(len(words)) if words[at] == "via"]
    if hops:
        batch.route("add", dst=words[2], multipath=hops)
    else:
        batch.route("add", dst=words[2], oif=index[words[4]])
    waiting += 1
    if waiting == 100:
        send(waiting)
        waiting = 0
if waiting:
    send(waiting)
sys.exit(refused > 0)
"""


class Missing(Exception):
    """A peer that cannot take part; the text says why."""


def main():
    options = parse_options()
    report = {"date": time.strftime("%Y-%m-%d", time.gmtime()), **runs.machine(), "rounds": options.rounds,
              "lines": options.lines, "workloads": {}, "skipped": {}}
    build = runs.Build(options.build)
    for name in options.workloads:
        # Daemons that run as a user of their own read their files here.
        with tempfile.TemporaryDirectory(prefix="nlstream-peers.") as folder:
            os.chmod(folder, 0o755)
            report["workloads"][name] = measure(runs.Input(build, name, options.lines, folder), folder, options, report)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
    print_table(report)
    return 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words = lambda text: text.split(",")
    parser.add_argument("--workloads", type=words, default=list(WORKLOADS), metavar="NAME,...",
                        help=", ".join(WORKLOADS) + " (all)")
    parser.add_argument("--lines", type=int, default=100_000, metavar="N", help="routes (100000)")
    parser.add_argument("--rounds", type=int, default=3, metavar="R", help="runs of each (3)")
    parser.add_argument("--only", type=words, metavar="NAME,...", help=", ".join(PEERS) + " (all)")
    parser.add_argument("--iproute2", action="append", default=[], metavar="DIR",
                        help="one more ip: iproute2's programs or source tree in DIR")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="give a run up after so long (300)")
    parser.add_argument("--json", metavar="FILE", help="write everything measured")
    parser.add_argument("--build", metavar="DIR", help="the built tree (build/release)")
    options = parser.parse_args()
    if set(options.workloads) - set(WORKLOADS):
        parser.error("--workloads takes " + ", ".join(WORKLOADS))
    if options.only and set(options.only) - set(PEERS):
        parser.error("--only takes " + ", ".join(PEERS))
    return options


def measure(source, folder, options, report):
    contestants = {}
    for peer in options.only or PEERS:
        try:
            for name, start in PEERS[peer](source, folder, options):
                contestants[name] = start
        except Missing as why:
            report["skipped"][peer] = str(why)
    results = {name: [] for name in contestants}
    for _ in range(options.rounds):
        for name, start in list(contestants.items()):
            try:
                results[name].append(namespaces.run_in_fresh(source.setup, lambda: run_once(source, start, options)))
            except RuntimeError as error:
                report["skipped"][f"{name}, {source.name}"] = str(error).strip().splitlines()[-1]
                del contestants[name], results[name]
    return {name: {"wall_s": statistics.median(run["wall_s"] for run in rounds),
                   "cpu_s": statistics.median(run["cpu_s"] for run in rounds),
                   "walls_s": [run["wall_s"] for run in rounds]} for name, rounds in results.items()}


def run_once(source, start, options):
    """In the namespace: from the start until all routes are there."""
    count = routes6 if source.name == "routes6" else routes4
    wanted = count() + source.count
    running, before, begun = start()
    try:
        while True:
            asked = time.monotonic()
            if count() >= wanted:
                break
            now = time.monotonic()
            if now - begun > options.timeout:
                raise RuntimeError(f"{count() - wanted + source.count:,} of {source.count:,} routes after "
                                   f"{options.timeout:g} s")
            if running[-1].poll() is not None and count() < wanted:
                raise RuntimeError(f"ended with {running[-1].returncode} and {count() - wanted + source.count:,} routes")
            # Counting shall not take more than a tenth of anybody's time.
            time.sleep(max(0.002, 10 * (now - asked)))
        wall = time.monotonic() - begun
        cpu = sum(cpu_of(process) for process in running) - before
    finally:
        for process in running:
            process.send_signal(signal.SIGKILL)
            process.wait()
    return {"wall_s": wall, "cpu_s": cpu}


def cpu_of(process):
    """User and system seconds of a child so far, all its threads together. One that has ended is still there as it has
    not been waited for."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def routes4():
    with open("/proc/net/fib_triestat") as file:
        return sum(int(number) for number in re.findall(r"Prefixes:\s+(\d+)", file.read()))


def routes6():
    with open("/proc/net/rt6_stats") as file:
        return int(file.read().split()[3], 16)


def started(argv):
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def program(argv):
    """What starts a program that does all by itself."""
    def start():
        begun = time.monotonic()
        return [started(argv)], 0, begun
    return start


def nlstream(source, folder, options):
    yield "nlstream", program([source.build.nlstream, "-q", *source.syntax, source.lines])


def ip(source, folder, options):
    for place in [None, *options.iproute2]:
        yield (f"ip -batch {compare.iproute2_version(place)}",
               program([compare.find_iproute2("ip", place), "-batch", source.lines]))


def parsed(source):
    """Destination and nexthops of each line: gateways, or one device in quotes."""
    with open(source.lines) as file:
        for line in file:
            words = line.split()
            gateways = [words[at + 1] for at, word in enumerate(words) if word == "via"]
            yield words[2], gateways or [f'"{words[4]}"']


def bird(source, folder, options):
    found = shutil.which("bird", path=os.environ["PATH"] + ":/usr/sbin")
    if not found:
        raise Missing("there is no bird (Debian: bird2)")
    family = "ipv6" if source.name == "routes6" else "ipv4"
    path = os.path.join(folder, "bird.conf")
    with open(path, "w") as file:
        file.write("router id 198.18.0.1;\nprotocol device { }\n"
                   f"protocol kernel {{ {family} {{ export all; }}; merge paths off; scan time 3600; }}\n"
                   f"protocol static {{ {family};\n")
        for destination, hops in parsed(source):
            file.write(f"route {destination} {' '.join('via ' + hop for hop in hops)};\n")
        file.write("}\n")
    yield "BIRD 2", program([found, "-f", "-c", path, "-s", os.path.join(folder, "bird.ctl")])


def frr(source, folder, options):
    if not os.path.exists(f"{FRR}/zebra"):
        raise Missing(f"there is no {FRR}/zebra (Debian: frr)")
    word = "ipv6" if source.name == "routes6" else "ip"
    routes = os.path.join(folder, "staticd.conf")
    with open(routes, "w") as file:
        for destination, hops in parsed(source):
            file.writelines(f"{word} route {destination} {hop.strip(chr(34))}\n" for hop in hops)
    empty = os.path.join(folder, "zebra.conf")
    open(empty, "w").close()

    def start():
        # Both run as FRR's own user, who has to write here.
        own = tempfile.mkdtemp(prefix="run.", dir=folder)
        shutil.chown(own, "frr", grp.getgrnam("frr").gr_gid)
        common = ["-z", f"{own}/zserv", "--vty_socket", own, "-A", "127.0.0.1", "-P", "0", "-u", "frr", "-g", "frr"]
        zebra = started([f"{FRR}/zebra", "-f", empty, "-i", f"{own}/zebra.pid", *common])
        for _ in range(500):
            if os.path.exists(f"{own}/zserv"):
                break
            time.sleep(0.01)
        time.sleep(0.5)  # it reads the links that there are
        before, begun = cpu_of(zebra), time.monotonic()
        return [zebra, started([f"{FRR}/staticd", "-f", routes, "-i", f"{own}/staticd.pid", *common])], before, begun
    yield "FRR staticd", start


def pyroute2(source, folder, options):
    # The package is Debian's Python's, which may not be the first in PATH.
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import pyroute2"], stderr=subprocess.DEVNULL).returncode != 0:
        raise Missing(f"{python} has no pyroute2 (Debian: python3-pyroute2)")
    path = os.path.join(folder, "load.py")
    with open(path, "w") as file:
        file.write(PYROUTE2)
    yield "pyroute2", program([python, path, source.lines])


PEERS = {"nlstream": nlstream, "ip": ip, "bird": bird, "frr": frr, "pyroute2": pyroute2}


def print_table(report):
    print(f"{report['lines']:,} routes, medians of {report['rounds']}, kernel {report['kernel']}, {report['cpus']} CPUs, "
          f"load {report['load_average']:.1f}: wall s until all are in the kernel (CPU s)")
    names = list(dict.fromkeys(name for results in report["workloads"].values() for name in results))
    print(f"{'':<18}" + "".join(f"{workload:>18}" for workload in report["workloads"]))
    for name in names:
        cells = (results.get(name) for results in report["workloads"].values())
        print(f"{name:<18}" + "".join(f"{cell['wall_s']:>9.3f} {'(' + format(cell['cpu_s'], '.2f') + ')':>8}" if cell
                                      else f"{'-':>18}" for cell in cells))
    for name, why in report["skipped"].items():
        print(f"skipped: {name}: {why}")


if __name__ == "__main__":
    sys.exit(main())
