"""Random values for the grammars: `<NAME ARGUMENT...>` calls the function NAME here with the generator and the arguments.

Each function returns one word, mostly a good one: limits are more likely than what lies between, and a few of a hundred
(`Random.wrong`) are out of range or ill-formed, so that refusals are compared too.
"""

import ipaddress
import random


class Random(random.Random):
    def __init__(self, seed, links, wrong):
        super().__init__(seed)
        self.links = links  # [(name, kind)]
        self.wrong_rate = wrong

    def wrong(self):
        return self.random() < self.wrong_rate


def spelled(r, number):
    """A number in one of the spellings that strtoul with base 0 takes."""
    form = r.random()
    if number < 0 or form < 0.85:
        return str(number)
    if form < 0.97:
        return f"{number:#x}"
    return f"0{number:o}" if form < 0.99 else f"+{number}"


def pick(r, low, high):
    """A number in low..high, with the limits, powers of two and their neighbours more likely."""
    form = r.random()
    if form < 0.15:
        return r.choice((low, high))
    if form < 0.3:
        near = r.choice((low, high, 1 << r.randrange(max(1, high.bit_length())))) + r.randint(-1, 1)
        return min(max(near, low), high)
    if form < 0.65:
        return r.randint(low, min(high, low + 300))
    return min(max(int(high ** r.random()), low), high) if high > 1 else r.randint(low, high)


def number(r, low, high):
    low, high = int(low, 0), int(high, 0)
    if r.wrong():
        return r.choice((str(high + 1), str(low - 1), "x", "1x", "", "-1", str(2**32), str(2**64), "0x", "1.5")) or "-"
    return spelled(r, pick(r, low, high))


def plain(r, low, high):
    """A number in decimal digits only."""
    value = number(r, low, high)
    return value if value == "0" or not value.startswith("0") else str(pick(r, int(low, 0), int(high, 0)))


def u8(r):
    return number(r, "0", "255")


def u16(r):
    return number(r, "0", "65535")


def u32(r):
    return number(r, "0", "0xffffffff")


def u64(r):
    return number(r, "0", "0xffffffffffffffff")


def s32(r):
    return number(r, "-2147483648", "2147483647")


def with_unit(r, low, high, *units):
    """A number in decimal digits with one of the units behind it (`-` for none)."""
    unit = r.choice(units)
    return plain(r, low, high) + ("" if unit == "-" else unit)


def percent(r):
    value = r.choice((decimal(r, "0", "100"), decimal(r, "0", "1"), plain(r, "0", "100"), plain(r, "0", "100")))
    return value + r.choice(("%", "%", "%", ""))


def queues(r):
    """COUNT@OFFSET."""
    return "@".join((plain(r, "0", "8"), plain(r, "0", "64"))) if not r.wrong() else r.choice(("1", "1@", "@1", "65536@0", "1@x", "1@65536"))


def hexadecimal(r, low, high):
    """A number that the tool reads in base 16 without a prefix."""
    value = pick(r, int(low, 0), int(high, 0))
    return r.choice((f"{value:x}", f"{value:x}", f"{value:#x}", f"{value:X}"))


def masked(r, low, high):
    text = number(r, low, high)
    return text if r.random() < 0.5 else f"{text}/{number(r, low, high)}"


def range_of(r, low, high):
    first, second = sorted((pick(r, int(low, 0), int(high, 0)), pick(r, int(low, 0), int(high, 0))))
    return f"{second}-{first}" if r.wrong() else f"{first}-{second}"


def decimal(r, low, high):
    """A number with a fraction."""
    value = r.uniform(float(low), float(high))
    return f"{value:.{r.randint(0, 3)}f}"


def choice(r, *words):
    return "wrong" if r.wrong() else r.choice(words)


def join(r, separator, *words):
    """Some of the words, each once, joined by the separator (`-` for none)."""
    chosen = r.sample(words, r.randint(1, len(words)))
    if r.wrong():
        chosen.append("wrong")
    return ("" if separator == "-" else separator).join(chosen)


def join_signed(r, *words):
    """Some of the words, each with a sign: +trk-est."""
    return "".join(r.choice("+-") + word for word in r.sample(words, r.randint(1, len(words))))


def dev(r, *kinds):
    """An interface of the table, of one of the kinds when any are given."""
    if r.wrong():
        return r.choice(("absent", "averyverylongname", "a/b"))
    if not kinds and r.random() < 0.05:
        return f"if{r.randint(1, 5000)}"
    names = [name for name, kind in r.links if not kinds or kind in kinds]
    return r.choice(names[:40] if r.random() < 0.8 else names)


def newdev(r):
    """A name for an interface that need not exist."""
    if r.wrong():
        return r.choice(("averyverylongname", "a/b", "sixteen-letters0", "has:colon", "%d"))
    return r.choice(("d0", "x1", "new.10", "fifteen-letters", "port-1_a", "veth77", "é"))


def addr4(r):
    if r.wrong():
        return r.choice(("10.0.0", "10.0.0.256", "1.2.3.4.5", "any", "fe80::1", "300.1.1.1", "default"))
    special = ("0.0.0.0", "255.255.255.255", "127.0.0.1", "224.0.0.1", "239.1.1.1")
    return r.choice(special) if r.random() < 0.1 else str(ipaddress.IPv4Address(r.getrandbits(32)))


def addr6(r):
    if r.wrong():
        return r.choice(("fe80:::1", "10.0.0.1", "2001:db8::g", "any", ":", "::1%lo"))
    special = ("::", "::1", "ff02::1", "::ffff:10.0.0.1", "fe80::1", "2001:DB8::A", "2001:db8:0:0:0:0:0:1")
    if r.random() < 0.3:
        return r.choice(special)
    kept = r.choice((16, 32, 48, 64, 112, 128))
    return str(ipaddress.IPv6Address(r.getrandbits(kept) << (128 - kept) | r.getrandbits(8)))


def addr(r):
    return r.choice((addr4, addr6))(r)


def _length(r, most):
    if r.wrong():
        return r.choice((str(most + 1), "-1", "x", ""))
    return str(r.choice((0, 1, 8, 16, 24, most - 1, most, most, r.randint(0, most))))


def prefix4(r):
    form = r.random()
    if form < 0.2:
        return addr4(r)
    if form < 0.3:
        return r.choice(("10/8", "10.1/16", "192.168.1/24", "0/0", "10.0.0.0/255.0.0.0", "10.0.0.0/255.0.255.0", "10"))
    return f"{addr4(r)}/{_length(r, 32)}"


def prefix6(r):
    return addr6(r) if r.random() < 0.2 else f"{addr6(r)}/{_length(r, 128)}"


def prefix(r):
    return r.choice((prefix4, prefix6))(r)


def mac(r):
    if r.wrong():
        return r.choice(("01:02:03:04:05", "01:02:03:04:05:06:07", "0g:00:00:00:00:00", "1:2:3:4:5:100", "010203040506"))
    octets = [r.getrandbits(8) for _ in range(6)]
    return ":".join(f"{octet:x}" if r.random() < 0.1 else f"{octet:02x}" for octet in octets)


def masked_mac(r):
    form = r.random()
    if form < 0.5:
        return mac(r)
    return f"{mac(r)}/{mac(r)}" if form < 0.75 else f"{mac(r)}/{_length(r, 48)}"


def _scaled(r, units, most):
    if r.wrong():
        return r.choice(("1xbit", "fast", "-1", "1e3", "0x10", "99999999999999999999", "1..5kbit", "1 "))
    unit = r.choice(units)
    scale = r.random()
    if scale < 0.2:
        return decimal(r, "0", "900") + unit
    return str(int(most ** r.random())) + unit


def rate(r):
    plain = ("", "bit", "bps")
    prefixes = [p + u for p in ("k", "K", "m", "M", "g", "G", "ki", "mi", "Gi") for u in ("bit", "bps", "Bit", "bps")]
    unit = r.choice((plain, prefixes, ("kbit", "mbit", "Mbit", "gbit")))
    return _scaled(r, unit, 100000)


def size(r):
    return _scaled(r, r.choice((("",), ("b", "k", "kb", "m", "mb", "K", "kbit", "mbit", "g", "gbit"))), 60000)


def time(r):
    return _scaled(r, r.choice((("", "ms", "us", "s"), ("msec", "msecs", "usec", "usecs", "sec", "secs", "ns"))), 5000)


def handle(r):
    """A qdisc's handle: MAJOR:."""
    if r.wrong():
        return r.choice(("10000:", "1:1", "x:", "none", ":", "1", "ffff"))
    return f"{pick(r, 1, 0xFFFF):x}:"


def classid(r):
    if r.wrong():
        return r.choice(("1:10000", "10000:1", "x:y", "1:2:3", ":", "root", "none"))
    form = r.random()
    major, minor = r.choice((1, 1, 2, 10, pick(r, 1, 0xFFFF))), pick(r, 0, 0xFFFF)
    if form < 0.05:
        return f"{major:x}:"
    if form < 0.1:
        return f":{minor:x}"
    return f"0x{major:x}:0x{minor:x}" if form < 0.15 else f"{major:x}:{minor:x}"


def u32_handle(r):
    """A u32 filter's handle or hash table: HT:HASH:NODE."""
    if r.wrong():
        return r.choice(("1000:", "1:100:1", "1:1:1000", "x:", "::x", "1:2:3:4"))
    table, bucket, node = pick(r, 1, 0xFFF), pick(r, 0, 0xFF), pick(r, 1, 0xFFF)
    return r.choice((f"{table:x}:", f"{table:x}::", f"{table:x}:{bucket:x}:", f"{table:x}:{bucket:x}:{node:x}", f"::{node:x}", f"0x{node:x}"))


def u32_table(r):
    return u32_handle(r) if r.wrong() else r.choice((f"{pick(r, 1, 0xFFF):x}:", f"{pick(r, 1, 0xFFF):x}:{pick(r, 0, 0xFF):x}:", "800:"))


def protocol(r):
    """An Ethernet protocol of tc filter."""
    if r.wrong():
        return r.choice(("ipx9", "0x10000", "-1"))
    return r.choice(("ip", "ip", "ipv6", "arp", "all", "802.1q", "802.1Q", "802.1ad", "mpls_uc", "0x88f7", "ipv4", "ppp_ses", "loop"))


def hex_string(r, low, high):
    """An even number of hex digits: low to high bytes."""
    digits = 2 * r.randint(int(low), int(high)) + (1 if r.wrong() else 0)
    return "".join(r.choice("0123456789abcdef") for _ in range(digits))


def cell_size(r):
    """A size with a cell size: BYTES/CELL."""
    return f"{size(r)}/{r.choice((1, 2, 4, 8, 16, 256, 3))}"


def tos_masked(r):
    text = hexadecimal(r, "0", "255")
    return text if r.random() < 0.5 else f"{text}/{hexadecimal(r, '0', '255')}"


def realm(r):
    one = str(pick(r, 0, 255))
    return one if r.random() < 0.5 else f"{one}/{pick(r, 0, 255)}"


def metric_time(r):
    """A time of a route's metrics: milliseconds, or with a unit."""
    return _scaled(r, r.choice((("",), ("s", "ms", "msec", "msecs", "sec", "secs"))), 5000)


def ct_state(r):
    return join_signed(r, "trk", "new", "est", "rel", "inv", "rpl") if not r.wrong() else r.choice(("trk", "+bad", "+-trk", ""))


def ct_label(r):
    text = hex_string(r, "1", "16")
    return text if r.random() < 0.5 else f"{text}/{hex_string(r, '1', '16')}"


def ip_flags(r):
    words = r.sample(("frag", "firstfrag"), r.randint(1, 2))
    return "/".join(r.choice(("", "no")) + word for word in words)


def enc_flags(r):
    words = r.sample(("tuncsum", "tundf", "tunoam", "tuncrit"), r.randint(1, 3))
    return "/".join(r.choice(("", "no")) + word for word in words)


def geneve_opts(r):
    def one(r):
        return f"{pick(r, 0, 0xFFFF):04x}:{pick(r, 0, 0xFF):02x}:{hex_string(r, '4', '4') * r.choice((1, 1, 2))}"

    count = r.choice((1, 1, 2))
    text = ",".join(one(r) for _ in range(count))
    return text if r.random() < 0.5 else f"{text}/{','.join(one(r) for _ in range(count))}"


def erspan_opts(r):
    def one(r):
        version = r.choice((1, 2))
        if version == 1:
            return f"1:{pick(r, 0, 0xFFFFFFFF)}:0:0"
        return f"2:0:{pick(r, 0, 1)}:{pick(r, 0, 63)}"

    text = one(r)
    return text if r.random() < 0.6 else f"{text}/{one(r)}"


def gtp_opts(r):
    text = f"{pick(r, 0, 255):x}:{pick(r, 0, 255):x}"
    return text if r.random() < 0.5 else f"{text}/{pick(r, 0, 255):x}:{pick(r, 0, 255):x}"


def pfcp_opts(r):
    text = f"{pick(r, 0, 1):x}:{pick(r, 0, 2**64 - 1):x}"
    return text if r.random() < 0.5 else f"{text}/{pick(r, 0, 255):x}:{pick(r, 0, 2**64 - 1):x}"


def _ematch_leaf(r):
    form = r.randrange(6)
    if form < 2:
        width, most = r.choice((("u8", 0xFF), ("u16", 0xFFFF), ("u32", 0xFFFFFFFF)))
        parts = [f"at {number(r, '0', '65535')}", f"{r.choice(('eq', 'gt', 'lt'))} {spelled(r, pick(r, 0, most))}"]
        parts += r.sample([f"layer {r.choice(('link', 'network', 'transport', '0', '1', '2'))}", f"mask {pick(r, 0, most):#x}", "trans"], r.randint(0, 2))
        r.shuffle(parts)
        return f"cmp({width} {' '.join(parts)})"
    if form == 2:
        needle = r.choice(("abc", "GET", "x", '"a b c"', '"\\x41\\102\\n"', '"q\\"q"', '"' + "y" * r.randint(1, 40) + '"'))
        return f"nbyte({needle} at {pick(r, 0, 65535)}{r.choice(('', ' layer 2', ' layer link'))})"
    if form == 3:
        width, most, step = r.choice((("u8", 0xFF, 1), ("u16", 0xFFFF, 2), ("u32", 0xFFFFFFFF, 4)))
        place = r.choice(("", "nexthdr+")) + str(step * r.randint(0, 60))
        return f"u32({width} {spelled(r, pick(r, 0, most))} {pick(r, 0, most):#x} at {place})"
    if form == 4:
        def known(r):
            name = r.choice(("random", "dev", "priority", "protocol", "pkt_len", "nf_mark", "fwmark", "tc_index", "rt_iif", "vlan", "sk_proto", "sk_bind_if", "loadavg_15"))
            return name + r.choice(("", f" shift {pick(r, 0, 31)}", f" mask {pick(r, 0, 0xFFFFFFFF):#x}", f" shift 2 mask {pick(r, 0, 0xFF)}"))
        right = r.choice((spelled(r, pick(r, 0, 0xFFFFFFFF)), known(r), '"ppp"'))
        return f"meta({known(r)} {r.choice(('eq', 'gt', 'lt'))} {right})"
    rules = [f"{kind} {pick(r, 0, most):#x}{r.choice(('', f':{pick(r, 0, most):#x}'))}" for kind, most in r.choices((("sff", 0x7FF), ("eff", 0x1FFFFFFF)), k=r.randint(1, 4))]
    return f"canid({' '.join(rules)})"


def ematch(r, depth=0):
    """An expression of extended matches, in the line's quotes where its own strings need them."""
    def term(r):
        negated = r.choice(("", "", "not "))
        if depth < 2 and r.random() < 0.25:
            return f"{negated}({ematch(r, depth + 1)})"
        return negated + _ematch_leaf(r)
    text = term(r)
    while r.random() < 0.4:
        text += f" {r.choice(('and', 'or', 'AND'))} {term(r)}"
    return f"'{text}'" if depth == 0 and (r.random() < 0.3 or '"' in text) else text


def segments(r):
    return ",".join(addr6(r) for _ in range(r.randint(1, 4)))


def labels(r):
    return "/".join(spelled(r, pick(r, 0, 0xFFFFF)) for _ in range(r.choice((1, 1, 1, 2, 3))))


def frequency(r):
    """K packets of N."""
    most = r.randint(1, 1000000)
    return f"{r.randint(1, most) if not r.wrong() else most + 1}/{most}"
