from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, PageRead, Sighting
from picspider.schema import node, repeat
from picspider.urls import fingerprint


@pytest.fixture
def store() -> Iterator[Store]:
    """A store in memory with a run."""
    store = Store("sqlite://")
    begin(store, None, "{}")
    yield store
    store.close()


def sighting(url: str, priority: int, parent: int = 0, *, repeats: bool = False, lifts: bool = True) -> Sighting:
    """A page seen on the page *parent*."""
    return Sighting(
        url, fingerprint(url), "a.example:80", 1, 1, "page", parent, 0, 0, "", priority, 0, repeats=repeats, lifts=lifts
    )


def urls_taken(store: Store, count: int = 10) -> list[tuple[str, int]]:
    """(URL, priority) of what is fetched next."""
    return [(row.url, row.priority) for row in turn(store, Batch(), Want(count)).rows]


def test_better_sighting_lifts_a_waiting_row(store: Store) -> None:
    """Of several sightings, in one batch or in two, the highest priority counts, and is what the row comes out with."""
    turn(store, Batch([sighting("http://a/1", 5), sighting("http://a/2", 7), sighting("http://a/1", 6)]), Want(0))
    turn(store, Batch([sighting("http://a/3", 1), sighting("http://a/3", 9, 1), sighting("http://a/2", 2, 1)]), Want(0))
    assert urls_taken(store) == [("http://a/3", 9), ("http://a/2", 7), ("http://a/1", 6)]


def test_lifts_of_rows_that_the_cache_knew(store: Store) -> None:
    """A batch may lift rows by their ids; those that do not wait stay as they are."""
    turned = turn(
        store, Batch([sighting("http://a/1", 5), sighting("http://a/2", 4), sighting("http://a/3", 3)]), Want(1)
    )
    (first,) = turned.rows
    turn(store, Batch(lifts={first.id: 99, turned.known["http://a/3"][0]: 8}), Want(0))
    assert urls_taken(store) == [("http://a/3", 8), ("http://a/2", 4)]
    assert store.connection.scalar(select(node.c.priority).where(node.c.id == first.id)) == 5


def test_other_orders_lift_nothing(store: Store) -> None:
    """Without `lifts` the first sighting's place stays; with `repeats` the later one is told."""
    batch = Batch([sighting("http://a/1", 5, 1, lifts=False), sighting("http://a/1", 6, 2, repeats=True, lifts=False)])
    turn(store, batch, Want(0))
    assert urls_taken(store) == [("http://a/1", 5)]
    assert store.connection.scalar(select(repeat.c.parent)) == 2


def test_pages_that_link_each_other_keep_their_places_when_read_again(store: Store) -> None:
    """A row that is looked at again does not move below a page that it led to."""
    turned = turn(store, Batch([sighting("http://a/1", 5)]), Want(0))
    row = turned.known["http://a/1"][0]
    turn(store, Batch(outcomes={row: PageRead(Answer(200), 0, 0)}), Want(0))
    with store.transaction() as connection:
        connection.execute(node.update().values(run=0))
    turn(store, Batch([sighting("http://a/1", 5, 77)]), Want(0))
    assert store.connection.scalar(select(node.c.parent).where(node.c.id == row)) == 0
