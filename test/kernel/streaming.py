"""Running nlstream and iproute2 in fresh network namespaces, and what they said and left behind."""

import contextlib
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(PROJECT, "perf"))

from namespaces import run_in_fresh  # noqa: E402

NLSTREAM = os.environ.get("NLSTREAM_BINARY", os.path.join(PROJECT, "build/release/app/nlstream"))
# Addresses that are the same in every run.
VETH = ["ip link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02",
        "ip link set v0 addrgenmode none", "ip link set v1 addrgenmode none", "ip link set v0 up",
        "ip link set v1 up", "ip address add 192.0.2.1/24 dev v0"]
ERASE = "\r\33[K"
# What is drawn is erased before anything else appears.
FRAME = re.compile(re.escape(ERASE) + r"([^\r\n]*)(?=\r)")

# One in so many of what a test repeats, or tries of a list; test/run.sh sets it for the sanitizers, with which all takes ten times as long.
PORTION = int(os.environ.get("NLSTREAM_PORTION", "1"))


def main():
    """Runs the tests of the calling file, or says why they are skipped."""
    try:
        run_in_fresh([], lambda: None)
    except Exception as error:
        print(f"skipped: no network namespace can be had: {error}")
        sys.exit(77)
    done = unittest.main(verbosity=2, exit=False).result
    # CTest shows nothing of a program that passed; test/run.sh looks for these.
    for test, reason in done.skipped:
        print(f"partly skipped: {test.id().removeprefix('__main__.')}: {reason}")
    sys.exit(not done.wasSuccessful())


def run(command, **options):
    return subprocess.run(command, text=True, capture_output=True, timeout=120, **options)


# Not in a chroot, nor where the administrator forbids it.
needs_user_namespaces = unittest.skipIf(run(["unshare", "--user", "true"]).returncode, "no user namespace can be had")


def with_file(lines, action):
    """What `action(path)` returns, with the lines in a file."""
    with tempfile.NamedTemporaryFile("w", prefix="nlstream-", suffix=".batch") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        return action(file.name)


def in_fresh(set_up, lines, action):
    """What `action(path)` returns in a fresh namespace that was set up, with the lines in a file."""
    return run_in_fresh(set_up, lambda: with_file(lines, action))


@contextlib.contextmanager
def busy_port(*lines):
    """Lines of which the first two make v0 a port of b0, which it cannot become before somebody removes the macvlan on it: that happens a while after the stream began."""
    for command in ("ip link add b0 type bridge", "ip link add link v0 name m0 type macvlan mode private"):
        done = run(command.split())
        if done.returncode != 0:
            raise unittest.SkipTest(done.stderr)

    def remove():
        while "mtu 1400" not in run(["ip", "link", "show", "b0"]).stdout and not ended.is_set():
            time.sleep(0.01)
        time.sleep(0.2)
        run(["ip", "link", "del", "m0"])

    ended = threading.Event()
    remover = threading.Thread(target=remove)
    remover.start()
    try:
        yield ["ip link set b0 mtu 1400", "ip link set v0 master b0", *lines]
    finally:
        ended.set()
        remover.join()


def own_mount(kind, place):
    """Mounts a file system that goes with this process; False where that cannot be."""
    new_mount_namespace, recursive_private = 0x00020000, 0x44000
    libc = ctypes.CDLL(None)
    return (libc.unshare(new_mount_namespace) == 0 and libc.mount(None, b"/", None, recursive_private, None) == 0 and
            libc.mount(kind.encode(), place.encode(), kind.encode(), 0, None) == 0)


def listing(*commands):
    """What each command lists as JSON (as text where it has none), sorted, without what differs between equal runs."""
    out = []
    for command in commands:
        done = run(command.split())
        if not done.stdout.startswith("["):
            # iproute2 6.1 cuts the bursts that it derives from rates; nlstream rounds up, as 7.1 does.
            out.append(sorted(re.sub(r"c?burst \S+", "", line) for line in done.stdout.splitlines()))
            continue
        items = json.loads(done.stdout)
        for item in items:
            for passing in ("expires", "used", "probes", "state", "flags", "valid_life_time", "preferred_life_time"):
                if isinstance(item, dict):
                    item.pop(passing, None)
        out.append(sorted(json.dumps(item, sort_keys=True) for item in items))
    return out


class Said:
    """What a run of nlstream said."""

    def __init__(self, done):
        self.status, self.text = done.returncode, done.stderr
        summary = done.stderr.rstrip("\n").rsplit("\n", 1)[-1].split(";")[0]
        outcomes = r"(\d+) (lines?|applied|failed|rejected|not sent|unknown|ignored)"
        self.counts = {word: int(count) for count, word in re.findall(outcomes, summary)}
        self.failures = {}
        for what, line in re.findall(r"^error: (.*)\n *--> [^\n]*?:(\d+)(?::\d+)?$", done.stderr, re.M):
            self.failures[int(line)] = what


def nlstream(path, *options, **more):
    return Said(run([NLSTREAM, *options, path], **more))


def iproute2_failures(done, path):
    """Line -> what iproute2 printed before it named the line."""
    failures, said = {}, []
    for line in done.stderr.splitlines():
        place = re.fullmatch(rf"Command failed {re.escape(path)}:(\d+)", line)
        if place:
            failures[int(place[1])] = said
            said = []
        else:
            said.append(line)
    return failures


def same_reason(ours, theirs):
    """Whether nlstream's reason for a refusal by the kernel is what iproute2 printed."""
    for line in theirs:
        said = re.fullmatch(r"(?:Error: |RTNETLINK answers: )(.*?)\.?", line)
        if said and ours.startswith("the kernel refused: ") and said[1].rstrip(".").lower() in ours.lower():
            return True
    return False


def on_terminal(command):
    """Exit status, and everything that appeared on a terminal that standard error is connected to."""
    ours, theirs = os.openpty()
    shown = []

    def read():
        try:
            while piece := os.read(ours, 65536):
                shown.append(piece)
        except OSError:  # the other end was closed
            pass

    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs, start_new_session=True)
    os.close(theirs)
    reader = threading.Thread(target=read)
    reader.start()
    status = process.wait(120)
    reader.join()
    os.close(ours)
    return status, b"".join(shown).decode().replace("\r\n", "\n")


def undrawn(shown):
    """What appeared on a terminal besides what was drawn."""
    return FRAME.sub("", shown).replace(ERASE, "")
