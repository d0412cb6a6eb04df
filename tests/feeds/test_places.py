from __future__ import annotations

from pathlib import Path

from picspider.commands.opening import opened
from tests.report.made_store import MadeStore

CLICKS = 3000


def test_page_many_clicks_deep(tmp_path: Path) -> None:
    """The place of a page below thousands of others is found without having asked for theirs before."""
    made = MadeStore()
    row = 0
    for number in range(CLICKS):
        row = made.row(f"https://a.example/{number}", str(number), number % 3, row)
    with opened(made.write(tmp_path / "out")) as view:
        place = view.places.of(row)
        assert place.url == f"https://a.example/{CLICKS - 1}"
        assert place.path == tuple(f"https://a.example/{number}" for number in range(CLICKS))
        assert [text for _, text in place.heads] == [str(number) for number in range(CLICKS)]
        assert view.places.of(row) is place


def test_next_pages_stand_with_the_head_of_their_chain(tmp_path: Path) -> None:
    """Of a run of next pages the path holds the first and the last; the heads are those of its first page."""
    made = MadeStore()
    entry = made.row("https://a.example/", "", 0, 0)
    first = made.row("https://a.example/1", "one", 1, entry)
    second = made.row("https://a.example/2", "next", 1, first, page=2, chain=first)
    third = made.row("https://a.example/3", "next", 1, second, page=3, chain=first)
    with opened(made.write(tmp_path / "out")) as view:
        place = view.places.of(third)
        assert place.path == ("https://a.example/", "https://a.example/1", "https://a.example/3")
        assert place.heads == view.places.of(first).heads


def test_rows_that_are_not_there(tmp_path: Path) -> None:
    """Row 0 and rows that are gone have no place; what stands below them begins a path."""
    made = MadeStore()
    row = made.row("https://a.example/", "", 1, 99)
    with opened(made.write(tmp_path / "out")) as view:
        assert view.places.of(0).path == view.places.of(98).path == ()
        assert view.places.of(row).path == ("https://a.example/",)
