"""One workload's input, and runs of programs on it, each in a network namespace of its own."""

import json
import os
import subprocess

import namespaces

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Failed(Exception):
    """A run that did not do what it should; the text says why."""


class Build:
    """The programs of a built tree."""

    def __init__(self, folder=None, nlstream=None):
        self.folder = folder or os.path.join(ROOT, "build/release")
        self.nlstream = nlstream or os.path.join(self.folder, "app/nlstream")

    def program(self, name):
        return os.path.join(self.folder, "perf", name)

    def workloads(self):
        """Name -> (tool, the most lines)."""
        rows = subprocess.run([self.program("workload"), "--list"], check=True, capture_output=True, text=True).stdout
        return {name: (tool, int(most)) for name, tool, most, _ in (row.split("\t") for row in rows.splitlines())}

    def accepts(self, *options):
        """Whether nlstream knows these options."""
        done = subprocess.run([self.nlstream, "--check", "-q", *options, "/dev/null"], capture_output=True)
        return done.returncode == 0


class Input:
    """`count` lines of a workload in a file, and the messages they become in another."""

    def __init__(self, build, name, count, folder):
        self.build, self.name, self.count = build, name, count
        self.tool, most = build.workloads()[name]
        if count > most:
            raise Failed(f"{name} has at most {most} lines")
        self.syntax = [] if self.tool == "nlstream" else ["--syntax", self.tool]
        self.lines = os.path.join(folder, f"{name}.lines")
        self.messages = os.path.join(folder, f"{name}.messages")
        self.setup = self.workload("--setup").decode().splitlines()
        with open(self.lines, "wb") as file:
            file.write(self.workload())
        with open(self.messages, "wb") as file:
            self.in_fresh([build.nlstream, *self.syntax, "--check", "--emit", "bin", "-q", self.lines], stdout=file)

    def workload(self, *more):
        argv = [self.build.program("workload"), self.name, str(self.count), *more]
        return subprocess.run(argv, check=True, capture_output=True).stdout

    def in_fresh(self, argv, stdout=subprocess.PIPE):
        """What the program writes to standard output."""
        def action():
            return subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                                  timeout=600)
        try:
            done = namespaces.run_in_fresh(self.setup, action)
        except RuntimeError as error:
            raise Failed(str(error).strip().splitlines()[-1]) from error
        if done.returncode != 0:
            said = (done.stderr or done.stdout or b"").decode(errors="replace").strip()
            raise Failed(f"{os.path.basename(argv[0])} ended with {done.returncode}: {said[:300]}")
        return done.stdout

    def stream(self, *options, replay=False):
        """The summary (docs/json.schema.json) of nlstream on the lines, or on the messages."""
        form = ["--replay", self.messages] if replay else [*self.syntax, self.lines]
        return json.loads(self.in_fresh([self.build.nlstream, "--json", *options, *form]).splitlines()[-1])

    def floor(self, *options):
        """The figures of the bare replay of the messages: seconds, user, system, acks, errors."""
        figures = json.loads(self.in_fresh([self.build.program("floor"), self.messages, "--json", *options]))
        if figures["errors"]:
            raise Failed(f"the kernel refused {figures['errors']} messages of {self.name}")
        return figures


def machine():
    """What a report has to say of where it was measured."""
    return {"kernel": os.uname().release, "cpus": os.cpu_count(), "load_average": os.getloadavg()[0]}
