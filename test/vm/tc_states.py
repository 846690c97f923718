"""tc_states.py [-v] [KIND...]: what `tc -batch` and nlstream leave behind for the lines of lines/tc, compared."""

import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernel"))

import states  # noqa: E402

SETUP = ["sysctl net.ipv6.conf.default.disable_ipv6=1",
         "ip link add d0 numtxqueues 4 numrxqueues 4 address 02:00:00:00:00:01 type dummy", "ip link add d1 address 02:00:00:00:00:02 type dummy",
         "ip link set d0 up", "ip link set d1 up"]
ACTIONS = ["bpf", "connmark", "csum", "ct", "ctinfo", "gact", "gate", "ife", "mirred", "mpls", "nat", "pedit", "police", "sample", "simple", "skbedit",
           "skbmod", "tunnel_key", "vlan"]


def listed():
    """Qdiscs, the classes and filters of each, chains, shared blocks and actions."""
    qdiscs = states.ask(["tc"], ["qdisc show"])
    questions = ["qdisc show", "class show dev d0", "class show dev d1"]
    for kind, handle, device in re.findall(r"^qdisc (\S+) (\w+): dev (\S+)", qdiscs, re.M):
        if kind in ("clsact", "ingress"):
            hooks = ["ingress", "egress"] if kind == "clsact" else ["ingress"]
            questions += [f"{what} show dev {device} {hook}" for hook in hooks for what in ("filter", "chain")]
        elif handle != "0":
            questions.append(f"filter show dev {device} parent {handle}:")
    questions += [f"{what} show block {block}" for block in sorted(set(re.findall(r"gress_block (\d+)", qdiscs))) for what in ("filter", "chain")]
    text = states.ask(["tc", "-j", "-p", "-d"], questions) + states.ask(["tc", "-d"], [f"actions ls action {kind}" for kind in ACTIONS])
    handles = {}  # those that the kernel chooses for qdiscs are counted for all namespaces together
    return re.sub(r"(?<![\w:])8[0-9a-f]{3}(?=:[0-9a-f]*\W)", lambda found: handles.setdefault(found[0], f"chosen{len(handles)}"), text)


if __name__ == "__main__":
    sys.exit(states.main("tc", SETUP, listed, sys.argv[1:]))
