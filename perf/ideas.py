#!/usr/bin/env python3
"""What each of the ideas behind nlstream brings by itself, on the same input in one run.

The baseline is what `tc -batch` did: one request, its ACK, the next request. Then, each by itself and together:
Chris Mi's batching (several messages a sendmsg, an ACK for each), Stephen Hemminger's not asking for an ACK for every
rule, Phil Sutter's question whether a batch size is needed at all, and David Ahern's link cache. Each run has a network
namespace of its own; all take turns; medians. Needs root and a built tree.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time

import runs

BATCH = 128  # messages a send, as in Chris Mi's patch

# (whose, what it is, options)
ROWS = [
    ("baseline", "request, ACK, request", ["--window", "1", "--coalesce", "1", "--ack", "last"]),
    ("Mi", f"{BATCH} a sendmsg, an ACK each", ["--window", BATCH, "--coalesce", BATCH, "--ack", "each"]),
    ("Hemminger", f"one a sendmsg, an ACK in {BATCH}", ["--window", BATCH, "--coalesce", "1", "--ack", "none"]),
    ("both", f"{BATCH} a sendmsg, an ACK for the last", ["--window", BATCH, "--coalesce", BATCH, "--ack", "last"]),
    ("Sutter", "at most 16 a sendmsg", ["--window", "4096", "--coalesce", "16"]),
    ("Sutter", "at most 64", ["--window", "4096", "--coalesce", "64"]),
    ("Sutter", "at most 256", ["--window", "4096", "--coalesce", "256"]),
    ("Sutter", "at most 1024", ["--window", "4096", "--coalesce", "1024"]),
    ("Sutter", "no size given: auto", ["--window", "auto", "--coalesce", "auto"]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", default="routes4", metavar="NAME", help="of `workload --list` (routes4)")
    parser.add_argument("--lines", type=int, default=300_000, metavar="N", help="(300000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="R", help="runs of each (5)")
    parser.add_argument("--json", metavar="FILE", help="write everything measured")
    parser.add_argument("--build", metavar="DIR", help="the built tree (build/release)")
    options = parser.parse_args()
    build = runs.Build(options.build)
    with tempfile.TemporaryDirectory(prefix="nlstream-ideas.") as folder:
        source = runs.Input(build, options.workload, options.lines, folder)
        measured = [[] for _ in ROWS]
        floors = []
        for _ in range(options.rounds):
            for row, summaries in zip(ROWS, measured):
                summaries.append(source.stream(*map(str, row[2])))
            floors.append(source.floor())
        looked_up = [json.loads(source.in_fresh([build.program("link_bench"), "d0"])) for _ in range(options.rounds)]
    report = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()), **runs.machine(), "workload": options.workload,
        "lines": options.lines, "rounds": options.rounds,
        "rows": [row_of(row, summaries, options.lines) for row, summaries in zip(ROWS, measured)],
        "floor_us_per_line": statistics.median(one["seconds"] for one in floors) / options.lines * 1e6,
        "link_us": {how: statistics.median(one[how] for one in looked_up) / 1000 for how in looked_up[0]},
    }
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
    print_table(report)


def row_of(row, summaries, lines):
    def median(get):
        return statistics.median(get(summary) for summary in summaries)
    return {
        "idea": row[0], "what": row[1], "options": " ".join(map(str, row[2])),
        "us_per_line": median(lambda s: s["seconds"]["wall"]) / lines * 1e6,
        "cpu_us_per_line": median(lambda s: s["seconds"]["user"] + s["seconds"]["system"]) / lines * 1e6,
        "sends": median(lambda s: s["sends"]), "acks": median(lambda s: s["acks"]),
        "walls_s": [summary["seconds"]["wall"] for summary in summaries],
    }


def print_table(report):
    base = report["rows"][0]["us_per_line"]
    print(f"{report['workload']}, {report['lines']:,} lines, medians of {report['rounds']}, kernel {report['kernel']}, "
          f"{report['cpus']} CPUs, load {report['load_average']:.1f}")
    print(f"{'idea':<11}{'':<36}{'us/line':>8}{'CPU us':>8}{'times as fast':>15}{'sends':>9}{'ACKs':>9}")
    for row in report["rows"]:
        print(f"{row['idea']:<11}{row['what']:<36}{row['us_per_line']:>8.2f}{row['cpu_us_per_line']:>8.2f}"
              f"{base / row['us_per_line']:>15.2f}{row['sends']:>9.0f}{row['acks']:>9.0f}")
    print(f"{'floor':<11}{'bare replay, 64 a sendmsg':<36}{report['floor_us_per_line']:>8.2f}{'':>8}"
          f"{base / report['floor_us_per_line']:>15.2f}")
    links = report["link_us"]
    print(f"Ahern: the index of a link costs {links['cached'] * 1000:.0f} ns in the cache; without it each line would "
          f"spend {links['asked']:.2f} us on RTM_GETLINK, or {links['if_nametoindex']:.2f} us on if_nametoindex(3)\n"
          "(measured by link_bench, not in the stream: nlstream has no mode without its cache).")


if __name__ == "__main__":
    sys.exit(main())
