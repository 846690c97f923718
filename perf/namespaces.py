"""Fresh network namespaces for measured runs."""

import ctypes
import glob
import os
import pickle
import subprocess
import time
import traceback

CLONE_NEWNET = 0x40000000


def set_up(lines):
    """Runs lines that begin with `ip` or `tc` in the present namespace, neighbours of one tool in one batch."""
    batches = []
    for line in lines:
        tool, rest = line.split(None, 1)
        if not batches or batches[-1][0] != tool:
            batches.append((tool, []))
        batches[-1][1].append(rest)
    for tool, rest in batches:
        done = subprocess.run([tool, "-batch", "-"], input="\n".join(rest) + "\n", text=True, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"set-up by {tool} failed: {done.stderr.strip()}")


def wait_for_cleanup(seconds=60):
    """Waits until the kernel has taken down the namespaces that were left, which costs as much as filling them."""
    quiet = 0
    until = time.monotonic() + seconds
    while quiet < 3 and time.monotonic() < until:
        time.sleep(0.02)
        quiet = 0 if namespace_worker_runs() else quiet + 1


def namespace_worker_runs():
    for path in glob.glob("/proc/[0-9]*/comm"):
        try:
            with open(path) as file:
                name = file.read()
        except OSError:  # the process has gone
            continue
        if name.startswith("kworker") and "+netns" in name:
            return True
    return False


def run_in_fresh(setup, action, quiet=True):
    """What `action()` returns in a process of its own, in a fresh namespace with `setup` done; raises if it does.

    `quiet`: returns only once the kernel has taken the namespace down, which matters where the next run is timed.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWNET): run this as root")
            set_up(setup)
            result = (True, action())
        except BaseException:
            result = (False, traceback.format_exc())
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    if quiet:
        wait_for_cleanup()
    done, value = pickle.loads(data)
    if not done:
        raise RuntimeError(value)
    return value
