"""A worker among others, as the table of workers tells it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import select, update

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.records import Sighting
from picspider.schema import IS_RUNNING, node, worker

PAGES = [Sighting(f"http://a/{number}", number, "a:80", 0, 1, "page", 0, 0, 0, "", 0, 0) for number in (1, 2)]


@pytest.fixture
def stores(database: str) -> Iterator[tuple[Store, Store]]:
    """Two workers of one crawl."""
    stores = Store(database), Store(database)
    for store in stores:
        begin(store, None, "{}")
    yield stores
    for store in stores:
        store.close()


def idle(store: Store) -> dict[str, int]:
    """What each worker says of itself."""
    with store.transaction() as connection:
        return {name: said for name, said in connection.execute(select(worker.c.name, worker.c.idle))}  # noqa: C416 - typed


def test_idle_worker_holds_no_row(stores: tuple[Store, Store]) -> None:
    """It gives its own rows back and no other's, and the run may end when all have said so."""
    one, other = stores
    turn(one, Batch(sightings=PAGES), Want(1))
    assert len(turn(other, Batch(), Want(1)).rows) == 1
    assert not one.may_end()
    with one.transaction() as connection:
        assert connection.scalars(select(node.c.worker).where(IS_RUNNING)).all() == [other.worker]
    assert idle(one) == {one.worker: 1, other.worker: 0}
    assert not other.may_end(), "the other one may have died since it said so"
    assert one.may_end()
    assert other.may_end()
    assert len(turn(one, Batch(), Want(1)).rows) == 1
    assert idle(one) == {one.worker: 0, other.worker: 1}, "who takes a row is busy again"
    assert not other.may_end()


def test_idle_worker_that_dies(stores: tuple[Store, Store], caplog: pytest.LogCaptureFixture) -> None:
    """The other one says that it waits, once, until the lease is over, and is the last one then."""
    dead, other = stores
    assert not dead.may_end()
    assert not other.may_end()
    assert "may have died" not in caplog.text, "it had no time to say more"
    with other.transaction() as connection:
        connection.execute(update(worker).where(worker.c.name == dead.worker).values(seen=worker.c.seen - 10))
    assert [other.may_end(), other.may_end()] == [False, False]
    assert caplog.text.count("Waiting for the worker") == 1
    assert dead.worker in caplog.text
    other.presence.lease_seconds = 9
    assert other.may_end()
    assert other.leave()


def test_last_one_to_leave(stores: tuple[Store, Store]) -> None:
    """Of two workers the second one that signs off is the last; it stays so when it is asked again."""
    one, other = stores
    assert one.run == other.run == 1
    assert not one.leave()
    assert idle(other) == {other.worker: 0}
    assert other.leave()
    assert not one.leave()
    assert other.leave()
    assert idle(other) == {}


def test_signs_of_life(stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are given when the last one is some time ago."""
    one, _ = stores
    seen = select(worker.c.seen).where(worker.c.name == one.worker)

    def last() -> float:
        with one.transaction() as connection:
            return float(connection.scalar(seen) or 0)

    first = last()
    one.presence.beat()
    assert last() == first
    monkeypatch.setattr("picspider.frontier.store.presence.SIGN_SECONDS", -1.0)
    one.presence.beat()
    assert last() > first


def test_one_thread_keeps_the_lease(database: str) -> None:
    """However often it is asked for, and none when the worker has left."""

    def leases() -> int:
        return sum(thread.name == "lease" for thread in threading.enumerate())

    store = Store(database)
    begin(store, None, "{}")
    before = leases()
    for _ in range(2):
        store.presence.keep_lease(30.0)
    assert leases() == before + 1
    store.presence.end_lease()
    assert leases() == before
    store.close()
