"""The default learner: URL parts in columns, a lattice of candidates per column, negatives decide."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from picspider.learn.avoid import with_avoided_words
from picspider.learn.choose import Choice, choose
from picspider.learn.layout import Layout, layouts
from picspider.learn.pattern import Pattern, alternatives
from picspider.learn.prices import MISS, leak_scale
from picspider.learn.url_parts import Parts, split_url


@dataclass(frozen=True, slots=True)
class Solution:
    """A layout with one pattern per column."""

    layout: Layout
    choice: Choice

    @property
    def pieces(self) -> tuple[str, ...]:
        """The expressions of the columns in order."""
        pairs = zip(self.layout.columns, self.choice.patterns, strict=True)
        return tuple(c.before + p.regex + c.after for c, p in pairs)


def learn_default(positives: Sequence[str], negatives: Sequence[str] = ()) -> str:
    examples = [split_url(url) for url in dict.fromkeys(positives)]
    parts = [example for example in examples if example is not None]
    if len(parts) < len(examples) or not parts:
        return "^" + alternatives(sorted(set(positives)) or [""]) + "$"
    split = [split_url(url) for url in dict.fromkeys(negatives) if url not in positives]
    others = [other for other in split if other is not None]
    return render(solve(parts, others))


def solve(examples: list[Parts], others: list[Parts]) -> list[Solution]:
    """The best solution of one layout, or of one layout per shape, whichever is cheaper."""
    whole = solve_one(examples, others)
    shapes: dict[tuple[int, bool, bool], list[Parts]] = {}
    for parts in examples:
        shapes.setdefault((len(parts.segments), parts.query is None, parts.fragment is None), []).append(parts)
    if not 1 < len(shapes) <= 4:
        return [whole]
    single = [solve_one(group, others) for group in shapes.values()]
    cost = sum(solution.choice.total for solution in single) + MISS["split"] * (len(single) - 1)
    return single if cost < whole.choice.total else [whole]


def solve_one(examples: list[Parts], others: list[Parts]) -> Solution:
    scale = leak_scale(len(others))
    solutions = []
    for layout in layouts(examples):
        rows = [row for other in others for row in layout.rows(other)]
        if rows:
            layout = with_avoided_words(layout, rows, choose(layout, [], scale)[0].patterns)
        solutions.append(Solution(layout, choose(layout, rows, scale)[0]))
    return min(solutions, key=lambda solution: solution.choice.total)


def render(solutions: list[Solution]) -> str:
    """The anchored expression; what several solutions share at the front is written once."""
    texts = sorted({solution.pieces for solution in solutions})
    if len(texts) == 1:
        return "^https?://" + "".join(texts[0]) + "$"
    shared = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))))
    rest = "|".join("".join(text[shared:]) for text in texts)
    return "^https?://" + "".join(texts[0][:shared]) + f"(?:{rest})$"
