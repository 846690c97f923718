"""An rtnetlink message as text, one attribute a line, for reading differences. Knows no kind: nests are recognised by shape."""

import difflib
import re
import socket
import struct

# What follows nlmsghdr for each group of four types (NEW, DEL, GET, SET): its name and the fields of its header, as in
# linux/rtnetlink.h, linux/if_bridge.h, linux/neighbour.h, linux/nexthop.h, linux/fib_rules.h.
_IFINFO = ("family:B :x type:H index:i flags:I change:I", "LINK")
_TC = "family:B :3x ifindex:i handle:I parent:I info:I"
_FAMILIES = {
    16: _IFINFO,
    20: ("family:B prefixlen:B flags:B scope:B index:I", "ADDR"),
    24: ("family:B dst_len:B src_len:B tos:B table:B protocol:B scope:B type:B flags:I", "ROUTE"),
    28: ("family:B :3x ifindex:i state:H flags:B type:B", "NEIGH"),
    32: ("family:B dst_len:B src_len:B tos:B table:B :2x action:B flags:I", "RULE"),
    36: (_TC, "QDISC"),
    40: (_TC, "TCLASS"),
    44: (_TC, "TFILTER"),
    48: ("family:B :3x", "ACTION"),
    64: ("family:B :3x", "NEIGHTBL"),
    72: ("family:B :x prefixlen:B flags:B index:I seq:I", "ADDRLABEL"),
    80: ("family:B", "NETCONF"),
    84: ("family:B :3x ifindex:I", "MDB"),
    88: ("family:B :3x", "NSID"),
    92: ("family:B :3x ifindex:I filter:I", "STATS"),
    100: (_TC, "CHAIN"),
    104: ("family:B scope:B protocol:B :x flags:I", "NEXTHOP"),
    108: _IFINFO,  # LINKPROP
    112: ("family:B :3x ifindex:I", "VLAN"),
    116: ("family:B :3x", "NEXTHOPBUCKET"),
    120: ("family:B flags:B :2x ifindex:I", "TUNNEL"),
}
_OPERATIONS = ("NEW", "DEL", "GET", "SET")

_TOP_LEVEL = {
    "TC": "UNSPEC KIND OPTIONS STATS XSTATS RATE FCNT STATS2 STAB PAD DUMP_INVISIBLE CHAIN HW_OFFLOAD INGRESS_BLOCK EGRESS_BLOCK",
    "ROUTE": "UNSPEC DST SRC IIF OIF GATEWAY PRIORITY PREFSRC METRICS MULTIPATH PROTOINFO FLOW CACHEINFO SESSION MP_ALGO TABLE MARK "
    "MFC_STATS VIA NEWDST PREF ENCAP_TYPE ENCAP EXPIRES PAD UID TTL_PROPAGATE IP_PROTO SPORT DPORT NH_ID FLOWLABEL",
    "NEIGH": "UNSPEC DST LLADDR CACHEINFO PROBES VLAN PORT VNI IFINDEX MASTER LINK_NETNSID SRC_VNI PROTOCOL NH_ID FDB_EXT_ATTRS "
    "FLAGS_EXT NDM_STATE_MASK NDM_FLAGS_MASK",
    "ADDR": "UNSPEC ADDRESS LOCAL LABEL BROADCAST ANYCAST CACHEINFO MULTICAST FLAGS RT_PRIORITY TARGET_NETNSID PROTO",
    "LINK": "UNSPEC ADDRESS BROADCAST IFNAME MTU LINK QDISC STATS COST PRIORITY MASTER WIRELESS PROTINFO TXQLEN MAP WEIGHT OPERSTATE "
    "LINKMODE LINKINFO NET_NS_PID IFALIAS NUM_VF VFINFO_LIST STATS64 VF_PORTS PORT_SELF AF_SPEC GROUP NET_NS_FD EXT_MASK "
    "PROMISCUITY NUM_TX_QUEUES NUM_RX_QUEUES",
}


def _name(family, number):
    names = _TOP_LEVEL.get("TC" if family in ("QDISC", "TCLASS", "TFILTER", "CHAIN") else family, "").split()
    return f"{number} {names[number]}" if number < len(names) else str(number)


def _attributes(data):
    """[(type, payload)] when `data` is exactly a list of attributes, else None."""
    result, at = [], 0
    if len(data) == 1024:  # A rate table of tc, in which anything can look like attributes.
        return None
    while at < len(data):
        if len(data) - at < 4:
            return None
        length, kind = struct.unpack_from("=HH", data, at)
        if length < 4 or at + length > len(data) or kind & 0x3FFF > 600:
            return None
        result.append((kind, data[at + 4 : at + length]))
        at += (length + 3) // 4 * 4
    # An array of small numbers looks like attributes of type 0, which no nest holds more than one of.
    return None if sum(kind == 0 for kind, _ in result) > 1 else result


def _blank(data):
    """`data` with zeros between the attributes that it consists of, at every level."""
    result = b""
    for kind, payload in _attributes(data):
        if len(payload) >= 4 and _attributes(payload):
            payload = _blank(payload)
        result += struct.pack("=HH", len(payload) + 4, kind) + payload + bytes(-len(payload) % 4)
    return result[: len(data)]


def without_padding(message):
    """The message with zeros in the bytes after its attributes, which iproute2 does not always initialise."""
    body = message[_body_at(message) :]
    return message[: len(message) - len(body)] + _blank(body) if _attributes(body) else message


def _value(data):
    shown = data.hex(" ", -4)
    if re.fullmatch(rb"[\x20-\x7e]{2,}\x00", data):
        return f'{shown}  "{data[:-1].decode()}"'
    if len(data) in (1, 2, 4, 8):
        number = int.from_bytes(data, "little")
        network = int.from_bytes(data, "big")
        return f"{shown}  {number}" + (f" (big endian {network})" if number != network else "")
    if len(data) == 16:
        return f"{shown}  {socket.inet_ntop(socket.AF_INET6, data)}"
    return shown


def _nested(lines, indent, data, family=""):
    for kind, payload in _attributes(data):
        flags = ("N" if kind & 0x8000 else "") + ("B" if kind & 0x4000 else "")
        label = f"{'  ' * indent}[{_name(family, kind & 0x3FFF)}{' ' + flags if flags else ''}]"
        if family == "ROUTE" and kind == 9:
            lines.append(label)
            _next_hops(lines, indent + 1, payload)
        elif len(payload) >= 4 and _attributes(payload):
            lines.append(label)
            _nested(lines, indent + 1, payload)
        elif len(payload) > 64:
            # A row each for parts of a long payload, so that a difference in it is easy to find.
            lines.append(f"{label} {len(payload)} bytes")
            rows = range(0, len(payload), 32)
            lines += [f"{'  ' * (indent + 1)}{at:4}: {payload[at : at + 32].hex(' ', -4)}" for at in rows]
        else:
            lines.append(f"{label} {_value(payload)}")


def _next_hops(lines, indent, data):
    while len(data) >= 8:
        length, flags, hops, index = struct.unpack_from("=HBBi", data)
        lines.append(f"{'  ' * indent}hop flags {flags:#x} hops {hops} ifindex {index}")
        body = data[8:length]
        if length < 8 or _attributes(body) is None:
            lines.append(f"{'  ' * (indent + 1)}{body.hex(' ', -4)}")
            return
        _nested(lines, indent + 1, body, "ROUTE")
        data = data[(length + 3) // 4 * 4 :]


def _body_at(message):
    """Where the attributes begin."""
    layout, _ = _FAMILIES.get(struct.unpack_from("=H", message, 4)[0] & ~3, ("", ""))
    size = struct.calcsize("=" + "".join(field.rsplit(":", 1)[1] for field in layout.split()))
    return 16 + (size + 3) // 4 * 4


def describe(message):
    """The lines that show one message (bytes from nlmsghdr on)."""
    if len(message) < 16:
        return [message.hex()]
    length, kind, flags = struct.unpack_from("=IHH", message)
    layout, family = _FAMILIES.get(kind & ~3, ("", str(kind & ~3)))
    lines = [f"{_OPERATIONS[kind & 3]}{family} flags {flags:#x} length {length}"]
    body = message[_body_at(message) :]
    if len(message) >= _body_at(message):
        fields = [field.rsplit(":", 1) for field in layout.split()]
        values = struct.unpack_from("=" + "".join(code for _, code in fields), message, 16)
        lines += [f"  {name} {value:#x}" for (name, _), value in zip([field for field in fields if field[0]], values)]
    if _attributes(body) is None:
        return lines + ["  " + body.hex(" ", -4)]
    _nested(lines, 1, body, family)
    return lines


def difference(ours, theirs):
    """The lines in which two lists of messages differ, with two lines around each: `-` ours, `+` theirs."""
    texts = [[line for message in messages for line in describe(message)] for messages in (ours, theirs)]
    rows = [row for row in difflib.unified_diff(*texts, n=2, lineterm="") if not row.startswith(("---", "+++", "@@"))]
    if not rows:  # Bytes that the text does not show: padding.
        rows = ["-" + message.hex() for message in ours] + ["+" + message.hex() for message in theirs]
    return rows
