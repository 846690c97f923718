"""ip_states.py [--here] [-v] [KIND...]: what `ip -batch`, `bridge -batch` and nlstream leave behind for the lines of ../vm/lines/ip, compared.

Run it in a VM by ../vm/ip_states.sh. Unusual lines find errors of kernels too, and one that leaves RTNL locked takes the network of
the whole machine with it, whatever namespace it was in; so this refuses to run elsewhere unless the first argument is --here.
"""

import json
import os
import sys

import states

# Nothing comes by itself: no link-local addresses, and no waiting for duplicate ones.
SETUP = ["sysctl net.ipv6.conf.default.addr_gen_mode=1", "sysctl net.ipv6.conf.default.accept_dad=0", "ip link set lo up",
         "ip link add d0 address 02:00:00:00:00:01 type ifb", "ip link add d1 address 02:00:00:00:00:02 type ifb"]
UP = ["ip link set d0 up", "ip address add 192.0.2.1/24 dev d0", "ip address add 2001:db8::1/64 dev d0",
      "ip link set d1 up", "ip address add 198.51.100.1/24 dev d1", "ip address add 2001:db8:1::1/64 dev d1"]


def listed():
    """Links, addresses, routes, neighbours, rules, nexthops and what bridges know."""
    out = states.ask(["ip", "-j", "-p", "-d"], ["link show", "address show", "nexthop show", "netconf show"])
    for what in ("neighbour show", "neighbour show proxy"):  # in the order of a hash with a random seed
        out += json.dumps(sorted(json.loads(states.ask(["ip", "-j"], [what]) or "[]"), key=str), indent=4) + "\n"
    for family in ("-4", "-6"):
        out += states.ask(["ip", "-j", "-p", family], ["route show table all", "rule show"])
    out += states.ask(["ip", "-j", "-p", "-M"], ["route show"])
    out += states.ask(["ip"], ["addrlabel show", "token list"])
    out += states.ask(["bridge", "-j", "-p", "-d"], ["link show", "fdb show", "vlan show", "vlan global show", "vlan tunnelshow", "mdb show", "vni show"])
    return out


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        del sys.argv[1]
    elif "IN_VM" in os.environ:
        # No gre0, sit0 and so on, which are there or not as modules happen to be loaded.
        with open("/proc/sys/net/core/fb_tunnels_only_for_init_net", "w", encoding="ascii") as file:
            file.write("2")
    else:
        print("skipped: not in a VM, and not told --here")
        sys.exit(77)
    try:
        states.run_in_fresh([], lambda: None)
    except RuntimeError as error:
        print(f"skipped: no network namespace can be had: {str(error).strip().splitlines()[-1]}")
        sys.exit(77)
    sys.exit(states.main("ip", SETUP + UP, listed, sys.argv[1:]))
