from __future__ import annotations

import pytest

from picspider.propose.rewrites import rewrites


@pytest.mark.parametrize(
    ("thumbnail", "full"),
    [
        ("https://a.example/thumbs/3.jpg", "https://a.example/3.jpg"),
        ("https://a.example/small/3.jpg", "https://a.example/large/3.jpg"),
        ("https://a.example/cache/120x80/a/3.jpg", "https://a.example/originals/a/3.jpg"),
        ("https://a.example/up/3-150x150.jpg", "https://a.example/up/3.jpg"),
        ("https://a.example/up/3_thumb.jpg", "https://a.example/up/3.jpg"),
    ],
)
def test_common_ways(thumbnail: str, full: str) -> None:
    """The common ways to name thumbnails lead back to the full picture."""
    assert full in [guess.apply(thumbnail) for guess in rewrites(thumbnail)]


def test_nothing_to_rewrite() -> None:
    """An address that does not say thumbnail is left alone."""
    assert list(rewrites("https://a.example/photos/3.jpg")) == []
