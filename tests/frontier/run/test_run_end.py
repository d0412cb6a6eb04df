"""Whether a run is at its end, asked of a real store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.test import get_crawler
from sqlalchemy import insert, select, update

from picspider.frontier.budget import Budget
from picspider.frontier.run import run_end
from picspider.frontier.run.beginning import begin
from picspider.frontier.run.run_end import RunEnd
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Turned, Want
from picspider.frontier.turn.lookups import Lookups
from picspider.frontier.turn.turn import turn
from picspider.frontier.what_waits import WhatWaits
from picspider.output_folder import OutputFolder
from picspider.records import Answer, PageRead, Sighting
from picspider.schema import State, node, worker

PAGE = Sighting("http://a/", 1, "a:80", 0, 1, "page", 0, 0, 0, "", 0, 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A run on a new store."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    yield store
    store.close()


class Run:
    """The end of a run on *store*, after a turn that found nothing."""

    def __init__(self, store: Store, budget: Budget) -> None:
        self.waits = WhatWaits(shared=store.shared)
        self.waits.turned(Batch(), Want(1), Turned())
        self.lookups = Lookups(store)
        self.calls: list[str] = []
        crawler: Any = get_crawler()
        crawler.engine = SimpleNamespace(_slot=None)  # it is not running, and need not be woken
        self._end = RunEnd(crawler, store, self.lookups, budget, self.waits, lambda: self.calls.append("forget"))

    def ends(self) -> bool:
        """Whether it is over. Raises CloseSpider."""

        async def check() -> bool:
            try:
                self._end.check()
            except DontCloseSpider:
                return False
            return True

        return asyncio.run(check())


def test_run_ends_when_nothing_waits(store: Store) -> None:
    """A row that waits is fetched first, if the limits allow its kind; if they do not, the limit ends the run."""
    budget = Budget(pages=1)
    run = Run(store, budget)
    assert run.ends()
    turn(store, Batch(sightings=[PAGE]), Want(0))
    assert not run.waits.anything
    assert not run.ends()
    assert run.waits.anything, "the table is worth a look"
    budget.spend("page")
    with pytest.raises(CloseSpider) as caught:
        run.ends()
    assert caught.value.reason == "limit"


def test_pictures_have_a_limit_of_their_own(store: Store) -> None:
    """A picture that waits is fetched although no page may be, and is left when its own limit is reached."""
    budget = Budget(pages=0, pictures=1)
    run = Run(store, budget)
    turn(store, Batch(sightings=[PAGE._replace(kind="picture")]), Want(0))
    assert not run.ends()
    budget.spend("picture")
    with pytest.raises(CloseSpider):
        run.ends()
    budget.pages = None
    with pytest.raises(CloseSpider):
        run.ends()


def test_second_chance(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure of this run whose reason may have passed is tried once more, and only once."""
    run = Run(store, Budget())
    turn(store, Batch(sightings=[PAGE, PAGE._replace(url="http://a/gone", key=2)]), Want(0))
    monkeypatch.setattr(run_end, "SECOND_CHANCE_SECONDS", -60)
    failure = update(node).values(state=State.error.value, reason="http", status=503, time=time.time())
    with store.transaction() as connection:
        connection.execute(failure)
        connection.execute(update(node).where(node.c.id == 2).values(status=404))
    assert not run.ends()
    states = select(node.c.state).order_by(node.c.id)
    assert store.connection.scalars(states).all() == [State.waiting.value, State.error.value]
    store.connection.rollback()
    with store.transaction() as connection:
        connection.execute(failure)
    assert run.ends()


def test_pages_of_a_nearer_layer(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """They are read again where they count, told by a few, and all that is remembered of places is forgotten."""
    entry, below, other = (PAGE._replace(url=f"http://a/{n}", key=n, layer=n, parent=n) for n in range(3))
    others = [
        PAGE._replace(url=f"http://a/x{n}", key=n, layer=2, parent=2) for n in range(10, 10 + run_end.RISEN_TOLD + 1)
    ]
    turn(store, Batch(sightings=[entry, below, other, *others]), Want(0))
    nearer = [page._replace(layer=1, parent=1) for page in others]
    read: dict[int, Any] = {row: PageRead(Answer(200), 1, 0) for row in range(1, 4 + len(others))}
    turn(store, Batch(sightings=nearer, outcomes=read), Want(0))
    run = Run(store, Budget(pages=0))
    assert run.ends(), "no page may be read"
    run = Run(store, Budget())
    assert run.lookups.places.of(4).layer == 2
    assert not run.ends()
    assert (run.lookups.places.of(4).layer, run.calls) == (1, ["forget"])
    assert caplog.text.count("it is read again there") == run_end.RISEN_TOLD
    assert "1 more pages" in caplog.text


def test_other_workers_that_are_busy(database: str) -> None:
    """On a shared store the run ends when no other worker can find anything more."""
    store = Store(database)
    begin(store, None, "{}")
    run = Run(store, Budget())
    assert run.ends()
    other = {"name": "other", "seen": time.time() + 5, "run": 1, "idle": 0}
    with store.transaction() as connection:
        connection.execute(insert(worker).values(**other))
    assert not run.ends()
    with store.transaction() as connection:
        connection.execute(update(worker).where(worker.c.name == "other").values(idle=1))
    assert run.ends()
    run.lookups.close()
    store.close()
