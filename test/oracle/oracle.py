#!/usr/bin/env python3
"""What tc, ip or bridge would send to the kernel for each line of a batch file.

Each line is given to a process of its own, whose netlink messages are recorded and never reach the kernel (recorder.cpp).
One row is printed for each line that is not a continuation: `LINE TAB HEX` with the messages joined by `;` when the tool
accepts the line, `LINE TAB !reject TAB first line of standard error` when it refuses it.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ("tc", "ip", "bridge")


@dataclasses.dataclass
class Verdict:
    line: int  # Of the first line of a continued one, from 1.
    accepted: bool
    messages: list  # bytes from nlmsghdr on, sequence number and port id zero.
    error: str  # First line of standard error.


def logical_lines(lines):
    """(number, text) for each command: a line that ends in a backslash goes on in the next one, `#` ends a line's text."""
    start, parts = 0, []
    for number, line in enumerate(lines, 1):
        if not parts:
            start = number
        parts.append(line)
        if not line.split("#", 1)[0].endswith("\\"):
            yield start, "\n".join(parts)
            parts = []
    if parts:
        yield start, "\n".join(parts)


def find_recorder():
    named = os.environ.get("NLSTREAM_RECORDER")
    if named:
        return named
    built = sorted(REPOSITORY.glob("build/*/test/oracle/oracle_recorder.so"), key=lambda path: path.stat().st_mtime)
    if not built:
        raise FileNotFoundError("oracle_recorder.so is not built (CMake target oracle_recorder) or not named by NLSTREAM_RECORDER")
    return str(built[-1])


def find_binary(tool):
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    binary = shutil.which(tool, path=path)
    if not binary:
        raise FileNotFoundError(f"{tool} is not installed")
    return binary


def _serve(command, environment, texts):
    # Zero bytes end a line for the server, and for the tool as well.
    records = b"".join(text.split("\0", 1)[0].encode("utf-8", "surrogateescape") + b"\0" for text in texts)
    done = subprocess.run(command, input=records, stdout=subprocess.PIPE, env=environment, check=False)
    rows = done.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
    if done.returncode != 0 or len(rows) != len(texts):
        raise RuntimeError(f"{' '.join(command)}: {len(rows)} rows for {len(texts)} lines, exit status {done.returncode}")
    return [row.split("\t", 2) for row in rows]


def run(lines, tool, family=None, binary=None, links=None, tables=None, recorder=None, jobs=None):
    """The Verdict on each command in `lines` (strings without line ends), in order.

    `tables` is a folder that stands for /etc/iproute2. ip runs with -force, which only changes `xdp off`: without it that
    line is sent with XDP_FLAGS_UPDATE_IF_NOEXIST.
    """
    commands = list(logical_lines(lines))
    argv = [binary or find_binary(tool)]
    if family:
        argv.append(f"-{family}")
    argv += ["-force", "-batch", "-"]
    environment = dict(os.environ, LD_PRELOAD=str(recorder or find_recorder()), NLSTREAM_SERVE="1", LC_ALL="C")
    for name, value in (("NLSTREAM_LINKS", links), ("NLSTREAM_TABLES", tables)):
        environment.pop(name, None)
        if value:
            environment[name] = str(value)
    jobs = max(1, min(jobs or os.cpu_count() or 1, len(commands) // 50))
    size = -(-len(commands) // jobs) if commands else 1
    chunks = [commands[start : start + size] for start in range(0, len(commands), size)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = pool.map(lambda chunk: _serve(argv, environment, [text for _, text in chunk]), chunks)
        answers = [row for chunk in rows for row in chunk]
    return [
        Verdict(number, status == "0", [bytes.fromhex(part) for part in messages.split(";") if part], error)
        for (number, _), (status, messages, error) in zip(commands, answers)
    ]


def verify(path, options):
    """Prints each row of a golden file (`command TAB hex`; `#` begins a comment) that the tool does not reproduce; the number of them."""
    rows = [row.rstrip("\n").split("\t", 1) for row in open(path, encoding="utf-8") if not row.startswith("#")]
    verdicts = run([command for command, _ in rows], **options)
    wrong = 0
    for (command, expected), verdict in zip(rows, verdicts):
        got = ";".join(message.hex() for message in verdict.messages) if verdict.accepted else "!reject " + verdict.error
        if got != expected:
            wrong += 1
            print(f"{command}\n  expected {expected}\n  got      {got}")
    print(f"{len(rows)} rows, {wrong} differ")
    return wrong


def add_options(parser):
    parser.add_argument("--tool", choices=TOOLS, required=True)
    parser.add_argument("--family", choices=("4", "6"), help="ip -4 or -6")
    parser.add_argument("--binary", help="the tool to run instead of the installed one")
    parser.add_argument("--links", help="table of links: ifindex TAB name TAB kind TAB vrf-table")
    parser.add_argument("--tables", help="folder to read instead of /etc/iproute2")
    parser.add_argument("--recorder", help="oracle_recorder.so; default: the newest one built")
    parser.add_argument("--jobs", type=int, help="processes to run at once; default: one a core")


def options_of(arguments):
    names = ("tool", "family", "binary", "links", "tables", "recorder", "jobs")
    return {name: getattr(arguments, name) for name in names}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--verify", metavar="FILE", help="compare with the rows `command TAB hex` of FILE instead")
    arguments = parser.parse_args()
    if arguments.verify:
        return 1 if verify(arguments.verify, options_of(arguments)) else 0
    lines = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\n")
    if lines[-1] == "":
        lines.pop()
    out = sys.stdout.buffer
    for verdict in run(lines, **options_of(arguments)):
        text = ";".join(message.hex() for message in verdict.messages) if verdict.accepted else "!reject\t" + verdict.error
        out.write(f"{verdict.line}\t{text}\n".encode("utf-8", "surrogateescape"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
