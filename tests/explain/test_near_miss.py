from __future__ import annotations

import time

import pytest

from picspider.explain.near_miss import near_miss

URL = "https://gallery.example/album/12/photo-3.html?w=100"


@pytest.mark.parametrize(
    ("pattern", "fits", "complete"),
    [
        (r"/album/\d+$", "/album/12", True),
        (r"/album/[a-z]+/", "/album/", False),
        (r"/photo-\d+\.jpg", "/photo-3.", False),
        (r"^http://", "http", False),
        (r"photo-\d\.html\?w=1000", "photo-3.html?w=100", False),
        (r"(?<=album/)\d+/video", "12/", False),
    ],
)
def test_the_longest_stretch_that_fits(pattern: str, fits: str, complete: bool) -> None:  # noqa: FBT001 - a parameter
    """What fits, and whether only what stands behind it is wrong."""
    near = near_miss(pattern, URL)
    assert near is not None
    assert URL[near.start : near.end] == fits
    assert near.complete is complete


def test_nothing_alike() -> None:
    """A letter or two by chance are not worth a word."""
    assert near_miss(r"/x/\d\d\d\d\.gif", URL) is None


def test_a_regex_that_takes_too_long_is_given_up() -> None:
    """A catastrophic one costs seconds, not hours."""
    start = time.monotonic()
    near_miss(r"(?:a|aa)+c", "a" * 60 + "b")
    assert time.monotonic() - start < 20
