"""The oracle's own tests, with whatever version of iproute2 is installed."""

import pathlib
import shutil
import sys
import tempfile
import unittest

import differential
import generate
import netlink_text
import oracle

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "data" / "golden"
LINKS = GOLDEN / "links.tsv"


def golden(name, command):
    for row in (GOLDEN / name).read_text(encoding="utf-8").splitlines():
        text, hexadecimal = row.split("\t")
        if text == command:
            return hexadecimal
    raise KeyError(command)


class LogicalLines(unittest.TestCase):
    def test_continuations_belong_to_their_first_line(self):
        lines = ["a \\", "b", "# c \\", "d # e \\", "f \\"]
        self.assertEqual(
            list(oracle.logical_lines(lines)), [(1, "a \\\nb"), (3, "# c \\"), (4, "d # e \\"), (5, "f \\")]
        )


class Text(unittest.TestCase):
    def test_a_difference_names_the_attribute(self):
        ours = bytes.fromhex(golden("bridge.tsv", "fdb add dc:78:7c:c3:dd:ce dev vxlan3 dst 192.4.38.61 static"))
        theirs = ours[:-1] + b"\x3e"
        self.assertEqual(
            netlink_text.difference([ours], [theirs])[-2:],
            ["-  [1 DST] c004263d  1025901760 (big endian 3221497405)", "+  [1 DST] c004263e  1042678976 (big endian 3221497406)"],
        )

    def test_hops_of_a_route_are_shown_one_by_one(self):
        message = bytes.fromhex(golden("ip-4.tsv", "route add default vrf vveth4 nexthop via 198.14.235.112"))
        self.assertEqual(
            netlink_text.describe(message)[-3:],
            ["  [9 MULTIPATH]", "    hop flags 0x0 hops 0 ifindex 0", "      [5 GATEWAY] c60eeb70  1894452934 (big endian 3322866544)"],
        )


class Excepted(unittest.TestCase):
    def test_a_rule_may_be_about_the_last_word(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.write('tc f.*\tno such kind\t^-refused: unknown "{last}"\n')
            file.flush()
            exceptions = differential.Exceptions(file.name)
        shown = ['-refused: unknown "a.b"', "+30000000"]
        self.assertEqual(exceptions.reason("7.1 tc filter add dev d0 a.b", shown), "no such kind")
        self.assertIsNone(exceptions.reason("7.1 tc filter add dev d0 a.b flowid 1:1", shown))
        self.assertIsNone(exceptions.reason("7.1 tc filter add dev d0 axb", shown))


class Generated(unittest.TestCase):
    def test_the_same_seed_gives_the_same_lines(self):
        links = generate.read_links(LINKS)
        for kind in generate.kinds():
            with self.subTest(kind=kind):
                lines = list(generate.generate(kind, 50, 3, links))
                self.assertEqual(lines, list(generate.generate(kind, 50, 3, links)))
                self.assertNotEqual(lines, list(generate.generate(kind, 50, 4, links)))

    def test_every_rule_of_a_grammar_is_used(self):
        for kind in generate.kinds():
            grammar = generate.Grammar(generate.GRAMMARS / f"{kind}.txt")
            used = {"line", *grammar.references()}
            with self.subTest(kind=kind):
                self.assertEqual(sorted(set(grammar.rules) - used), [])


@unittest.skipUnless(all(shutil.which(tool, path="/usr/sbin:/sbin:/usr/bin:/bin") for tool in oracle.TOOLS), "iproute2 is not installed")
class Recorded(unittest.TestCase):
    def run_tool(self, tool, lines, **options):
        return oracle.run(lines, tool, links=LINKS, **options)

    def test_messages_are_those_of_the_golden_file(self):
        commands = [
            row.split("\t")[0]
            for row in (GOLDEN / "ip-4.tsv").read_text(encoding="utf-8").splitlines()
            if row.startswith(("route ", "address ", "addr "))
        ]
        self.assertGreater(len(commands), 10)
        wrong = [
            command
            for command, verdict in zip(commands, self.run_tool("ip", commands, family="4"))
            if [message.hex() for message in verdict.messages] != [golden("ip-4.tsv", command)]
        ]
        self.assertEqual(wrong, [])

    def test_a_refused_line_does_not_end_the_ones_behind_it(self):
        lines = ["qdisc add dev eth0 clsact", "qdisc add dev eth0 nonsense x", "qdisc add dev eth0 clsact"]
        verdicts = self.run_tool("tc", lines)
        self.assertEqual([verdict.accepted for verdict in verdicts], [True, False, True])
        self.assertEqual(verdicts[0].messages, verdicts[2].messages)
        self.assertEqual(verdicts[1].messages, [])
        self.assertIn("nonsense", verdicts[1].error)

    def test_names_come_from_the_links_table_alone(self):
        verdicts = self.run_tool("ip", ["link set dev red up", "link set dev if77 up", "link set dev absent up"])
        self.assertEqual([verdict.accepted for verdict in verdicts], [True, True, False])
        index = [int.from_bytes(verdict.messages[0][20:24], sys.byteorder) for verdict in verdicts[:2]]
        self.assertEqual(index, [24, 77])

    def test_a_vrf_knows_its_table(self):
        (verdict,) = self.run_tool("ip", ["route add 10.0.0.0/8 dev eth0 vrf neno"])
        self.assertEqual(verdict.messages[0][20], 11)

    def test_comments_and_empty_lines_send_nothing(self):
        verdicts = self.run_tool("bridge", ["", "# fdb add", "   "])
        self.assertEqual([(verdict.accepted, verdict.messages) for verdict in verdicts], [(True, [])] * 3)

    def test_names_of_protocols_come_from_the_folder_of_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "rt_protos").write_text("201 mine\n", encoding="ascii")
            (verdict,) = self.run_tool("ip", ["route add 10.0.0.0/8 dev eth0 proto mine"], tables=folder)
        self.assertEqual(verdict.messages[0][21], 201)

    def test_the_machine_is_out_of_reach(self):
        lines = ["netns add oracle-test", "tunnel add oracle-test mode gre remote 192.0.2.1 local 192.0.2.2"]
        verdicts = self.run_tool("ip", lines)
        self.assertEqual([verdict.accepted for verdict in verdicts], [False, False])
        self.assertFalse(pathlib.Path("/var/run/netns/oracle-test").exists())


if __name__ == "__main__":
    unittest.main()
