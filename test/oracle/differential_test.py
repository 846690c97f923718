"""nlstream against the installed iproute2, on random lines of every kind.

NLSTREAM_BINARY names the program; NLSTREAM_SEED and NLSTREAM_COUNT choose other lines, or more of them, for a longer search.
"""

import contextlib
import io
import os
import pathlib
import unittest

import differential
import generate
import oracle

LINKS = pathlib.Path(__file__).resolve().parents[1] / "data" / "golden" / "links.tsv"
NLSTREAM = os.environ.get("NLSTREAM_BINARY", str(oracle.REPOSITORY / "build/release/app/nlstream"))


class Differential(unittest.TestCase):
    def compare(self, kind):
        grammar = generate.Grammar(generate.GRAMMARS / f"{kind}.txt")
        options = {"tool": grammar.tool, "family": grammar.family, "binary": None, "links": str(LINKS)}
        try:
            oracle.find_binary(grammar.tool)
        except FileNotFoundError as missing:
            self.skipTest(str(missing))
        count, seed = int(os.environ.get("NLSTREAM_COUNT", "250")), os.environ.get("NLSTREAM_SEED", "1")
        lines = list(generate.generate(kind, count, seed, generate.read_links(LINKS)))
        exceptions = differential.Exceptions(differential.EXCEPTIONS)
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            counts, _ = differential.compare(lines, NLSTREAM, options, exceptions)
        self.assertEqual(counts["differ"], 0, shown.getvalue())
        # A program that refuses everything would agree with a grammar that is all wrong.
        self.assertGreater(counts["equal"] + counts["excepted"], count // 2)

    def test_every_kind(self):
        for kind in generate.kinds():
            with self.subTest(kind=kind):
                self.compare(kind)


if __name__ == "__main__":
    unittest.main()
