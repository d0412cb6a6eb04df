from __future__ import annotations

from tests.audit.rows import BASE, numbered, site

KIND = "dry-page"


def test_a_dry_page_among_others() -> None:
    """One album without a match, where all its neighbours have some."""
    rows = site()
    for number in range(9):
        rows.album(f"a{number}", numbered(5))
    rows.album("dry", [])
    (suspect,) = rows.suspects(KIND)
    assert suspect.place_url == f"{BASE}/album/dry/"
    assert suspect.message == "the rule of layer picture matched nothing here; it did on 9 others"


def test_many_dry_pages_are_told_once() -> None:
    """Where it is common, one line says how common."""
    rows = site()
    for number in range(40):
        rows.album(f"a{number}", numbered(number % 2 * 3))
    (suspect,) = rows.suspects(KIND)
    assert "matched nothing on 20 of 40 pages" in suspect.message


def test_a_dry_layer() -> None:
    """A rule that never matched is told once, with a page to look at."""
    rows = site()
    for number in range(3):
        rows.album(f"a{number}", [])
    (suspect,) = rows.suspects(KIND)
    assert suspect.message == "the rule of layer picture matched nothing on any of 3 pages"


def test_an_empty_last_page_is_how_chains_end() -> None:
    """A next page without matches is no suspect."""
    rows = site()
    coast = rows.album("coast", numbered(5))
    rows.add("/album/coast/2", 1, coast, page=2, chain=coast)
    assert rows.suspects(KIND) == []
