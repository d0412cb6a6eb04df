from __future__ import annotations

import pytest

from picspider.errors import nearest


@pytest.mark.parametrize(
    ("value", "choices", "found"),
    [
        ("jpge", ("JPEG", "PNG"), "JPEG"),
        ("Depht", ("breadth", "depth"), "depth"),
        ("x", ("breadth", "depth"), None),
        ("depth", (), None),
    ],
)
def test_nearest(value: str, choices: tuple[str, ...], found: str | None) -> None:
    """The likely choice is found whatever its letters, and nothing is guessed where nothing is like it."""
    assert nearest(value, choices) == found
