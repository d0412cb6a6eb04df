"""Choose one candidate per column: the cheapest set that keeps every negative out."""

from collections.abc import Sequence
from dataclasses import dataclass

from picspider.learn.layout import Layout, Row
from picspider.learn.pattern import Pattern, matcher
from picspider.learn.prices import LEAK, MISS, OTHER

_BEAM = 120

# a candidate, its price, and the bits of the rows that it lets through
_Mask = tuple[Pattern, float, int]


@dataclass(frozen=True, slots=True)
class Choice:
    """One pattern per column, the price of their bets, and the bits of the rows still matched.

    The first `sure` rows must be refused, the others probably.
    """

    patterns: tuple[Pattern, ...]
    cost: float
    leaking: int
    sure: int

    @property
    def leaks(self) -> int:
        """How many rows are matched that must be refused."""
        return (self.leaking & ((1 << self.sure) - 1)).bit_count()

    @property
    def total(self) -> float:
        """The price with its leaks."""
        doubtful = (self.leaking >> self.sure).bit_count()
        return self.cost + OTHER["leak"] * self.leaks + OTHER["leak unlabelled"] * doubtful


def price(pattern: Pattern, scale: float) -> float:
    """The price of all bets of a pattern; `scale` weighs those on leaks."""
    return sum(MISS[n] * a for n, a in pattern.miss) + scale * sum(LEAK[n] * a for n, a in pattern.leak)


def choose(layout: Layout, rows: Sequence[Row], sure: int, scale: float) -> Choice:
    """The best choice, where the first `sure` rows must be refused. A beam over the columns."""
    states = [Choice((), 0.0, (1 << len(rows)) - 1, sure)]
    for index, column in enumerate(layout.columns):
        masks = _undominated([(p, price(p, scale), _passing(p, index, rows)) for p in column.choices])
        grown: dict[int, Choice] = {}
        for state in states:
            for pattern, cost_of, passing in masks:
                left = state.leaking & passing
                cost = state.cost + cost_of
                known = grown.get(left)
                if known is None or cost < known.cost:
                    grown[left] = Choice((*state.patterns, pattern), cost, left, sure)
        states = sorted(grown.values(), key=lambda choice: choice.total)[:_BEAM]
    return states[0]


def _passing(pattern: Pattern, index: int, rows: Sequence[Row]) -> int:
    fits = matcher(pattern.regex)
    bits = 0
    for bit, row in enumerate(rows):
        value = row[index]
        if value is None or fits(value):
            bits |= 1 << bit
    return bits


def _undominated(masks: list[_Mask]) -> list[_Mask]:
    """Without those that a cheaper or equal candidate beats by refusing the same rows and more."""
    kept: list[_Mask] = []
    for pattern, cost, passing in sorted(masks, key=lambda item: (item[1], len(item[0].regex))):
        if all(passing & other != other for _, _, other in kept):
            kept.append((pattern, cost, passing))
    return kept
