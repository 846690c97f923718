#!/usr/bin/env python3
"""Runs nlstream with windows x coalesce x ack modes on workloads, and writes what came of it as CSV, JSON and plots.

Each run has a network namespace of its own. All settings of a workload take turns, in another order each round; the
medians of the rounds are reported. Needs root and a built tree; plots need gnuplot.
"""

import argparse
import csv
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

import runs

ACK_MODES = ("last", "each", "none")
COLUMNS = ("workload", "lines", "window", "coalesce", "ack", "effective_window", "rounds", "wall_s", "rules_per_s",
           "x_floor", "user_s", "system_s", "cpu_us_per_rule", "answer_p50_us", "answer_p99_us", "sends", "acks")


class Setting(typing.NamedTuple):
    window: object  # a number, or "auto", which chooses coalesce itself
    coalesce: object  # a number, or None: not given
    ack: str

    def options(self):
        coalesce = ["--coalesce", str(self.coalesce)] if self.coalesce else []
        return ["--window", str(self.window), *coalesce, "--ack", self.ack]


def main():
    options = parse_options()
    if options.replot:
        with open(options.replot) as file:
            report = json.load(file)
    else:
        report = sweep(options)
    os.makedirs(options.output, exist_ok=True)
    if not options.replot:
        with open(os.path.join(options.output, "sweep.json"), "w") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
        with open(os.path.join(options.output, "sweep.csv"), "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            for workload in report["workloads"]:
                writer.writerows(workload["settings"])
    print_best(report)
    plot(report, options)
    return 0 if report["workloads"] else 1


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(word) for word in text.split(",")]
    words = lambda text: text.split(",")
    parser.add_argument("--workloads", type=words, metavar="NAME,...", help="of `workload --list` (all)")
    parser.add_argument("--lines", action="append", default=[], metavar="[NAME=]N",
                        help="lines of each workload, or of one (100000, htb=3000: the kernel walks all its classes)")
    parser.add_argument("--windows", type=words, default=[str(1 << power) for power in range(15)] + ["auto"],
                        metavar="N,...", help="1 to 16384 in powers of two, and auto where nlstream knows it")
    parser.add_argument("--coalesce", type=numbers, default=[1, 4, 16, 64, 256, 1024], metavar="N,...",
                        help="messages a send, never above the window (1,4,16,64,256,1024)")
    parser.add_argument("--acks", type=words, default=list(ACK_MODES), metavar="MODE,...", help="(last,each,none)")
    parser.add_argument("--floor-batches", type=numbers, default=[16, 64, 256, 1024], metavar="N,...",
                        help="messages a send that the bare replay tries in each round (16,64,256,1024)")
    parser.add_argument("--rounds", type=int, default=3, metavar="R", help="runs of each setting (3)")
    parser.add_argument("--output", default="sweep", metavar="DIR", help="where the files go (sweep)")
    parser.add_argument("--plots", default="svg", choices=("svg", "png"), help="what plots are drawn as (svg)")
    parser.add_argument("--replot", metavar="FILE", help="measure nothing: plot what an earlier sweep.json holds")
    parser.add_argument("--quick", action="store_true",
                        help="a small sweep that shows whether all works: 2,000 routes, few settings, one round")
    parser.add_argument("--build", metavar="DIR", help="the built tree (build/release)")
    parser.add_argument("--nlstream", metavar="FILE", help="another nlstream than the built tree's")
    options = parser.parse_args()
    if options.quick:
        options.workloads, options.lines, options.rounds = ["routes4"], ["2000"], 1
        options.windows, options.coalesce, options.floor_batches = ["1", "16", "256", "auto"], [1, 16], [64]
    if set(options.acks) - set(ACK_MODES):
        parser.error("--acks takes " + ", ".join(ACK_MODES))
    return options


def settings_of(options, build):
    settings = []
    for window in options.windows:
        if window == "auto":
            # It finds its own; and an nlstream that does not know it is swept without.
            coalesced = [None] if build.accepts("--window", "auto") else []
        else:
            window = int(window)
            coalesced = [size for size in options.coalesce if size <= window]
        settings += [Setting(window, size, ack) for size in coalesced for ack in options.acks]
    return settings


def lines_of(options):
    """Workload -> lines, and of others under None."""
    lines = {None: 100_000, "htb": 3_000}
    for text in options.lines:
        name, _, count = text.rpartition("=")
        if not name:
            lines.pop("htb", None)
        lines[name or None] = int(count)
    return lines


def sweep(options):
    build = runs.Build(options.build, options.nlstream)
    settings = settings_of(options, build)
    lines = lines_of(options)
    report = {"date": time.strftime("%Y-%m-%d", time.gmtime()), **runs.machine(), "rounds": options.rounds,
              "workloads": [], "skipped": {}}
    for name in options.workloads or build.workloads():
        with tempfile.TemporaryDirectory(prefix="nlstream-sweep.") as folder:
            try:
                source = runs.Input(build, name, lines.get(name, lines[None]), folder)
                report["workloads"].append(sweep_one(source, settings, options))
            except runs.Failed as why:
                report["skipped"][name] = str(why)
                print(f"skipped: {name}: {why}", file=sys.stderr)
    return report


def sweep_one(source, settings, options):
    measured = {setting: [] for setting in settings}
    floors = {size: [] for size in options.floor_batches}
    turns = [*settings, *floors]
    for round_number in range(options.rounds):
        random.Random(round_number).shuffle(turns)
        for number, turn in enumerate(turns):
            if sys.stderr.isatty():
                print(f"\r{source.name}, round {round_number + 1}: {number + 1} of {len(turns)} ", end="",
                      file=sys.stderr)
            if turn in floors:
                floors[turn].append(source.floor("--batch", str(turn)))
            else:
                measured[turn].append(source.stream(*turn.options()))
    floor = min((floor_row(source, size, figures) for size, figures in floors.items()), key=lambda row: row["wall_s"])
    return {"workload": source.name, "lines": source.count, "setup": source.setup, "floor": floor,
            "settings": [row(source, setting, summaries, floor) for setting, summaries in measured.items()]}


def row(source, setting, summaries, floor):
    def median(get):
        return statistics.median(get(summary) for summary in summaries)
    wall = median(lambda s: s["seconds"]["wall"])
    return {
        "workload": source.name, "lines": source.count, "window": setting.window, "coalesce": setting.coalesce,
        "ack": setting.ack, "effective_window": summaries[0]["window"]["effective"], "rounds": len(summaries),
        "wall_s": round(wall, 6), "rules_per_s": round(source.count / wall),
        "x_floor": round(wall / floor["wall_s"], 3),
        "user_s": median(lambda s: s["seconds"]["user"]), "system_s": median(lambda s: s["seconds"]["system"]),
        "cpu_us_per_rule": round(median(lambda s: s["seconds"]["user"] + s["seconds"]["system"])
                                 / source.count * 1e6, 3),
        "answer_p50_us": round(median(lambda s: s["latency_seconds"]["p50"]) * 1e6, 1),
        "answer_p99_us": round(median(lambda s: s["latency_seconds"]["p99"]) * 1e6, 1),
        "sends": median(lambda s: s["sends"]), "acks": median(lambda s: s["acks"]),
        "walls_s": [summary["seconds"]["wall"] for summary in summaries],
    }


def floor_row(source, size, figures):
    wall = statistics.median(one["seconds"] for one in figures)
    cpu = statistics.median(one["user"] + one["system"] for one in figures)
    return {"batch": size, "wall_s": wall, "rules_per_s": round(source.count / wall),
            "cpu_us_per_rule": round(cpu / source.count * 1e6, 3)}


def print_best(report):
    print(f"kernel {report['kernel']}, {report['cpus']} CPUs, medians of {report['rounds']}; "
          "the fastest settings of each workload, and what auto finds")
    print(f"{'':<12}{'lines':>9}  {'window':>7}{'coalesce':>9}{'ack':>6}{'rules/s':>11}{'x floor':>9}{'CPU us':>8}"
          f"{'p50 us':>9}{'p99 us':>9}")
    for workload in report["workloads"]:
        rows = sorted(workload["settings"], key=lambda row: row["wall_s"])
        automatic = [row for row in rows if row["window"] == "auto"]
        for row in [row for row in rows if row["window"] != "auto"][:3] + automatic[:1]:
            print(f"{row['workload']:<12}{row['lines']:>9}  {row['window']:>7}{row['coalesce'] or '':>9}{row['ack']:>6}"
                  f"{row['rules_per_s']:>11}{row['x_floor']:>9.3f}{row['cpu_us_per_rule']:>8.2f}"
                  f"{row['answer_p50_us']:>9.0f}{row['answer_p99_us']:>9.0f}")


class Curve(typing.NamedTuple):
    title: str
    points: list  # of (x, y)
    dash: int = 1
    colour: str = ""


class Graph(typing.NamedTuple):
    title: str
    x_title: str
    y_title: str
    curves: list
    logarithmic: bool = False


COLOURS = {"last": "#0060ad", "each": "#d95319", "none": "#2e8b57"}


def plot(report, options):
    if not shutil.which("gnuplot"):
        print("no plots: there is no gnuplot (Debian: gnuplot-nox)", file=sys.stderr)
        return
    for workload in report["workloads"]:
        for name, graph in graphs_of(workload).items():
            path = os.path.join(options.output, f"{workload['workload']}-{name}.{options.plots}")
            subprocess.run(["gnuplot"], input=script(graph, path, options.plots), text=True, check=True)


def graphs_of(workload):
    """Name -> graph."""
    fixed = [row for row in workload["settings"] if row["window"] != "auto"]
    automatic = min((row for row in workload["settings"] if row["window"] == "auto"), key=lambda row: row["wall_s"],
                    default=None)
    floor = workload["floor"]
    acks = [ack for ack in ACK_MODES if any(row["ack"] == ack for row in fixed)]

    def best(axis, ack, key):
        """The best row for each value of an axis."""
        rows = {}
        for row in sorted((row for row in fixed if row["ack"] == ack), key=lambda row: row[key], reverse=True):
            rows[row[axis]] = row
        return sorted(rows.items())

    def flat(title, value, axis, colour, dash):
        places = sorted({row[axis] for row in fixed})
        return Curve(title, [(places[0], value), (places[-1], value)], dash, colour)

    rate, latency, cpu = [], [], []
    for ack in acks:
        by_window = best("window", ack, "wall_s")
        rate.append(Curve(f"ack {ack}", [(x, row["rules_per_s"] / 1000) for x, row in by_window], 1, COLOURS[ack]))
        by_coalesce = sorted((row for row in fixed if row["ack"] == ack and row["coalesce"] <= 64),
                             key=lambda row: row["coalesce"])
        largest = sorted({row["window"]: row for row in by_coalesce}.items())
        for dash, share in ((1, "p50"), (2, "p99")):
            latency.append(Curve(f"ack {ack}, {share}", [(x, row[f"answer_{share}_us"]) for x, row in largest
                                                         if row[f"answer_{share}_us"] > 0], dash, COLOURS[ack]))
        cpu.append(Curve(f"ack {ack}", [(x, row["cpu_us_per_rule"]) for x, row in best("coalesce", ack,
                                                                                      "cpu_us_per_rule")],
                         1, COLOURS[ack]))
    if automatic:
        rate.append(flat("--window auto", automatic["rules_per_s"] / 1000, "window", "#9400d3", 4))
        cpu.append(flat("--window auto", automatic["cpu_us_per_rule"], "coalesce", "#9400d3", 4))
    replay = f"bare replay, {floor['batch']} a send"
    rate.append(flat(replay, floor["rules_per_s"] / 1000, "window", "#555555", 3))
    cpu.append(flat(replay, floor["cpu_us_per_rule"], "coalesce", "#555555", 3))
    what = f"{workload['workload']}, {workload['lines']:,} lines"
    return {
        "rate": Graph(f"{what}: rate over window, each at its best coalesce", "window (messages in flight)",
                      "thousand rules a second", rate),
        "cpu": Graph(f"{what}: CPU over coalesce, each at its best window", "messages a send at the most",
                     "CPU microseconds a rule", cpu),
        "latency": Graph(f"{what}: from a send to its answer, at most 64 a send",
                         "window (messages in flight)", "microseconds", latency, logarithmic=True),
    }


def script(graph, path, kind):
    """What gnuplot has to do."""
    terminal = {"svg": "svg size 800,480 font 'sans,13' background '#ffffff'",
                "png": "pngcairo size 800,480 font 'sans,11'"}[kind]
    out = [f"set terminal {terminal}", f"set output '{path}'", f"set title '{graph.title}'",
           f"set xlabel '{graph.x_title}'", f"set ylabel '{graph.y_title}'", "set logscale x 2",
           "set grid back linetype 1 linewidth 0.5 linecolor '#dddddd'", "set key outside bottom center horizontal", "set border 3",
           "set tics nomirror", "set logscale y 10" if graph.logarithmic else "set yrange [0:*]"]
    curves = [curve for curve in graph.curves if curve.points]
    for number, curve in enumerate(curves):
        out += [f"$curve{number} << end", *(f"{x} {y}" for x, y in curve.points), "end"]
    drawn = []
    for number, curve in enumerate(curves):
        style = "lines" if curve.dash > 2 else f"linespoints pointtype {5 + 2 * curve.dash} pointsize 0.5"
        drawn.append(f"$curve{number} with {style} dashtype {curve.dash} linewidth 2 linecolor '{curve.colour}' "
                     f"title '{curve.title}'")
    return "\n".join(out) + "\nplot " + ", ".join(drawn) + "\n"


if __name__ == "__main__":
    sys.exit(main())
