from __future__ import annotations

from tests.audit.rows import BASE, numbered, site

KIND = "below-siblings"


def test_a_small_album_among_equals() -> None:
    """Four pictures where all others have fifty; the newest album may be just begun."""
    rows = site()
    for number in range(10):
        rows.album(f"a{number}", numbered(4 if number == 3 else 50 - number))
    rows.album("new", numbered(2))
    (suspect,) = rows.suspects(KIND)
    assert suspect.place_url == f"{BASE}/album/a3/"
    assert suspect.message == "only 4 links found here; its siblings have 44 or so"


def test_no_alarm_where_sizes_differ_anyway() -> None:
    """Small albums among albums of all sizes are how people photograph."""
    rows = site()
    for number in range(20):
        rows.album(f"a{number}", numbered(2 + number * 5))
    assert rows.suspects(KIND) == []


def test_no_alarm_for_few_or_tiny_albums() -> None:
    """What is usual cannot be said of three albums, nor of albums of three."""
    few, tiny = site(), site()
    for number in range(3):
        few.album(f"a{number}", numbered(1 if number == 0 else 50))
    for number in range(20):
        tiny.album(f"a{number}", numbered(1 if number == 4 else 5))
    assert few.suspects(KIND) == tiny.suspects(KIND) == []
