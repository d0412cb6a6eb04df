"""The positions of a regex and what may follow what: Glushkov's automaton, with the number of ways kept.

Look-arounds, atomic groups and possessive repeats give nothing back, so their insides stand apart.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from picspider.regexes.characters import Alphabet

_parser = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
_FEW_COPIES = 10
_MAX_POSITIONS = 400
Ways = dict[int, int]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of the regex: positions it may begin and end with, and whether it may be empty; each with its ways."""

    first: Ways
    last: Ways
    empty: int


_NOTHING = Fragment({}, {}, 1)


@dataclass(slots=True)
class Graph:
    """`masks[p]` is what position p matches; `follow[p]` what may come next.

    `twice`: edges that there are two ways to take; `bounded`: edges that exist only because a repeat with a high
    bound is taken for an endless one.
    """

    alphabet: Alphabet
    masks: list[int] = field(default_factory=list)
    follow: list[set[int]] = field(default_factory=list)
    twice: set[tuple[int, int]] = field(default_factory=set)
    bounded: set[tuple[int, int]] = field(default_factory=set)

    def position(self, mask: int) -> Fragment:
        """A new position."""
        self.masks.append(mask)
        self.follow.append(set())
        at = len(self.masks) - 1
        return Fragment({at: 1}, {at: 1}, 0)

    def connect(self, last: Ways, first: Ways, *, bounded: bool = False) -> None:
        """What ends in *last* may go on with *first*."""
        for before, ways_before in last.items():
            for after, ways_after in first.items():
                known = after in self.follow[before]
                if known or ways_before * ways_after > 1:
                    self.twice.add((before, after))
                if bounded and not known:
                    self.bounded.add((before, after))
                elif not bounded:
                    self.bounded.discard((before, after))
                self.follow[before].add(after)

    def concat(self, left: Fragment, right: Fragment) -> Fragment:
        """*left*, then *right*."""
        self.connect(left.last, right.first)
        first = left.first | {at: _capped(left.empty * ways) for at, ways in right.first.items() if left.empty}
        last = right.last | {at: _capped(right.empty * ways) for at, ways in left.last.items() if right.empty}
        return Fragment(first, last, _capped(left.empty * right.empty))

    def loop(self, body: Fragment, *, bounded: bool = False) -> Fragment:
        """*body* once or more."""
        self.connect(body.last, body.first, bounded=bounded)
        return Fragment(body.first, body.last, min(body.empty, 1))


def graph_of(pattern: str) -> Graph:
    """The graph of a regex that compiles."""
    tree = _parser.parse(pattern)
    graph = Graph(Alphabet(pattern))
    _Builder(graph, tree.state.flags).sequence(tree)
    return graph


def _capped(ways: int) -> int:
    return min(ways, 2)


def _optional(body: Fragment) -> Fragment:
    return Fragment(body.first, body.last, 1)


class _Builder:
    """Walks the parser's tree; a method for each operation that needs one."""

    def __init__(self, graph: Graph, flags: int) -> None:
        self.graph = graph
        self.flags = flags

    def sequence(self, items: Iterable[tuple[Any, Any]]) -> Fragment:
        whole = _NOTHING
        for operation, value in items:
            whole = self.graph.concat(whole, self._one(str(operation), value))
        return whole

    def _one(self, name: str, value: Any) -> Fragment:
        if name in _MASKS:
            mask = _MASKS[name](self.graph.alphabet, value, self.flags)
            ignore_case = self.flags & re.IGNORECASE
            return self.graph.position(self.graph.alphabet.both_cases(mask) if ignore_case else mask)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeat(*value)
        if name in ("BRANCH", "GROUPREF_EXISTS"):
            branches = value[1] if name == "BRANCH" else value[1:]
            return self._either([self.sequence(branch or ()) for branch in branches])
        if name == "SUBPATTERN":
            return _Builder(self.graph, (self.flags | value[1]) & ~value[2]).sequence(value[3])
        if name in ("ATOMIC_GROUP", "POSSESSIVE_REPEAT"):
            return self._apart(
                value if name == "ATOMIC_GROUP" else value[2], empty=name != "ATOMIC_GROUP" and not value[0]
            )
        if name in ("ASSERT", "ASSERT_NOT"):
            self.sequence(value[1])
        return _NOTHING  # anchors and back references take no character of their own choice

    def _either(self, branches: list[Fragment]) -> Fragment:
        first: Ways = {}
        last: Ways = {}
        for branch in branches:
            first |= branch.first
            last |= branch.last
        return Fragment(first, last, _capped(sum(branch.empty for branch in branches)))

    def _apart(self, body: Iterable[tuple[Any, Any]], *, empty: bool) -> Fragment:
        before = len(self.graph.masks)
        self.sequence(body)
        mask = 0
        for inner in self.graph.masks[before:]:
            mask |= inner
        fragment = self.graph.position(mask)
        return _optional(fragment) if empty else fragment

    def _repeat(self, least: int, most: Any, body: Iterable[tuple[Any, Any]]) -> Fragment:
        endless = most == _parser.MAXREPEAT
        copies = max(least, 1) if endless else int(most)
        single = len(body) == 1 and str(body[0][0]) in _MASKS  # type: ignore[arg-type, index] # the parser's own sequence
        room = len(self.graph.masks) < _MAX_POSITIONS
        if not room or copies > (64 if single and least == most else _FEW_COPIES):
            whole = self.graph.loop(self.sequence(body), bounded=not endless)
            return whole if least else _optional(whole)
        return self._copies(least, copies, body, endless=endless)

    def _copies(self, least: int, copies: int, body: Iterable[tuple[Any, Any]], *, endless: bool) -> Fragment:
        """X{2,4} as X X (X (X)?)?; X{2,} as X X+."""
        parts = [self.sequence(body) for _ in range(copies)]
        if not parts:
            return _NOTHING
        whole = self.graph.loop(parts[-1]) if endless else parts[-1]
        if copies > least:
            whole = _optional(whole)
        for number in range(copies - 1, 0, -1):
            whole = self.graph.concat(parts[number - 1], whole)
            if number > least:
                whole = _optional(whole)
        return whole


def _any(alphabet: Alphabet, _: Any, flags: int) -> int:
    return alphabet.all if flags & re.DOTALL else alphabet.all & ~alphabet.one(ord("\n"))


_MASKS: dict[str, Callable[[Alphabet, Any, int], int]] = {
    "LITERAL": lambda alphabet, value, _: alphabet.one(value),
    "NOT_LITERAL": lambda alphabet, value, _: alphabet.all & ~alphabet.one(value),
    "ANY": _any,
    "IN": lambda alphabet, value, _: alphabet.members(value),
    "CATEGORY": lambda alphabet, value, _: alphabet.category(str(value)),
}
