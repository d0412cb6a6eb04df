"""Candidates for one column of values."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picspider.learn.prices import LEAK, MISS
from picspider.learn.segment import candidates


@given(st.lists(st.text(alphabet="abAB09-_.%+é", max_size=14), min_size=1, max_size=5))
def test_every_candidate_matches_every_value_and_has_prices(values: list[str]) -> None:
    """No candidate loses an example, and each bet that it makes is in the table of prices."""
    for pattern in candidates(tuple(values)):
        assert all(re.fullmatch(pattern.regex, value) for value in values)
        assert {name for name, _ in pattern.miss} <= set(MISS)
        assert {name for name, _ in pattern.leak} <= set(LEAK)


@pytest.mark.parametrize(
    ("values", "regex"),
    [
        (("12", "7"), r"\d+"),
        (("12.html", "133.html"), r"\d+\.html"),
        (("post-12", "post-7"), r"post-\d+"),
        (("12-red-fox", "7-sea"), r"\d+-[^/?#]+"),
        (("red-fox-12.html", "sea-7.html"), r"[^/?#]+-\d+\.html"),
        (("a-1.jpg", "b.png"), r"[^/?#]+\.(?:jpe?g|png|gif|webp)"),
        (("2019-05-07", "2020-11-30"), r"\d+-\d+-\d+"),
        (("red", "blue"), "(?:blue|red)"),
        (("red", "red"), "red"),
        (("quickie-x-p-2381.html", "hoist-2-p-1331.html"), r"[^/?#]+-p-\d+\.html"),
    ],
)
def test_the_expected_expression_is_among_them(values: tuple[str, ...], regex: str) -> None:
    """The expression that a person would think of is a candidate."""
    assert regex in {pattern.regex for pattern in candidates(values)}
