#!/usr/bin/env python3
"""Compares what nlstream encodes with what iproute2 sends, line by line.

Lines come from standard input or the named files. Each difference is printed with the attributes that differ (`-` ours, `+`
theirs) unless a rule of the exceptions file names it: rows `REGEX TAB REASON [TAB ROWS]`. REGEX is searched for in `VERSION TOOL
LINE`, where VERSION is the tool's, as in `6.1.0 tc qdisc add dev d0 root tbf rate 1mbit`. With ROWS every `-` or `+` row of the printed difference must match that
regular expression (`-refused: ERROR` and `+refused: ERROR` are such rows), in which `{last}` is the line's last word; without it REGEX alone decides. Padding that iproute2
leaves uninitialised is no difference. Exit status 1: a difference is not excepted.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

import netlink_text
import oracle

EXCEPTIONS = pathlib.Path(__file__).with_name("exceptions.tsv")


class Exceptions:
    def __init__(self, path):
        self.rules = []
        for row in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            if row.strip() and not row.startswith("#"):
                pattern, reason, *rows = row.rstrip("\n").split("\t")
                self.rules.append((re.compile(pattern), reason, rows[0] if rows else None))

    def reason(self, text, shown):
        """Why the difference is meant, or None."""
        changed = [row for row in shown if re.match("[-+][^0-9a-f]|-refused", row)]  # Not the hex of a whole message.
        for pattern, reason, rows in self.rules:
            if not pattern.search(text):
                continue
            rows = rows and rows.replace("{last}", re.escape(text.split()[-1]))
            if rows is None or all(re.search(rows, row) for row in changed):
                return reason
        return None


def version_of(tool):
    shown = subprocess.run([tool, "-V"], capture_output=True, text=True, check=True).stdout
    return re.search(r", (?:iproute2-)?(\d[\d.]*)", shown).group(1)


def run_nlstream(binary, lines, options):
    """{line: [messages]} for the accepted lines, {line: first line of its error} for the others where it can be told."""
    command = [binary, "--check", "--force", "--emit", "hex", "--syntax", options["tool"]]
    if options["family"]:
        command.append(f"-{options['family']}")
    if options["links"]:
        command += ["--links", options["links"]]
    text = "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode(errors='replace')[-2000:]}")
    accepted = {}
    for row in done.stdout.decode().splitlines():
        number, messages = row.split("\t")
        accepted[int(number)] = [bytes.fromhex(part) for part in messages.split(";") if part]
    errors, last = {}, ""
    for row in done.stderr.decode(errors="replace").splitlines():
        place = re.match(r"\s*--> [^:]*:(\d+)", row)
        if place:
            errors.setdefault(int(place.group(1)), last)
        elif row.startswith("error:"):
            last = row
    return accepted, errors


def compare(lines, nlstream, options, exceptions):
    """Prints the differences; the counts by outcome."""
    version = version_of(options["binary"] or oracle.find_binary(options["tool"]))
    verdicts = oracle.run(lines, **options)
    accepted, errors = run_nlstream(nlstream, lines, options)
    counts, reasons = collections.Counter(), collections.Counter()
    texts = dict(oracle.logical_lines(lines))
    for verdict in verdicts:
        theirs = verdict.messages if verdict.accepted else []
        ours = accepted.get(verdict.line, [])
        if ours == theirs or (ours and ours == [netlink_text.without_padding(message) for message in theirs]):
            counts["equal" if ours else "both refuse"] += 1
            continue
        text = texts[verdict.line]
        if ours and theirs:
            shown = netlink_text.difference(ours, theirs)
        elif theirs:
            shown = [f"-refused: {errors.get(verdict.line, '')}", "+" + ";".join(message.hex() for message in theirs)]
        else:
            why = f"refused: {verdict.error}" if not verdict.accepted else "sends nothing"
            shown = ["-" + ";".join(message.hex() for message in ours), "+" + why]
        reason = exceptions.reason(f"{version} {options['tool']} {text}", shown)
        if reason:
            counts["excepted"] += 1
            reasons[reason] += 1
            continue
        counts["differ"] += 1
        print(f"{verdict.line}: {text}")
        print("\n".join("  " + row for row in shown))
    for reason, count in reasons.most_common():
        print(f"excepted {count}: {reason}")
    return counts, len(verdicts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    oracle.add_options(parser)
    parser.add_argument("--nlstream", default=str(oracle.REPOSITORY / "build/release/app/nlstream"), help="the binary to test")
    parser.add_argument("--exceptions", default=str(EXCEPTIONS), help="rows `REGEX TAB REASON [TAB ROWS]` (default: %(default)s)")
    parser.add_argument("file", nargs="*")
    arguments = parser.parse_args()
    sources = [pathlib.Path(name).read_bytes() for name in arguments.file] or [sys.stdin.buffer.read()]
    lines = b"".join(sources).decode("utf-8", "surrogateescape").split("\n")
    if lines[-1] == "":
        lines.pop()
    counts, total = compare(lines, arguments.nlstream, oracle.options_of(arguments), Exceptions(arguments.exceptions))
    kinds = ("equal", "both refuse", "excepted", "differ")
    print(f"{total} lines, " + ", ".join(f"{counts[kind]} {kind}" for kind in kinds))
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
