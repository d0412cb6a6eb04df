from __future__ import annotations

import time

import pytest
from sqlalchemy import select, text, update

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.taking import take
from picspider.frontier.turn.turn import turn
from picspider.records import Row, Sighting
from picspider.schema import State, node


@pytest.fixture
def store(store: Store) -> Store:
    """A page that is done, and below it a picture and a page; in a store of a folder, and in one that is shared."""
    below = [
        Sighting("http://a/2.jpg", 2, "a:80", 2, 1, "picture", 1, 5, 0, "two", 7, 0, request='{"a": 1}'),
        Sighting("http://b/3", 3, "b:80", 1, 4, "page", 1, 6, 1, "three", 6, 0),
    ]
    turn(store, Batch([Sighting("http://a/1", 1, "a:80", 1, 1, "page", 0, 0, 0, "", 0, 0), *below]), Want(0))
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == 1).values(state=State.done.value))
    return store


def taken(store: Store, want: Want) -> list[Row]:
    """Take rows in a transaction of its own."""
    with store.transaction() as connection:
        return take(store, connection, want)


def test_all_of_a_row(store: Store) -> None:
    """What is needed to fetch it; a row that is taken is running, and whose it is is known where there are several."""
    before = time.time()
    first, second = taken(store, Want(9))
    assert first == Row(
        2, "http://a/2.jpg", "a:80", 2, 1, "picture", 1, "http://a/1", 5, 2, "two", '{"a": 1}', 7
    )  # fmt: skip
    assert second == Row(3, "http://b/3", "b:80", 1, 4, "page", 1, "http://a/1", 6, 1, "three", None, 6)
    with store.transaction() as connection:
        rows = connection.execute(select(node.c.state, node.c.worker, node.c.time).order_by(node.c.id)).all()
    who = store.worker if store.shared else None
    assert [(row.state, row.worker) for row in rows] == [
        (State.done.value, None), (State.running.value, who), (State.running.value, who),
    ]  # fmt: skip
    assert all(before <= row.time <= time.time() for row in rows[1:])


def test_order(store: Store) -> None:
    """The largest priority first, of equal ones the smallest rank, then the oldest row."""
    places = ((4, 20), (5, 30), (5, 10), (5, 10), (6, 40))
    below = [
        Sighting(f"http://c/{n}", 10 + n, "c:80", 1, 1, "page", 1, n, 0, "", *place) for n, place in enumerate(places)
    ]
    turn(store, Batch(below), Want(0))
    assert [row.url[-1] for row in taken(store, Want(9, ("a:80", "b:80")))] == ["4", "2", "3", "1", "0"]


@pytest.mark.parametrize(
    ("want", "rows"),
    [
        (Want(1), [2]),
        (Want(9, ("a:80",)), [3]),
        (Want(9, ("a:80", "b:80")), []),
        (Want(9, pages=False), [2]),
        (Want(9, pictures=False), [3]),
        (Want(9, ("b:80",), pictures=False), []),
    ],
)
def test_what_is_wanted(store: Store, want: Want, rows: list[int]) -> None:
    """No more than the number, none of the hosts left out, and only the kinds asked for."""
    assert [row.id for row in taken(store, want)] == rows


def test_nobody_waits_for_what_another_takes(database: str) -> None:
    """Of two workers that take at the same moment the second gets the next row at once; the page above is no matter."""
    stores = [Store(database), Store(database)]
    begin(stores[0], None, "{}")
    turn(
        stores[0],
        Batch([Sighting(f"http://a/{n}", n, "a:80", 1, 1, "page", 1, n, 0, "", 0, 0) for n in (1, 2, 3)]),
        Want(0),
    )
    with stores[0].transaction() as first, stores[1].transaction() as second:
        second.execute(text("SET lock_timeout = '5s'"))
        assert [row.id for row in take(stores[0], first, Want(1))] == [1]
        assert [row.id for row in take(stores[1], second, Want(1))] == [2]
    for store in stores:
        store.close()
