"""A finished layout: one pattern per column, and the expression written out."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from picspider.learn.choose import Choice
from picspider.learn.layout import Layout, Row
from picspider.learn.pattern import Pattern, matcher
from picspider.learn.url_parts import Parts


@dataclass(frozen=True, slots=True)
class Solution:
    """A layout with one pattern per column.

    `examples` are those it was made for, `rows` the negatives (or doubtful URLs) in its columns.
    """

    layout: Layout
    choice: Choice
    examples: tuple[Parts, ...]
    rows: tuple[Row, ...]

    @property
    def pieces(self) -> tuple[str, ...]:
        """The expressions of the columns in order."""
        pairs = zip(self.layout.columns, self.choice.patterns, strict=True)
        return tuple(column.before + pattern.regex + column.after for column, pattern in pairs)

    @property
    def words(self) -> str:
        """The columns in words, those that say nothing left out."""
        pairs = zip(self.layout.columns, self.choice.patterns, strict=True)
        texts = (f"{c.name}: {p.words}" + (" (or missing)" if c.after else "") for c, p in pairs if p.regex)
        return "; ".join(texts)

    def matches(self, parts: Parts) -> bool:
        """Whether a URL of these parts matches."""
        return any(fits(self.choice.patterns, row) for row in self.layout.rows(parts))


def fits(patterns: Sequence[Pattern], row: Row) -> bool:
    """Whether each value of the row matches its column's pattern; an absent value does."""
    pairs = zip(patterns, row, strict=True)
    return all(value is None or matcher(pattern.regex)(value) is not None for pattern, value in pairs)


def render(solutions: Sequence[Solution]) -> str:
    """The anchored expression; what several solutions share at the front is written once."""
    texts = sorted({solution.pieces for solution in solutions})
    if len(texts) == 1:
        return "^https?://" + "".join(texts[0]) + "$"
    shared = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))))
    rest = "|".join("".join(text[shared:]) for text in texts)
    return "^https?://" + "".join(texts[0][:shared]) + f"(?:{rest})$"
