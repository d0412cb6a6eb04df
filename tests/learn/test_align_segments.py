"""Paths of different length in common columns."""

from picspider.learn.align_segments import align_segments


def test_equal_segments_stand_in_one_column() -> None:
    """A path without the language gets a gap where the language stands in the others."""
    grid = align_segments([("album", "7"), ("en", "album", "12"), ("de", "album", "3")])
    assert grid == [[None, "album", "7"], ["en", "album", "12"], ["de", "album", "3"]]


def test_segments_of_one_kind_stand_in_one_column() -> None:
    """Without equal segments a number goes to the numbers, and the gap as far back as it may."""
    assert align_segments([("user", "anna", "12"), ("bert", "7")])[1] == ["bert", None, "7"]
