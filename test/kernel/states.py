"""The same lines by nlstream and by iproute2, each in a fresh network namespace: does the kernel list the same afterwards?

A file of scenarios holds the lines of one kind, tc, ip or bridge before each. Blank lines separate scenarios, each of which gets
namespaces of its own; those that begin with `$ ` set a scenario up (`ip`, `tc` and `bridge` lines, `sysctl KEY=VALUE`,
`modprobe MODULE`, `wait SECONDS`, `vm`: not outside a VM), `#` begins a comment. A scenario whose lines begin with `ip -6`, say, is run with that option.
"""

import difflib
import os
import re
import subprocess
import time

from streaming import iproute2_failures, nlstream, run, with_file
from namespaces import run_in_fresh, set_up

LINES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "vm", "lines")
MAC = re.compile(r"\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b")


class Scenario:
    """Lines of one tool with the same options, and what comes before them."""

    def __init__(self, place):
        self.place, self.setup, self.command, self.lines = place, [], None, []

    def add(self, line):
        if line.startswith("$ "):
            self.setup.append(line[2:])
            return
        tool, options, rest = re.fullmatch(r"(tc|ip|bridge) ((?:-\S+ )*)(.*)", line).groups()
        command = [tool, *options.split()]
        if self.command not in (None, command):
            raise ValueError(f"{self.place}: all lines of a scenario need the same command, {line!r} has another")
        self.command = command
        self.lines.append(rest)


def read_scenarios(path):
    scenarios, current = [], None
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if line.startswith("#"):
                continue
            if not line:
                current = None
                continue
            if current is None:
                current = Scenario(f"{os.path.basename(path)}:{number}")
                scenarios.append(current)
            current.add(line)
    return scenarios


def read_exceptions(path):
    """What is meant to differ from 6.1: rows of KINDS TAB ROWS TAB REASON, the first two being regular expressions for a whole kind and a part of a row."""
    with open(path, encoding="ascii") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [(re.compile(kinds), re.compile(row), reason) for kinds, row, reason in rows]


def prepare(lines):
    """As namespaces.set_up, which it calls, with sysctl, modprobe and wait."""
    commands = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "vm":
            if "IN_VM" not in os.environ:
                raise RuntimeError("set-up by vm failed: this is not a VM")
        elif word == "sysctl":
            set_up(commands)
            commands = []
            key, value = rest.split("=")
            try:
                with open("/proc/sys/" + key.replace(".", "/"), "w", encoding="ascii") as file:
                    file.write(value)
            except FileNotFoundError as error:
                raise RuntimeError(f"set-up by {word} failed: the kernel has no {key}") from error
        elif word == "wait":
            set_up(commands)
            commands = []
            time.sleep(float(rest))
        elif word == "modprobe":
            subprocess.run(["modprobe", "-q", rest], check=False)
        else:
            commands.append(line)
    set_up(commands)


def ask(tool, questions):
    """What one process of a tool prints for all questions."""
    return run([*tool, "-force", "-batch", "-"], input="\n".join(questions) + "\n").stdout


def normalised(text, given):
    """Rows without what the kernel makes up (addresses that no line gave) and without what passes with time."""
    known = set(MAC.findall(given))
    text = MAC.sub(lambda found: found[0] if found[0] in known else "MAC", text)
    rows = []
    for row in text.splitlines():
        row = re.sub(r'"(LOWER_UP|NO-CARRIER|M-DOWN)",?', "", row)
        if not re.match(r'\s*"(operstate|expires|used|installed|first_used|permaddr|created|[a-z_]*_timer|valid_life_time|preferred_life_time|seed)":', row):
            rows.append(row)
    return rows


def refused_by_itself(said):
    """Whether iproute2 refused a line without asking the kernel, by what it printed."""
    return not any(line.startswith("RTNETLINK answers: ") or line.startswith("We have an error talking") or
                   (line.startswith("Error: ") and not re.match(r"Error: (argument|either|an? |duplicate|inet)", line)) for line in said)


class EndedInTheMidst(Exception):
    """Some words make iproute2 end in the midst of a batch; the text is the last that it said."""


class Outcome:
    """What became of one scenario."""

    def __init__(self):
        self.applied, self.refused, self.unknown, self.rows = 0, [], [], []

    def add(self, other):
        self.applied += other.applied
        self.refused += other.refused
        self.unknown += other.unknown
        self.rows += other.rows


def compare(scenario, common, listed):
    """Runs a scenario both ways. `common` are set-up lines before its own; `listed()` is the text of what is left behind."""
    outcome, setup = Outcome(), common + scenario.setup
    given = "\n".join(setup + scenario.lines)

    def theirs(path):
        done = run([*scenario.command, "-force", "-batch", path])
        if done.returncode not in (0, 1, 2):
            raise EndedInTheMidst(" ".join(done.stderr.splitlines()[-1:]))
        return iproute2_failures(done, path), normalised(listed(), given)

    def ours(path):
        options = ["--syntax", scenario.command[0], "--force", *scenario.command[1:]]
        return nlstream(path, *options).failures, normalised(listed(), given)

    def in_fresh(lines, action):
        return run_in_fresh([], lambda: (prepare(setup), with_file(lines, action))[1], quiet=False)

    def attempt(lines):
        """As theirs(); a text when it ended in the midst."""
        def action(path):
            try:
                return theirs(path)
            except EndedInTheMidst as ended:
                return str(ended)
        return in_fresh(lines, action)

    unknown, known = set(), list(scenario.lines)
    while isinstance(found := attempt(known), str):
        before, behind = 0, len(known)  # so many lines do not end it, so many do
        while behind - before > 1:
            middle = (before + behind) // 2
            if isinstance(attempt(known[:middle]), str):
                behind = middle
            else:
                before = middle
        outcome.unknown.append((known[behind - 1], found))
        unknown.add(behind)
        known[behind - 1] = ""
    their_failures, their_rows = found
    for number, said in sorted(their_failures.items()):
        if refused_by_itself(said):
            unknown.add(number)
            outcome.unknown.append((scenario.lines[number - 1], " ".join(said)))
    if len(unknown) == len(scenario.lines):
        return outcome
    lines = ["" if number in unknown else line for number, line in enumerate(scenario.lines, 1)]
    our_failures, our_rows = in_fresh(lines, ours)
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        left, right = their_failures.get(number), our_failures.get(number)
        if left is None and right is None:
            outcome.applied += 1
        elif left is not None and right is not None and right.startswith("the kernel refused"):
            outcome.refused.append((line, right))
        else:
            outcome.rows += [f"  {line}", f"-iproute2: {' '.join(left) if left else 'applied'}", f"+nlstream: {right or 'applied'}"]
    outcome.rows += [row for row in difflib.unified_diff(their_rows, our_rows, n=2, lineterm="") if not re.match(r"(---|\+\+\+) ", row)]
    return outcome


def compare_kind(kind, path, common, listed, exceptions, verbose):
    """Compares all scenarios of a file and prints what came of it; returns `ok`, `differs` or `skipped`."""
    outcome, excepted = Outcome(), set()
    for scenario in read_scenarios(path):
        try:
            one = compare(scenario, common, listed)
        except RuntimeError as error:
            said = re.search(r"set-up by (ip|tc|bridge|sysctl|vm) .*", str(error))
            if not said:
                raise
            one = Outcome()
            one.refused = [(line, said[0]) for line in scenario.lines]
        changed = [row for row in one.rows if row[:1] in "+-"]
        reasons = [next((reason for kinds, rows, reason in exceptions if kinds.fullmatch(kind) and rows.search(row)), None) for row in changed]
        if all(reasons):
            excepted.update(reasons)
            one.rows = []
        elif one.rows:
            one.rows.insert(0, f"  {scenario.place}")
        outcome.add(one)
    if outcome.rows:
        state, what = "differs", ""
    elif not outcome.applied:
        state = "skipped"
        if outcome.refused:
            what = outcome.refused[0][1]
        elif outcome.unknown:
            what = f"the installed iproute2: {outcome.unknown[0][1]}"
        else:
            what = "nothing was applied by both"
    else:
        state, what = "ok", f"{outcome.applied} lines"
        if outcome.refused:
            what += f", {len(outcome.refused)} more refused by the kernel both ways"
        if outcome.unknown:
            what += f", {len(outcome.unknown)} more unknown to the installed iproute2"
    print(f"{kind:16} {state}{': ' if what else ''}{what}{''.join(f'; excepted: {reason}' for reason in sorted(excepted))}", flush=True)
    for row in outcome.rows:
        print("    " + row, flush=True)
    if verbose or outcome.rows:
        for line, said in outcome.refused + outcome.unknown:
            print(f"    not applied: {line}: {said}", flush=True)
    return state


def main(folder, common, listed, arguments):
    """Compares the kinds of a folder of `lines` that are named, or all; returns the exit status."""
    old = "iproute2-6.1" in run(["ip", "-V"]).stdout
    exceptions = read_exceptions(os.path.join(LINES, "exceptions.tsv")) if old else []
    verbose = "-v" in arguments
    kinds = [kind for kind in arguments if kind != "-v"] or sorted(name[:-4] for name in os.listdir(os.path.join(LINES, folder)))
    states = [compare_kind(kind, os.path.join(LINES, folder, kind + ".txt"), common, listed, exceptions, verbose) for kind in kinds]
    print(", ".join(f"{states.count(state)} {state}" for state in ("ok", "differs", "skipped")))
    return 1 if "differs" in states else 0
