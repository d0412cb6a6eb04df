"""What the crawl asks the store outside of its turns, and what the end of a run counts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from picspider.frontier.run.beginning import begin
from picspider.frontier.run.totals import dry_layers, lost_entry
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.lookups import Lookups
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, ChainPage, Facts, Lost, PageRead, Sighting, Stored

FACTS = Facts("JPEG", 10, 10, ".jpg", 100)


def seen(number: int, parent: int, layer: int = 0, page: int = 1) -> Sighting:
    """URL *number*, linked on the page *parent*."""
    kind = "picture" if layer == 2 else "page"
    return Sighting(f"http://a/{number}", number, "a:80", layer, page, kind, parent, 0, 0, f"t{number}", 0, 0)  # type: ignore[arg-type]  # one of the two kinds


@pytest.fixture
def store() -> Iterator[Store]:
    """A chain of three list pages, rows 1 to 3 with the contents 11 to 13, and a picture on the last, row 4."""
    store = Store("sqlite://")
    begin(store, None, "{}")
    for number, parent in ((1, 0), (2, 1), (3, 2)):
        turn(store, Batch(sightings=[seen(number, parent, page=number)]), Want(1))
        turn(store, Batch(outcomes={number: PageRead(Answer(200), 1, number + 10)}), Want(0))
    turn(store, Batch(sightings=[seen(4, 3, layer=2)]), Want(0))
    yield store
    store.close()


def test_page_of_a_chain(store: Store) -> None:
    """Each page with the one before it and what it showed; the first has none before it."""
    lookups = Lookups(store)
    assert [lookups.chain_page(row) for row in (3, 2, 1)] == [ChainPage(2, 13), ChainPage(1, 12), ChainPage(0, 11)]
    assert lookups.chain_page(99) is None


def test_facts_of_a_row(store: Store) -> None:
    """URL, parent and text; the stored file; whether a row of a kind waits."""
    lookups = Lookups(store)
    assert lookups.sighting_of(4) == ("http://a/4", 3, "t4")
    assert lookups.sighting_of(99) is None
    assert lookups.file_of(4) is None
    assert [lookups.anything_waits(), lookups.anything_waits(pictures=False)] == [True, False]
    turn(store, Batch(), Want(1))
    turn(store, Batch(outcomes={4: Stored(Answer(200), "4.jpg", 4, "ab" * 32, FACTS)}), Want(0))
    assert (lookups.file_of(4), lookups.file_of(3)) == ("4.jpg", None)
    assert not lookups.anything_waits()


def test_row_of_an_identity(store: Store) -> None:
    """The row of a URL, or where a redirect led there; 0 while it is on its way into the table."""
    lookups = Lookups(store)
    assert [lookups.row_of(key, Batch()) for key in (3, 99)] == [3, None]
    turn(store, Batch(aliases={77: 2}, outcomes={2: PageRead(Answer(200, "http://a/77"), 1, 12)}), Want(0))
    assert lookups.row_of(77, Batch()) == 2
    assert lookups.row_of(5, Batch(sightings=[seen(5, 1)])) == 0
    assert lookups.row_of(88, Batch(aliases={88: 1})) == 1


def test_layers_whose_rule_matched_nothing(store: Store) -> None:
    """Only those whose pages before were read are told: what is below an empty layer had no chance."""
    with store.transaction() as connection:
        assert dry_layers(connection, 1) == [1]
        assert dry_layers(connection, 4) == [1], "layer 2 is there, and no page of it was read"


def test_entry_that_is_lost(store: Store) -> None:
    """With its message, if no entry page could be had."""
    turn(store, Batch(sightings=[seen(6, 0)]), Want(9))
    turn(store, Batch(outcomes={5: Lost(Answer(), "dns", "no such host")}), Want(0))
    with store.transaction() as connection:
        assert lost_entry(connection) is None, "the other one was read"
    turn(store, Batch(outcomes={1: Lost(Answer(404), "http", "gone")}), Want(0))
    with store.transaction() as connection:
        assert lost_entry(connection) == ("http://a/1", "gone")
