from __future__ import annotations

import pytest

from picspider.filters.format_names import is_picture_extension
from picspider.links.looks import PICTURE_ENDING, PICTURES, is_named_url, listed_urls, looks_like_url


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_that_is_looked_for_can_be_stored(name: str) -> None:
    """An ending of the list is one of a format, and makes a text look like a URL, in capitals too."""
    assert is_picture_extension(f".{name}")
    assert looks_like_url(f"full/1.{name.upper()}?x=1")
    assert PICTURE_ENDING.search(f"/full/1.{name.upper()}")
    assert not PICTURE_ENDING.search(f"/full/1.{name}/x")


@pytest.mark.parametrize(
    ("value", "looks"),
    [
        ("//h.example/x", True),
        ("/album/1", True),
        ("icons/a.svgz", True),
        ("list.php5#top", True),
        ("1.5", False),
        ("jquery.min.js", False),
        ("A sentence, and more.", False),
        ("/a b/c.jpg", True),
    ],
)
def test_looks_like_url(value: str, looks: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """Rooted and absolute URLs do, and paths that end like a picture or a page."""
    assert looks_like_url(value) is looks


def test_lists_and_names() -> None:
    """A list is one when all of it looks like files; a telling name makes a relative path a URL."""
    assert listed_urls("a.jpg, b.png|c.tiff") == ["a.jpg", "b.png", "c.tiff"]
    assert listed_urls("a.jpg, and b") == []
    assert is_named_url("data-full-url", "pictures/1")
    assert not is_named_url("data-count", "pictures/1")
