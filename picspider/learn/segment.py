"""Candidate expressions for one column of values: a path segment, a parameter's value, a fragment.

A candidate is head + middle + tail, where only the middle may be wide, so that one value can be read
in one way only: no ambiguity, no backtracking.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from picspider.learn.affixes import heads, tails
from picspider.learn.middles import middles
from picspider.learn.pattern import ANYTHING, Pattern, alternatives, escape
from picspider.learn.prices import doubt_after
from picspider.learn.tokens import Values, literal_kind, tokens

_MOST_WORDS = 8
_LONGEST_KEYWORD = 12
_MOST_TOKENS = 12
_WIDE = re.compile(re.escape(ANYTHING) + r"(?:\\\.\S+)?")


def affixed(values: Values) -> Iterator[Pattern]:
    """Head, middle and tail in every combination."""
    doubt = doubt_after(len(set(values)))
    for head, after in heads(values, doubt):
        for tail, rest in tails(after, doubt):
            if any(rest):
                for middle in middles(rest, doubt):
                    yield head.joined(middle).joined(tail)
            elif head.regex or tail.regex:
                yield head.joined(tail)


def constant(values: Values) -> Iterator[Pattern]:
    """The same text in all examples."""
    if len(set(values)) == 1:
        text = values[0]
        digits = sum(character.isdecimal() for character in text)
        kind = "word" if not digits else "mixed" if digits < len(text) else "number" if digits < 5 else "long number"
        yield Pattern(escape(text), ((f"constant {kind}", doubt_after(len(values))),), (), f"“{text}”")


def listed(values: Values) -> Iterator[Pattern]:
    """Exactly the texts seen, when they are few."""
    words = sorted(set(values))
    if 1 < len(words) <= _MOST_WORDS:
        name = "listed" if len(words) == len(values) else "listed, some twice"
        if name != "listed" and all(word.isalpha() and len(word) <= _LONGEST_KEYWORD for word in words):
            name = "listed keywords"
        yield Pattern(alternatives(words), ((name, 1.0 / (1 + len(values) - len(words))),), (), "one of the texts seen")


def templated(values: Values) -> Iterator[Pattern]:
    """The same sequence of tokens in all examples: each token literal, digits or letters."""
    rows = [tokens(value) for value in values]
    if len({len(row) for row in rows}) != 1 or len(rows[0]) > _MOST_TOKENS:
        return
    doubt, whole = doubt_after(len(set(values))), Pattern("", (), (("template", 1.0),))
    columns = list(zip(*rows, strict=True))
    if sum(len(set(column)) > 1 for column in columns) < 2:
        return
    for column in columns:
        if len(set(column)) == 1:
            whole = whole.joined(Pattern(escape(column[0]), (("template " + literal_kind(column[0]), doubt),)))
        elif all(text.isdecimal() for text in column):
            whole = whole.joined(Pattern(r"\d+", (("template number", doubt),)))
        elif all(text.isalpha() for text in column):
            whole = whole.joined(Pattern(_letters(column), (("template letters run", doubt),)))
        else:
            return
    yield replace(whole, words="parts of one make")


def _letters(texts: Values) -> str:
    """The narrowest class of letters only."""
    for regex in (r"[a-z]+", r"[A-Z]+", r"[a-zA-Z]+"):
        if all(re.fullmatch(regex, text) for text in texts):
            return regex
    return r"[^\W\d_]+"


FAMILIES: dict[str, Callable[[Values], Iterator[Pattern]]] = {
    "constant": constant,
    "listed": listed,
    "templated": templated,
    "affixed": affixed,
}


def candidates(values: Values, place: str = "inner") -> list[Pattern]:
    """All candidates for a column; every one matches every value. `place` names where it stands."""
    narrow = (f"narrow {place}", doubt_after(len(set(values))))
    found = [
        pattern
        for name, family in FAMILIES.items()
        if name not in ("constant", "affixed")
        for pattern in family(values)
    ]
    found += [p if _WIDE.fullmatch(p.regex) else p.betting(narrow) for p in affixed(values)]
    if len(set(values)) > 1:
        return found
    opened = [replace(pattern, leak=(*pattern.leak, ("constant opened", 1.0))) for pattern in found]
    bet = (f"constant {place}", doubt_after(len(values)))
    return [pattern.betting(bet) for pattern in constant(values)] + opened
