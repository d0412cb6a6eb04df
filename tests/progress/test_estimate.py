from __future__ import annotations

import pytest

from picspider.progress.estimate import Estimate, duration, estimate, in_words
from picspider.records import Totals
from picspider.report.summary import LayerCounts


def layer(number: int, done: int, waiting: int) -> LayerCounts:
    """A layer with so many URLs done and waiting."""
    return LayerCounts(number, f"layer-{number}", Totals(pages=done, waiting=waiting))


def test_only_pictures_left() -> None:
    """With all pages read, what waits at the present rate is the answer."""
    assert estimate([layer(0, 1, 0), layer(1, 50, 0), layer(2, 40, 60)], 10, 2) == Estimate(6.0, at_least=False)


def test_layers_below_are_expected_to_grow() -> None:
    """With a quarter of the albums read, four times the pictures found so far are expected."""
    assert estimate([layer(0, 1, 0), layer(1, 25, 75), layer(2, 100, 0)], 10, 2) == Estimate(37.5, at_least=False)


def test_little_known_is_said() -> None:
    """With next to nothing read only a lower bound is given, and nothing at all at the very beginning."""
    known = estimate([layer(0, 1, 0), layer(1, 25, 975), layer(2, 100, 0)], 10, 2)
    assert known is not None
    assert known.at_least
    assert in_words(known).startswith("more than ")
    assert estimate([layer(0, 1, 0)], 10, 2) is None
    assert estimate([layer(0, 50, 0)], 0, 2) is None


@pytest.mark.parametrize(("seconds", "words"), [(4, "4 s"), (300, "5 min"), (7500, "2 h 5 min")])
def test_durations(seconds: float, words: str) -> None:
    """Lengths of time read as people say them."""
    assert duration(seconds) == words
