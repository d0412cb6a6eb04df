from __future__ import annotations

from pathlib import Path

import pytest

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.output_folder import OutputFolder
from picspider.places import NOWHERE, Places
from picspider.records import Sighting


def page(number: int, parent: int, layer: int, **chain: int) -> Sighting:
    """A page with this number as its key."""
    facts = {"page": 1, "chain": 0, **chain}
    return Sighting(
        f"http://a/{number}", number, "a:80", layer, facts["page"], "page", parent, 0, facts["chain"], f"text {number}",
        0, 0,
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Entry (1) → its next page (2) and that one's (3) → an album found there (4) → its next page (5)."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    rows = [
        page(1, 0, 0),
        page(2, 1, 0, page=2, chain=1),
        page(3, 2, 0, page=3, chain=1),
        page(4, 3, 1),
        page(5, 4, 1, page=2, chain=4),
    ]
    turn(store, Batch(sightings=rows), Want(0))
    return store


def test_path_holds_first_and_last_of_each_run_of_next_pages(store: Store) -> None:
    """Of the entry's three pages the first and the one with the album are on the path, of the album's both."""
    places = Places(store.connection)
    assert places.of(5).path == ("http://a/1", "http://a/3", "http://a/4", "http://a/5")
    assert places.of(5).heads == (("http://a/1", "text 1"), ("http://a/4", "text 4"))
    assert places.path_of("http://a/x", 5) == ["http://a/1", "http://a/3", "http://a/4", "http://a/5", "http://a/x"]
    assert places.path_of("http://a/y", 4, page=2, chain=4) == ["http://a/1", "http://a/3", "http://a/4", "http://a/y"]


def test_nowhere_and_what_is_forgotten(store: Store) -> None:
    """Row 0 and rows that are gone are nowhere; a place that fell out of the map is read again."""
    places = Places(store.connection, capacity=1)
    assert places.of(0) is NOWHERE
    assert places.of(77) is NOWHERE
    assert [places.of(row).page for row in (1, 2, 3, 1)] == [1, 2, 3, 1]


def test_page_many_clicks_deep(tmp_path: Path) -> None:
    """The place of a page below thousands of others is found without having asked for theirs before."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    turn(store, Batch(sightings=[page(number, number - 1, number % 7) for number in range(1, 3001)]), Want(0))
    place = Places(store.connection).of(3000)
    assert place.path == tuple(f"http://a/{number}" for number in range(1, 3001))
    assert [text for _, text in place.heads] == [f"text {number}" for number in range(1, 3001)]
