"""Sparse vectors."""

from __future__ import annotations

from math import isclose, sqrt

from picspider.topic.vectors import cosine


def test_cosine_worked_out_by_hand() -> None:
    """(1, 1)·(3, 0) / (√2 · 3) = 1/√2."""
    assert isclose(cosine({"a": 1, "b": 1}, {"a": 3}), 1 / sqrt(2))


def test_cosine_of_equal_directions_is_one() -> None:
    """Length does not matter."""
    assert isclose(cosine({"a": 1, "b": 2}, {"a": 2, "b": 4}), 1)


def test_cosine_with_nothing_is_zero() -> None:
    """An empty vector, and one without a common word, give 0."""
    assert cosine({}, {"a": 1}) == cosine({"b": 1}, {"a": 1}) == 0
