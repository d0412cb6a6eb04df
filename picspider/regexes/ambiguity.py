"""Does a regex explode? Found by the ambiguity of its automaton, before anything is matched.

A backtracking engine tries every way in which a text can be matched before it gives up. Their number grows
exponentially when some position can be left and reached again in two ways over the same text (EDA), and as a power
of the length when repeats over the same characters follow each other (IDA). Weideman, van der Merwe, Berglund,
Watson, "Analyzing matching time behavior of backtracking regular expression matchers by using ambiguity of NFA"
(CIAA 2016), theorems 2 and 3.
"""

from __future__ import annotations

import re

from picspider.regexes.graph import Graph, graph_of

_ENDLESS = re.compile(r"[*+]|\{\d*,\d*\}|\{\d{2,}\}")
_GROUP_REPEATED = re.compile(r"\)[*+{]")
_MAX_STEPS = 200_000
# Repeats in a row that a run of one letter or digit, or of one other character, may pass through.
_MAX_RUNS_ALNUM = 2
_MAX_RUNS_OTHER = 5


def explosion(pattern: str) -> str | None:
    """Why a failing match of *pattern* (which compiles) may take for ever; None when it does not."""
    if len(_ENDLESS.findall(pattern)) < 2 and not _GROUP_REPEATED.search(pattern):
        return None
    graph = graph_of(pattern)
    components = _components(graph.follow)
    for component in components:
        if (found := _exponential(graph, component)) is not None:
            example = graph.alphabet.example(graph.masks[found])
            return f"a repeat inside a repeat takes a run of {example!r} in exponentially many ways"
    return _polynomial(graph) if len(components) > _MAX_RUNS_ALNUM else None


def _exponential(graph: Graph, component: set[int]) -> int | None:
    """A position inside *component* (a cycle) that two ways lead back to over the same text."""
    for before, after in graph.twice:
        if before in component and after in component:
            return after
    inner = {at: graph.follow[at] & component for at in component}
    waiting = [(p, q) for at in component for p in inner[at] for q in inner[at] if p < q]
    seen = set(waiting)
    steps = 0
    while waiting:
        left, right = waiting.pop()
        if not graph.masks[left] & graph.masks[right]:
            continue
        if inner[left] & inner[right]:
            return left
        for p in inner[left]:
            for q in inner[right]:
                steps += 1
                pair = (min(p, q), max(p, q))
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
        if steps > _MAX_STEPS:
            return left
    return None


def _polynomial(graph: Graph) -> str | None:
    follow = [{q for q in after if (p, q) not in graph.bounded} for p, after in enumerate(graph.follow)]
    seen = set()
    for bit, sample in enumerate(graph.alphabet.samples):
        held = tuple(bool(mask >> bit & 1) for mask in graph.masks)
        if sum(held) <= _MAX_RUNS_ALNUM or (held, sample.isalnum()) in seen:
            continue
        seen.add((held, sample.isalnum()))
        runs = _longest_chain([{q for q in after if held[q]} if held[p] else set() for p, after in enumerate(follow)])
        if runs > (_MAX_RUNS_ALNUM if sample.isalnum() else _MAX_RUNS_OTHER):
            return f"{runs} repeats in a row share a run of {sample!r} among them in too many ways"
    return None


def _longest_chain(follow: list[set[int]]) -> int:
    """The greatest number of cycles that one path passes through."""
    best = [0] * len(follow)
    for component, cyclic in _sorted_components(follow):
        beyond = max((best[q] for p in component for q in follow[p] if q not in component), default=0)
        for p in component:
            best[p] = beyond + cyclic
    return max(best, default=0)


def _components(follow: list[set[int]]) -> list[set[int]]:
    return [component for component, cyclic in _sorted_components(follow) if cyclic]


def _sorted_components(follow: list[set[int]]) -> list[tuple[set[int], bool]]:
    """Strongly connected components, each after those it leads to (Tarjan 1972), and whether they are cycles."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[tuple[set[int], bool]] = []
    for root in range(len(follow)):
        if root in order:
            continue
        path = [(root, iter(follow[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        while path:
            at, rest = path[-1]
            after = next((q for q in rest if q not in order or q in low), None)
            if after is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[at])
                if low[at] == order[at]:
                    component = set(stack[stack.index(at) :])
                    del stack[stack.index(at) :]
                    for member in component:
                        del low[member]
                    found.append((component, len(component) > 1 or at in follow[at]))
            elif after in order:
                low[at] = min(low[at], low[after])
            else:
                order[after] = low[after] = len(order)
                stack.append(after)
                path.append((after, iter(follow[after])))
    return found
