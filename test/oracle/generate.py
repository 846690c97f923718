#!/usr/bin/env python3
"""Random lines of one kind of command, from a grammar in grammars/.

A grammar is a text file. `tool NAME` and, for ip, `family 4|6` say what the lines are for; `#` begins a comment line; every other
line is `RULE = ALTERNATIVE | ALTERNATIVE ...`, continued by lines that begin with a blank. `line` is the rule to start at. Parts
of an alternative, separated by blanks:

    word             itself
    $RULE            what the rule yields
    <NAME ARG...>    a random value: a function of values.py
    ( A | B )        one of the alternatives; ( A | B )+ one to three of them
    [ A | B ]        nothing, or one of the alternatives
    { A ; B ; C }    some of the parts in random order, each at most once (`|` separates parts as well as `;`)
    %N               at the start of an alternative: chosen N times as often

With --mutate, some lines are then damaged: a word dropped, repeated, replaced or swapped with its neighbour. With --abbreviate,
some plain words are cut short.
"""

import argparse
import inspect
import pathlib
import re
import sys

import values

GRAMMARS = pathlib.Path(__file__).with_name("grammars")
_TOKEN = re.compile(r"<[^>]*>|\)\+|[()\[\]{}|;]|[^\s()\[\]{}|;<>]+")


class Literal(str):
    """A word that stands in the grammar, as opposed to a value."""


def _alternatives(tokens, ends):
    """([(weight, [part])], the one of `ends` that was met); the tokens up to there are consumed. None is the end of the rule."""
    result, weight, parts = [], 1, []
    while True:
        token = tokens.pop(0) if tokens else None
        if token in ends or token in ("|", ";"):
            result.append((weight, parts))
            if token in ends:
                return result, token
            weight, parts = 1, []
        elif token is None:
            raise ValueError(f"{ends[0]} is missing")
        elif token.startswith("%"):
            weight = int(token[1:])
        elif token == "(":
            inner, closing = _alternatives(tokens, (")", ")+"))
            parts.append(("some" if closing == ")+" else "one", inner))
        elif token == "[":
            parts.append(("maybe", _alternatives(tokens, ("]",))[0]))
        elif token == "{":
            parts.append(("set", _alternatives(tokens, ("}",))[0]))
        elif token.startswith("<"):
            name, *arguments = token[1:-1].split()
            function = getattr(values, name)
            inspect.signature(function).bind(None, *arguments)
            parts.append(("value", function, arguments))
        elif token.startswith("$"):
            parts.append(("rule", token[1:]))
        else:
            parts.append(("word", Literal(token)))


class Grammar:
    def __init__(self, path):
        self.tool, self.family, self.rules = None, None, {}
        text = re.sub(r"\n[ \t]+", " ", "\n".join(row for row in path.read_text(encoding="utf-8").split("\n") if row[:1] != "#"))
        for row in filter(str.strip, text.split("\n")):
            head, _, rest = row.partition(" ")
            if head in ("tool", "family"):
                setattr(self, head, rest.strip())
                continue
            rest = rest.strip()
            if not rest.startswith("="):
                raise ValueError(f"{path}: no rule: {row}")
            self.rules[head] = _alternatives(_TOKEN.findall(rest[1:]), (None,))[0]
        for name in self.references():
            if name not in self.rules:
                raise ValueError(f"{path}: no rule ${name}")

    def references(self):
        """The names of the rules that some rule uses."""
        return set(self._references(list(self.rules.values())))

    def _references(self, node):
        if isinstance(node, tuple) and node and node[0] == "rule":
            yield node[1]
        elif isinstance(node, (tuple, list)):
            for child in node:
                yield from self._references(child)

    def line(self, r):
        return self._one(r, self.rules["line"])

    def _one(self, r, alternatives):
        (_, parts), = r.choices(alternatives, [weight for weight, _ in alternatives])
        return [word for part in parts for word in self._part(r, part)]

    def _part(self, r, part):
        kind, content = part[0], part[1]
        if kind == "word":
            return [content]
        if kind == "value":
            return [content(r, *part[2])]
        if kind == "rule":
            return self._one(r, self.rules[content])
        if kind == "one":
            return self._one(r, content)
        if kind == "some":
            return [word for _ in range(r.choice((1, 1, 2, 3))) for word in self._one(r, content)]
        if kind == "maybe":
            return self._one(r, content) if r.random() < 0.4 else []
        most = min(len(content), r.choice((1, 2, 3, 4, len(content))))
        chosen = r.sample(content, r.randint(0, most))
        return [word for alternative in chosen for word in self._one(r, [alternative])]


def mutate(r, words):
    at = r.randrange(len(words))
    form = r.randrange(4)
    if form == 0:
        return words[:at] + words[at + 1 :]
    if form == 1:
        return words[: at + 1] + words[at:]
    if form == 2:
        return words[:at] + [r.choice(("0", "-1", "junk", "help", "dev", "4294967296", "1:1", "::", "10.0.0.1"))] + words[at + 1 :]
    return words[:at] + words[at : at + 2][::-1] + words[at + 2 :]


def abbreviate(r, words):
    places = [at for at, word in enumerate(words) if isinstance(word, Literal) and len(word) > 1]
    at = r.choice(places)
    return words[:at] + [words[at][: r.randint(1, len(words[at]) - 1)]] + words[at + 1 :]


def read_links(path):
    with open(path, encoding="utf-8") as rows:
        table = [row.rstrip("\n").split("\t") for row in rows if not row.startswith("#")]
    return [(row[1], row[2]) for row in table]


def generate(kind, count, seed, links, wrong=0.01, mutated=0.03, abbreviated=0.0):
    """`count` lines of the kind; the same ones for the same arguments."""
    grammar = Grammar(GRAMMARS / f"{kind}.txt")
    r = values.Random(f"{kind} {seed}", links, wrong)
    for _ in range(count):
        words = grammar.line(r)
        if r.random() < abbreviated:
            words = abbreviate(r, words)
        if r.random() < mutated:
            words = mutate(r, words)
        yield " ".join(words)


def kinds():
    return sorted(path.stem for path in GRAMMARS.glob("*.txt"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=kinds() or None)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--links", default=str(GRAMMARS.parents[1] / "data/golden/links.tsv"))
    parser.add_argument("--wrong", type=float, default=0.01, help="rate of wrong values (default: %(default)s)")
    parser.add_argument("--mutate", type=float, default=0.03, help="rate of damaged lines (default: %(default)s)")
    parser.add_argument("--abbreviate", type=float, default=0.0, help="rate of lines with a word cut short (default: %(default)s)")
    arguments = parser.parse_args()
    links = read_links(arguments.links)
    for line in generate(arguments.kind, arguments.count, arguments.seed, links, arguments.wrong, arguments.mutate, arguments.abbreviate):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
